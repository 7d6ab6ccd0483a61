import { pause } from '../base/async';
import type { Conversation, Model, ModelDelta, ModelRequest } from '../core/words/model';
import type { RenderedPart } from '../core/words/protocol';

/** Decides what to say next in a conversation. */
type Script = (conversation: Conversation) => readonly RenderedPart[];

/** Renders a reply in the protocol of that id. */
export type RenderReply = (protocol: string, parts: readonly RenderedPart[]) => readonly ModelDelta[];

interface ScriptedOptions {
  readonly name: string;
  readonly script: Script;
  readonly render: RenderReply;
  /** Milliseconds between two pieces of a reply; 0 streams without waiting. */
  readonly pauseMs: number;
}

/** A model that follows a script and uses any protocol. For the demo, the lab and tests. */
export function scriptedModel(options: ScriptedOptions): Model {
  return { name: options.name, stream: (request, signal) => stream(options, request, signal) };
}

/** A reply has at most about this many pieces, each with at least this many characters. */
const PIECES = 60;
const SMALLEST = 8;

async function* stream(
  options: ScriptedOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const { protocol, conversation } = request.origin;
  const parts = options.script(conversation);
  for (const delta of options.render(protocol, parts)) {
    for (const piece of pieces(delta)) {
      if (options.pauseMs > 0) await pause(options.pauseMs, signal);
      if (signal.aborted) return;
      yield piece;
    }
  }
  yield { type: 'end', reason: parts.some((part) => part.type === 'call') ? 'tool-calls' : 'stop' };
}

function* pieces(delta: ModelDelta): Generator<ModelDelta> {
  if (delta.type === 'text') {
    for (const text of cut(delta.text)) yield { type: 'text', text };
  } else if (delta.type === 'tool-call') {
    const { arguments: args = '', ...head } = delta;
    yield head;
    for (const text of cut(args)) yield { type: 'tool-call', index: delta.index ?? 0, arguments: text };
  } else {
    yield delta;
  }
}

function* cut(text: string): Generator<string> {
  const size = Math.max(SMALLEST, Math.ceil(text.length / PIECES));
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
