import type { ToolCall, ToolResult } from '../words/messages';
import { runningSpec, type Effect, type Tool } from '../words/tool';

/** What these return changes by itself. */
const CHANGING: readonly string[] = ['read_output', 'get_problems', 'fetch_url', 'ask_user'];

/** Characters of an earlier result that are repeated. */
const SHOWN = 800;

interface Done {
  readonly result: string;
  times: number;
}

/**
 * The calls of a model that works in steps, since something last changed. The same call again is answered with the
 * earlier result, and the next reply cannot make it: a small model would repeat it for ever.
 */
export class DoneCalls {
  private readonly done = new Map<string, Done>();
  private left: readonly string[] | 'all' = [];

  /** `next` says what the model may do instead. */
  constructor(private readonly next: string) {}

  /** The offered tools that the next reply cannot call; `all`: it can only answer. */
  get leftOut(): readonly string[] | 'all' {
    return this.left;
  }

  /** The last call was made before, and another one can still be made. */
  get isStuck(): boolean {
    return this.left !== 'all' && this.left.length > 0;
  }

  /** Called before each request for calls. */
  begin(): void {
    this.left = [];
  }

  /** The answer to a call that was made before; nothing if it should run. */
  answer(call: ToolCall, callable: readonly Tool[]): string | undefined {
    const known = this.done.get(keyOf(call));
    if (!known) return undefined;
    known.times++;
    this.left = known.times > 2 ? 'all' : offeredNames(call, callable);
    return `Not executed: you did this already, and nothing has changed since. The result was:\n${known.result.slice(0, SHOWN)}\n${this.next}`;
  }

  add(call: ToolCall, { status, result }: ToolResult, effect: Effect): void {
    if (CHANGING.includes(call.name)) return;
    // A call that was refused or failed has changed nothing.
    if (status === 'success' && effect !== 'read') this.done.clear();
    this.done.set(keyOf(call), { result, times: 1 });
  }
}

function keyOf({ name, arguments: args }: ToolCall): string {
  return `${name} ${JSON.stringify(args)}`;
}

/** The names under which this call is offered. */
function offeredNames(call: ToolCall, callable: readonly Tool[]): readonly string[] {
  return callable.flatMap(({ spec }) => {
    if (runningSpec(spec).name !== call.name) return [];
    return spec.offers && !spec.offers.fromCall(call.arguments) ? [] : [spec.name];
  });
}
