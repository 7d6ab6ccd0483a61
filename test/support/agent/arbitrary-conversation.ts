import fc from 'fast-check';
import type { Session } from '../../../src/core/session';
import { appendEvent, type AgentEvent } from '../../../src/core/words/events';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import { ToolError, type Tool } from '../../../src/core/words/tool';
import { findProtocol, protocols } from '../../../src/protocols';
import { endRuns } from '../../../src/sessions/session-store';
import { askUser } from '../../../src/tools/ask-user';
import { callSubAgent } from '../../../src/tools/call-sub-agent';
import { testSession, testTool } from './test-session';

/** A message of the user and its consequences. */
export interface Message {
  readonly text: string;
  readonly protocol: string;
  /** The replies of the model, request by request, including sub-agents; then "done". */
  readonly replies: readonly Reply[];
  /** The answers of the user to approvals, in turn. */
  readonly answers: readonly ('run' | 'reject' | 'edit')[];
  /** Tokens after which the run pauses; undefined means no limit. */
  readonly budget?: number | undefined;
  /** The model's context window in tokens; undefined if unknown. */
  readonly window?: number | undefined;
  /** The user's change to the history before the message. */
  readonly before?: 'compact' | 'undo-summary' | 'rewind' | 'edit' | undefined;
  /** The earlier message that the user goes back to, or the reply that they edit, if they do. */
  readonly backTo: number;
  /** The edited text of that reply. */
  readonly edited: Reply;
  /** Whether a paused run is continued once. */
  readonly resumes: boolean;
  /** The number of events after which it happens. A killed process continues from the written events. */
  readonly interruption?: { readonly type: 'stop' | 'kill'; readonly after: number } | undefined;
}

export interface Reply {
  readonly parts: readonly RenderedPart[];
  /** The share of it that arrives, from 0 to 1. */
  readonly share: number;
  readonly reasoning: string;
  readonly end: 'stop' | 'length' | 'content-filter' | 'cut' | 'failure' | 'crash';
}

/** Difficult texts: half surrogate pairs, empty text, blanks, markers of the protocols. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.constantFrom(
    '',
    ' ',
    '\n\n',
    '\ud800',
    'a\udc00b',
    '😀',
    '{"a":1}',
    '「始」',
    '</tool_call>',
    '<think>',
  ),
);

const callArguments = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text }) },
  fc.record({ text, more: fc.oneof(text, fc.double(), fc.constant(null)) }),
  fc.dictionary(text, text, { maxKeys: 2 }),
);

const id = fc.constantFrom('', 'k1', 'k2', 'c1', '\ud800', 'call with blanks');

const TOOLS: readonly string[] = ['look', 'look', 'change', 'change', 'refuse', 'crash', 'no_such_tool'];

const part: fc.Arbitrary<RenderedPart> = fc.oneof(
  text.map((each): RenderedPart => ({ type: 'text', text: each })),
  fc
    .record({ id, name: fc.constantFrom(...TOOLS), arguments: callArguments })
    .map((call): RenderedPart => ({ type: 'call', call })),
  fc.record({ id, question: text }).map(({ id: own, question }): RenderedPart => ({
    type: 'call',
    call: { id: own, name: 'ask_user', arguments: { question: `?${question}`, options: ['one', 'two'] } },
  })),
  fc.record({ id, task: text }).map(({ id: own, task }): RenderedPart => ({
    type: 'call',
    call: { id: own, name: 'call_sub_agent', arguments: { task: `do ${task}`, max_rounds: 2 } },
  })),
);

const reply: fc.Arbitrary<Reply> = fc.record({
  parts: fc.array(part, { maxLength: 4 }),
  share: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  reasoning: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, text),
  end: fc.oneof(
    { weight: 5, arbitrary: fc.constant('stop' as const) },
    fc.constantFrom('length', 'content-filter', 'cut', 'failure', 'crash'),
  ),
});

const message: fc.Arbitrary<Message> = fc.record({
  // The page sends no blank message.
  text: text.map((each) => `say ${each}`),
  protocol: fc.constantFrom(...protocols.map((protocol) => protocol.id)),
  replies: fc.array(reply, { maxLength: 4 }),
  answers: fc.array(fc.constantFrom('run', 'reject', 'edit'), { maxLength: 4 }),
  budget: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined, freq: 5 }),
  window: fc.option(fc.integer({ min: 700, max: 2_000 }), { nil: undefined }),
  before: fc.option(fc.constantFrom('compact', 'undo-summary', 'rewind', 'edit'), {
    nil: undefined,
    freq: 2,
  }),
  backTo: fc.nat({ max: 4 }),
  edited: reply,
  resumes: fc.boolean(),
  interruption: fc.option(
    fc.record({ type: fc.constantFrom('stop', 'kill'), after: fc.integer({ min: 1, max: 40 }) }),
    { nil: undefined, freq: 2 },
  ),
});

/** Any sequence of messages, with any interruptions. */
export const arbitraryConversation: fc.Arbitrary<readonly Message[]> = fc.array(message, {
  minLength: 1,
  maxLength: 5,
});

export interface ConversationRecord {
  /** The events as read from a session file. */
  readonly events: readonly AgentEvent[];
  /** All requests to models, including sub-agents. */
  readonly requests: readonly ModelRequest[];
}

/** Plays the conversation in the real session and loop, with tools without outside effects. */
export async function runConversation(messages: readonly Message[]): Promise<ConversationRecord> {
  const requests: ModelRequest[] = [];
  let events: readonly AgentEvent[] = [];
  for (const each of messages) events = await answer(each, events, requests);
  return { events, requests };
}

/** Creates a new session for each message, as after a reload, from the events of the previous one. */
async function answer(
  message: Message,
  past: readonly AgentEvent[],
  requests: ModelRequest[],
): Promise<readonly AgentEvent[]> {
  const protocol = findProtocol(message.protocol);
  if (!protocol) throw new Error(`There is no protocol ${message.protocol}.`);
  const { session } = testSession({
    model: new ConversationModel(message, requests),
    tools: tools(),
    protocol,
    past,
    config: { maxIterations: 6, recovery: 'run' },
    budget: { tokens: message.budget ?? 0 },
    window: { tokens: message.window },
    judge: ({ effect }) => ({
      verdict: { decision: effect === 'read' ? 'auto' : 'ask', reason: 'it writes' },
      grants: [],
    }),
  });
  const recorded: AgentEvent[] = [...past];
  let count = 0;
  let asked = 0;
  const killed = { is: false };
  session.onEvent((event) => {
    if (killed.is) return;
    appendEvent(recorded, event);
    if (++count === message.interruption?.after) {
      killed.is = message.interruption.type === 'kill';
      session.stop();
    } else {
      respond(session, event, message.answers[asked]);
      if (event.type === 'approval-request') asked++;
    }
  });
  if (message.before === 'compact') await session.summarize();
  if (message.before === 'undo-summary') session.undoSummary();
  if (message.before === 'rewind') session.rewind(entryOf('user', message.backTo, session));
  if (message.before === 'edit') {
    const given = { protocol, deltas: [...spokenIn(protocol, message.edited)] };
    await session.replaceReply(entryOf('reply', message.backTo, session), given);
  }
  if (!killed.is) await session.send(message.text);
  if (message.resumes && !killed.is) await session.resume();
  return endRuns(recorded);
}

/** Returns the index of one of the entries of that type; -1 if there is none. */
function entryOf(type: 'user' | 'reply', backTo: number, { transcript }: Session): number {
  const said = [...transcript.entries.keys()].filter((at) => transcript.entries[at]?.type === type);
  return said[backTo % said.length] ?? -1;
}

function respond(session: Session, event: AgentEvent, choice: Message['answers'][number] = 'run'): void {
  if (event.type === 'sub-agent') return respond(session, event.event, choice);
  if (event.type === 'question') session.answerQuestion(event.callId, 'two');
  if (event.type !== 'approval-request') return;
  const { id: callId } = event.request.call;
  if (choice === 'run') session.decide(callId, { type: 'run' });
  else if (choice === 'reject') session.decide(callId, { type: 'reject', reason: 'not that \ud800' });
  else session.decide(callId, { type: 'edit', arguments: { text: 'as I want it' } });
}

class ConversationModel implements Model {
  readonly name = 'test';
  private said = 0;

  constructor(
    private readonly message: Message,
    private readonly requests: ModelRequest[],
  ) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelDelta, void, undefined> {
    this.requests.push(request);
    const spoken = this.message.replies[this.said++] ?? DONE;
    yield* spokenIn(findProtocol(request.origin.protocol), spoken);
    if (spoken.end === 'crash') throw new Error('The client broke.');
  }
}

function* spokenIn(protocol: Protocol | undefined, spoken: Reply): Generator<ModelDelta> {
  if (spoken.reasoning !== '') yield { type: 'reasoning', text: spoken.reasoning };
  yield* begun(protocol?.renderReply(spoken.parts) ?? [], spoken.share);
  if (spoken.end === 'failure') {
    yield { type: 'failure', failure: { code: 'server-error', message: 'The server failed.' } };
  } else if (spoken.end !== 'cut' && spoken.end !== 'crash') yield { type: 'end', reason: spoken.end };
}

const DONE: Reply = { parts: [{ type: 'text', text: 'done' }], share: 1, reasoning: '', end: 'stop' };

/** Returns the beginning of a reply: whole pieces, and the beginning of the last one. */
function* begun(deltas: readonly ModelDelta[], share: number): Generator<ModelDelta> {
  const whole = Math.floor(deltas.length * share);
  yield* deltas.slice(0, whole);
  const last = deltas[whole];
  const rest = deltas.length * share - whole;
  if (last?.type === 'text') yield { ...last, text: last.text.slice(0, last.text.length * rest) };
  if (last?.type === 'tool-call') {
    yield { ...last, arguments: (last.arguments ?? '').slice(0, (last.arguments ?? '').length * rest) };
  }
}

function tools(): readonly Tool[] {
  const all: Tool[] = [
    testTool('look', 'read', async (text, { onOutput }) => {
      onOutput(`looking at ${text}`);
      return text;
    }),
    testTool('change', 'write', async (text) => text),
    testTool('refuse', 'read', async () => {
      throw new ToolError('Cannot do that \ud800.');
    }),
    testTool('crash', 'write', async () => {
      throw new Error('A tool broke.');
    }),
    askUser(),
  ];
  all.push(callSubAgent(() => all));
  return all;
}
