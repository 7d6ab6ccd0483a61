import { never } from '../base/never';
import type { ModelDelta } from '../core/words/model';
import { contentOf, cutOff, type StreamPart } from './apis/reply-stream';
import { ArgumentPieces } from './argument-pieces';
import { chunkDeltas } from './chat-chunks';
import { errorInEvent } from './exchange/error-words';
import { isLastEvent, type StreamEvent } from './exchange/event-stream';
import { finishReason } from './finish-reasons';

/**
 * Reads the events of one reply of the Chat Completions API, live or recorded. What it does not understand is a sign of
 * life and nothing else; what comes after the reply changes nothing of it. Never throws.
 */
export class ChatStream {
  /** Nothing more will come. */
  isOver = false;
  /** A finish reason says that the reply is whole. */
  hasEnded = false;
  private readonly pieces = new ArgumentPieces();
  /** The index of the choice that counts. */
  private choice: number | undefined;
  private hasNamedChoices = false;
  /** A finish reason that does not say that the reply is whole, as written. */
  private reason = '';
  private isBroken = false;
  /** Part of a chunk was lost. */
  private isDamaged = false;

  push(event: StreamEvent): readonly StreamPart[] {
    if (this.isOver) return [];
    if (isLastEvent(event)) return this.last();
    const { values, said, isDamaged } = contentOf(event);
    if (said) return this.hasEnded ? [] : [{ type: 'error', said }];
    this.isDamaged ||= isDamaged;
    return values.flatMap((value) => this.read(value, event.name));
  }

  /** The stream has closed. A reply without any reason was cut off. */
  end(): readonly ModelDelta[] {
    if (this.hasEnded || (this.reason === '' && !this.isDamaged)) return [];
    return [cutOff(this.isDamaged ? undefined : this.reason)];
  }

  private last(): readonly StreamPart[] {
    this.isOver = true;
    if (this.hasEnded || this.isBroken || this.isDamaged) return [];
    this.hasEnded = true;
    const unclear =
      this.reason === ''
        ? 'The server ended the reply without a finish reason. It is whole, so it counts.'
        : `The server ended the reply with the unknown finish reason "${this.reason}". It is whole, so it counts.`;
    const deltas: ModelDelta[] = [...this.pieces.end(), { type: 'end', reason: 'stop', unclear }];
    return [{ type: 'chunk', chunk: {}, deltas }];
  }

  private read(value: object, name: string | undefined): readonly StreamPart[] {
    const said = errorInEvent(value, name);
    if (said) return this.hasEnded ? [] : [{ type: 'error', said }];
    const { chunk, hasOthers } = this.narrowed(value);
    const deltas: ModelDelta[] = chunkDeltas(chunk).map((delta) =>
      delta.type === 'tool-call' ? this.pieces.next(delta) : delta,
    );
    const end = this.endIn(chunk);
    if (end.length > 0) deltas.push(...this.pieces.end());
    deltas.push(...end);
    if (hasOthers && !this.hasNamedChoices) {
      this.hasNamedChoices = true;
      deltas.push({ type: 'notice', code: 'other-choices', message: OTHER_CHOICES });
    }
    return [{ type: 'chunk', chunk, deltas }];
  }

  /** The chunk with only the choice that counts: the first one, which may come in any chunk. */
  private narrowed(chunk: object): { readonly chunk: object; readonly hasOthers: boolean } {
    const choices = 'choices' in chunk && Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
    if (choices.length === 0) return { chunk, hasOthers: false };
    this.choice ??= Math.min(...choices.map(indexOf));
    const counting = choices.filter((each) => indexOf(each) === this.choice).slice(0, 1);
    if (counting.length === choices.length) return { chunk, hasOthers: false };
    return { chunk: { ...chunk, choices: counting }, hasOthers: true };
  }

  private endIn(chunk: object): readonly ModelDelta[] {
    const written = reasonIn(chunk);
    if (written === '' || this.hasEnded || this.isDamaged) return [];
    const reason = finishReason(written);
    switch (reason) {
      case undefined:
      case 'broken':
        this.isBroken ||= reason === 'broken';
        this.reason = written.slice(0, SHOWN);
        return [];
      case 'stop':
      case 'tool-calls':
      case 'length':
      case 'content-filter':
        this.hasEnded = true;
        return [{ type: 'end', reason }];
      default:
        return never(reason);
    }
  }
}

const OTHER_CHOICES = 'The server sent several choices. Only the first one counts.';

/** Maximum characters shown of an unknown reason. */
const SHOWN = 60;

function indexOf(choice: unknown): number {
  const isNumbered =
    typeof choice === 'object' && choice !== null && 'index' in choice && typeof choice.index === 'number';
  // SAFETY: checked above.
  return isNumbered ? (choice as { index: number }).index : 0;
}

function reasonIn(chunk: object): string {
  const choices = 'choices' in chunk && Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
  const [choice] = choices;
  if (typeof choice !== 'object' || choice === null || !('finish_reason' in choice)) return '';
  return typeof choice.finish_reason === 'string' ? choice.finish_reason.trim() : '';
}
