import { isJsonObject, parseObject, type Json, type JsonObject } from '../../base/json';
import type { ModelDelta } from '../../core/words/model';
import type { ProviderMetadata } from '../../core/words/provider-metadata';
import { isTooDeep, TOO_DEEP, tooLargeFailure } from '../bounded';
import type { Endpoint } from '../exchange/endpoint-failure';
import { errorInEvent } from '../exchange/error-words';
import type { StreamEvent } from '../exchange/event-stream';
import { finishReason } from '../finish-reasons';
import {
  carriedOutput,
  contentOf,
  cutOff,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  type ReplyStream,
  type StreamPart,
} from './reply-stream';

/** A content block that is arriving. */
interface Block {
  readonly head: JsonObject;
  /** Pieces by the name of their field. */
  readonly pieces: Map<string, string[]>;
}

/** Fields that arrive in pieces, by the type of their delta. */
const DELTAS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

/**
 * Reads a reply of the Messages API (https://docs.claude.com/en/docs/build-with-claude/streaming), or a whole message.
 * Unknown events, blocks and deltas are ignored.
 */
export class MessagesStream implements ReplyStream {
  isOver = false;
  hasEnded = false;
  private readonly blocks = new Map<number, Block>();
  /** Blocks that are done, as they go back. */
  private readonly done = new Map<number, JsonObject>();
  /** Merged from the beginning and the end of the message. */
  private usage: JsonObject = {};
  private isDamaged = false;
  private reason = '';

  push(event: StreamEvent): readonly StreamPart[] {
    if (this.isOver) return [];
    const { values, said, isDamaged } = contentOf(event);
    if (said) return this.hasEnded ? [] : [{ type: 'error', said }];
    this.isDamaged ||= isDamaged;
    return values.flatMap((value) => this.read(value, event.name));
  }

  end(): readonly ModelDelta[] {
    if (this.hasEnded || (this.reason === '' && !this.isDamaged)) return [];
    return [cutOff(this.isDamaged ? undefined : this.reason)];
  }

  carried(endpoint: Endpoint): ProviderMetadata | undefined {
    const blocks = [...this.done].toSorted(([one], [other]) => one - other).map(([, block]) => block);
    return carriedOutput(endpoint, 'messages', blocks);
  }

  private read(value: object, name: string | undefined): readonly StreamPart[] {
    // SAFETY: it was parsed from JSON.
    const event = value as JsonObject;
    const type = textIn(event, 'type');
    if (isTooDeep(event['content_block']) || objectsIn(event, 'content').some(isTooDeep))
      return [
        { type: 'chunk', chunk: event, deltas: [{ type: 'failure', failure: tooLargeFailure(TOO_DEEP) }] },
      ];
    const said = KNOWN.has(type) ? undefined : errorInEvent(event, name);
    if (said) return this.hasEnded ? [] : [{ type: 'error', said }];
    return [{ type: 'chunk', chunk: event, deltas: this.deltas(type, event) }];
  }

  private deltas(type: string, event: JsonObject): readonly ModelDelta[] {
    const index = numberIn(event, 'index') ?? 0;
    switch (type) {
      case 'message_start':
        this.count(objectIn(objectIn(event, 'message'), 'usage'));
        return [];
      case 'content_block_start':
        return this.start(index, objectIn(event, 'content_block'));
      case 'content_block_delta':
        return this.add(index, objectIn(event, 'delta'));
      case 'content_block_stop':
        return this.stop(index);
      case 'message_delta':
        this.count(objectIn(event, 'usage'));
        return this.ended(textIn(objectIn(event, 'delta'), 'stop_reason'));
      case 'message_stop':
        this.isOver = true;
        return [];
      case 'message':
        return this.whole(event);
      default:
        return [];
    }
  }

  private start(index: number, head: JsonObject): readonly ModelDelta[] {
    this.blocks.set(index, { head, pieces: new Map() });
    switch (head['type']) {
      case 'tool_use':
        return [{ type: 'tool-call', index, id: textIn(head, 'id'), name: textIn(head, 'name') }];
      case 'text':
      case 'thinking':
        return shown(head['type'], textIn(head, head['type']));
      default:
        return [];
    }
  }

  private add(index: number, delta: JsonObject): readonly ModelDelta[] {
    const block = this.blocks.get(index);
    const field = DELTAS[textIn(delta, 'type')];
    if (!block || field === undefined) return [];
    const piece = textIn(delta, field);
    const pieces = block.pieces.get(field) ?? [];
    block.pieces.set(field, pieces);
    pieces.push(piece);
    if (piece === '' || field === 'signature') return [];
    if (field !== 'partial_json') return shown(field, piece);
    return isCall(block.head) ? [{ type: 'tool-call', index, arguments: piece }] : [];
  }

  /** Arguments that did not come in pieces are in the head of their block. */
  private stop(index: number): readonly ModelDelta[] {
    const block = this.blocks.get(index);
    if (!block) return [];
    this.blocks.delete(index);
    const { head, pieces } = block;
    const written = (pieces.get('partial_json') ?? []).join('');
    if (!isCall(head) && written === '') {
      this.done.set(index, withPieces(head, pieces));
      return [];
    }
    const given = isJsonObject(head['input']) ? head['input'] : {};
    const input = written === '' ? given : parseObject(written);
    // Arguments that are not an object cannot go back.
    if (input) this.done.set(index, { ...head, input });
    return isCall(head) && written === ''
      ? [{ type: 'tool-call', index, arguments: JSON.stringify(given) }]
      : [];
  }

  private whole(message: JsonObject): readonly ModelDelta[] {
    const blocks = objectsIn(message, 'content').flatMap((block, index) => [
      ...this.start(index, block),
      ...this.stop(index),
    ]);
    this.count(objectIn(message, 'usage'));
    const ended = this.ended(textIn(message, 'stop_reason'));
    this.isOver = this.hasEnded;
    return [...blocks, ...ended];
  }

  private ended(written: string): readonly ModelDelta[] {
    if (written === '' || this.hasEnded || this.isDamaged) return [];
    const isPaused = written === 'pause_turn';
    const reason = isPaused ? 'length' : finishReason(written);
    if (reason === undefined || reason === 'broken') {
      this.reason = written.slice(0, REASON_SHOWN);
      return [];
    }
    this.hasEnded = true;
    return [...usageDeltas(this.usage), { type: 'end', reason, ...(isPaused && { isPaused }) }];
  }

  /** The end repeats only some of the counts, and some servers send zeros or nulls there. */
  private count(usage: JsonObject): void {
    const counted = Object.entries(usage).filter(
      ([name, value]) => typeof value === 'number' && (value > 0 || this.usage[name] === undefined),
    );
    this.usage = { ...this.usage, ...Object.fromEntries(counted) };
  }
}

const KNOWN = new Set([
  ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
  ...['message_delta', 'message_stop', 'message', 'ping'],
]);

/** Tools of the service itself have blocks of other types, which only go back. */
function isCall({ type }: JsonObject): boolean {
  return type === 'tool_use';
}

/** Maximum characters shown of an unknown reason. */
const REASON_SHOWN = 60;

function shown(field: string, text: string): readonly ModelDelta[] {
  if (text === '') return [];
  return [{ type: field === 'thinking' ? 'reasoning' : 'text', text }];
}

function withPieces(head: JsonObject, pieces: Block['pieces']): JsonObject {
  const joined = [...pieces].map(([field, texts]): readonly [string, Json] => [
    field,
    textIn(head, field) + texts.join(''),
  ]);
  return { ...head, ...Object.fromEntries(joined) };
}

/** Cached tokens are not part of this API's `input_tokens`. */
function usageDeltas(usage: JsonObject): readonly ModelDelta[] {
  const input = numberIn(usage, 'input_tokens');
  const outputTokens = numberIn(usage, 'output_tokens');
  if (input === undefined || outputTokens === undefined) return [];
  const cachedTokens = numberIn(usage, 'cache_read_input_tokens');
  const cacheWriteTokens = numberIn(usage, 'cache_creation_input_tokens');
  return [
    {
      type: 'usage',
      usage: {
        inputTokens: input + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
        outputTokens,
        ...(cachedTokens !== undefined && { cachedTokens }),
        ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
      },
    },
  ];
}
