import type { ToolCallDelta } from '../core/words/model';

/**
 * Turns the arguments of calls into pieces that follow each other. Some servers send with each piece everything so
 * far, or all arguments once more at the end.
 */
export class ArgumentPieces {
  private readonly calls = new Set<CallSoFar>();
  private readonly byId = new Map<string, CallSoFar>();
  private readonly byIndex = new Map<number, CallSoFar>();
  private last: CallSoFar | undefined;

  /** The delta without the arguments that have already come. */
  next(delta: ToolCallDelta): ToolCallDelta {
    const call = this.find(delta);
    this.last = call;
    this.calls.add(call);
    if (delta.index !== undefined) this.byIndex.set(delta.index, call);
    const { arguments: text = '' } = delta;
    return text === '' ? delta : { ...delta, arguments: call.next(text) };
  }

  /** What was held back until the end of the reply could decide about it. */
  end(): readonly ToolCallDelta[] {
    return [...this.calls].flatMap((call) => {
      const rest = call.end();
      const { id, index } = call;
      return rest === ''
        ? []
        : [
            {
              type: 'tool-call',
              ...(index !== undefined && { index }),
              ...(id !== '' && { id }),
              arguments: rest,
            },
          ];
    });
  }

  private find({ id = '', index, name = '' }: ToolCallDelta): CallSoFar {
    const before = index === undefined ? this.last : this.byIndex.get(index);
    const known = id === '' ? before : (this.byId.get(id) ?? (before?.id === '' ? before : undefined));
    const isElsewhere = index !== undefined && known?.index !== undefined && index !== known.index;
    const isOther = name !== '' && known?.hasText === true && (isElsewhere || name !== known.name);
    const call = known === undefined || isOther ? new CallSoFar(index) : known;
    if (id !== '') {
      call.id = id;
      this.byId.set(id, call);
    }
    if (name !== '' && !call.hasText) call.name = name;
    return call;
  }
}

/** The arguments of one call. */
class CallSoFar {
  id = '';
  name = '';
  private text = '';
  /** Whether it is certain that pieces contain everything so far. */
  private isCumulative = false;
  /** Pieces that begin with everything so far, or with a nested object that only looks like it. */
  private held: string[] = [];
  private heldLength = 0;

  constructor(readonly index: number | undefined) {}

  get hasText(): boolean {
    return this.text !== '';
  }

  /** What a piece adds. */
  next(piece: string): string {
    const [first] = this.held;
    if (first !== undefined) {
      const isAgain = piece.startsWith(this.held.at(-1) ?? '');
      this.held.push(piece);
      this.heldLength += piece.length;
      return isAgain && this.heldLength <= HELD_MOST ? '' : this.add(this.release());
    }
    if (!this.isBeginning(piece)) return this.add(piece);
    if (!this.isCumulative && EXPECTS_VALUE.test(this.text)) {
      this.held.push(piece);
      return '';
    }
    this.isCumulative = true;
    return this.add(piece.slice(this.text.length));
  }

  end(): string {
    if (this.held.length === 0) return '';
    const last = this.held.at(-1) ?? '';
    const all = this.release();
    return !isWhole(this.text + all) && isWhole(last) ? last.slice(this.text.length) : all;
  }

  private add(text: string): string {
    this.text = NOTHING.test(this.text) ? text : this.text + text;
    return text;
  }

  private release(): string {
    return this.held.splice(0).join('');
  }

  /** Whether a piece begins with everything so far. Otherwise no object begins twice in the same arguments. */
  private isBeginning(piece: string): boolean {
    const { text } = this;
    return text !== '' && piece.startsWith('{') && piece.length >= text.length && piece.startsWith(text);
  }
}

/** Characters. */
const HELD_MOST = 256 * 1024;

/** Sent by some servers before the arguments. */
const NOTHING = /^\s*(?:\{\s*\}|null|"")?\s*$/;
/** Text behind which an object may begin. */
const EXPECTS_VALUE = /[:,[]\s*$/;

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
