import { nonRepeatingText } from '../non-repeating-text';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { foldTranscript } from '../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../src/core/transcript/history';
import { emptyTranscript } from '../../../src/core/transcript/transcript';
import { appendEvent, type AgentEvent } from '../../../src/core/words/events';
import type { RenderedPart } from '../../../src/core/words/protocol';
import { findProtocol, protocols } from '../../../src/protocols';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore, type StoredSession } from '../../../src/sessions/session-store';
import { FakeEndpoint, streamParts, type EndpointReply } from '../servers/fake-endpoint';
import { refusals, sentMessages } from '../servers/endpoint-rules';
import type { AgentProcessOptions } from './agent-process';
import { letTimePass } from '../turns';

const AGENT = path.resolve('out/test/support/processes/agent-process.js');
const TITLE = 'the long run';
const OTHER = 'the other session';

/** How far a run may get before it is killed: bytes of its reported events, about three rounds. */
const FARTHEST = 100_000;
const REPLIES = 500;

interface Kill {
  /** The process is killed when it has reported this many bytes of events, */
  readonly after: number;
  /** and this many milliseconds later. */
  readonly later: number;
  readonly protocol: string;
  /** Lengths of the replies' texts in words; used in turn. */
  readonly words: readonly number[];
}

/** Without the bias towards small numbers, which would kill most runs at the start. */
const kill: fc.Arbitrary<Kill> = fc.noBias(
  fc.record({
    after: fc.integer({ min: 1, max: FARTHEST }),
    later: fc.integer({ min: 0, max: 20 }),
    protocol: fc.constantFrom(...protocols.map(({ id }) => id)),
    words: fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 5, maxLength: 5 }),
  }),
);

/**
 * Continues one session in process after process, each killed (SIGKILL) in the middle of a run, and checks the stored
 * data each time. The seed determines the moments, apart from the load of the machine.
 */
export async function killAgents(folder: string, rounds: number, seed: number): Promise<void> {
  mkdirSync(path.join(folder, 'workspace'), { recursive: true });
  const endpoint = await FakeEndpoint.start();
  try {
    const kills = new AgentKiller(folder, endpoint);
    await kills.runToEnd(OTHER, OTHER, 'native');
    const other = kills.files();
    for (const [round, each] of fc.sample(kill, { numRuns: rounds, seed }).entries()) {
      await kills.killOne(round, each);
      for (const [name, bytes] of other) assert.ok(kills.files().get(name)?.equals(bytes), name);
    }
    assert.ok(kills.killed >= rounds / 2, `only ${kills.killed} of ${rounds} were killed in time`);
    await kills.runToEnd(TITLE, 'and now end it', 'native');
    const end = await kills.load(TITLE);
    assert.deepEqual(end.events.at(-1), { type: 'run-end', outcome: { type: 'done' } });
    const runs = end.events.filter(({ type }) => type === 'run-start');
    assert.equal(runs.length, rounds + 1);
  } catch (error) {
    throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await endpoint.stop();
  }
}

class AgentKiller {
  private readonly sessions: string;
  private readonly workspace: string;
  private readonly store: SessionStore;
  /** The stored session after the last process has ended. */
  private before: readonly AgentEvent[] = [];
  private written = 0;
  /** Processes that did not finish. */
  killed = 0;

  constructor(
    private readonly folder: string,
    private readonly endpoint: FakeEndpoint,
  ) {
    this.sessions = path.join(folder, 'sessions');
    this.workspace = path.join(folder, 'workspace');
    this.store = new SessionStore(new NodeSessionFolder(this.sessions));
  }

  async runToEnd(title: string, text: string, protocol: string): Promise<void> {
    this.endpoint.reset();
    const ended = await once(this.start({ title, text, protocol, acknowledged: this.told('end') }), 'close');
    assert.deepEqual(ended, [0, null]);
    this.checkRequests(text);
  }

  async killOne(round: number, { after, later, protocol, words }: Kill): Promise<void> {
    this.endpoint.reset();
    this.endpoint.next(
      ...Array.from({ length: REPLIES }, (_, number) =>
        this.reply(protocol, words[number % words.length] ?? 0),
      ),
    );
    const acknowledged = this.told(String(round));
    const text = round === 0 ? TITLE : `message ${round}`;
    const child = this.start({ title: TITLE, text, protocol, acknowledged });
    const closed = once(child, 'close');
    while (child.exitCode === null && !(existsSync(acknowledged) && statSync(acknowledged).size >= after)) {
      await letTimePass(2);
    }
    await letTimePass(later);
    child.kill('SIGKILL');
    // On a busy machine a process may have finished before the kill.
    await closed;
    if (child.signalCode === 'SIGKILL') this.killed++;
    else assert.equal(child.exitCode, 0);

    const stored = await this.load(TITLE);
    assert.equal(stored.damaged, 0);
    assert.deepEqual(stored.events.slice(0, this.before.length), this.before);
    checkAcknowledged(readTold(acknowledged), stored.events.slice(this.before.length));
    this.checkActed(stored.events);
    checkHistory(stored.events);
    this.checkRequests(text);
    this.before = stored.events;
  }

  async load(title: string): Promise<StoredSession> {
    const found = (await this.store.list()).filter((each) => each.title === title);
    assert.equal(found.length, 1, `${found.length} sessions "${title}"`);
    const stored = await this.store.load(found[0]?.id ?? '');
    assert.ok(stored);
    return stored;
  }

  /** Returns every file with its bytes. */
  files(): ReadonlyMap<string, Buffer> {
    return new Map(
      readdirSync(this.sessions).map((name) => [name, readFileSync(path.join(this.sessions, name))]),
    );
  }

  private start(options: Omit<AgentProcessOptions, 'folder' | 'baseUrl'>): ChildProcess {
    const { folder, endpoint } = this;
    const all: AgentProcessOptions = { folder, baseUrl: endpoint.baseUrl, ...options };
    return spawn(process.execPath, [AGENT, JSON.stringify(all)], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  private told(name: string): string {
    return path.join(this.folder, `told-${name}.jsonl`);
  }

  /** Some words and two calls that write, run or start a sub-agent; a sub-agent gets only words. */
  private reply(protocol: string, words: number): EndpointReply {
    const text: RenderedPart = { type: 'text', text: nonRepeatingText(6 * words) };
    const call = (name: string, args: Record<string, string>): RenderedPart => {
      const id = `k${++this.written}`;
      return { type: 'call', call: { id, name, arguments: args } };
    };
    return (response, promptTokens) => {
      const spoken = findProtocol(protocol);
      assert.ok(spoken);
      const request = this.endpoint.requests.at(-1);
      const isSub = request?.body.messages[0]?.content.includes('You are a sub-agent') === true;
      if (isSub) return streamParts(spoken, [text])(response, promptTokens);
      const write = call('write_file', {
        path: `note-${this.written}.txt`,
        content: nonRepeatingText(2 * words, `${this.written}`),
      });
      const other =
        this.written % 3 === 0
          ? call('call_sub_agent', { task: `look at ${this.written}` })
          : call('run_shell_command', { command: `seq ${this.written} ${this.written + words}` });
      return streamParts(spoken, [text, write, other])(response, promptTokens);
    };
  }

  /** Checks that every file in the workspace belongs to a call that had started. */
  private checkActed(events: readonly AgentEvent[]): void {
    const started = new Set(events.flatMap((event) => (event.type === 'tool-start' ? [event.callId] : [])));
    const paths = new Set(
      events.flatMap((event) =>
        event.type === 'call-end' && started.has(event.call.id) ? [event.call.arguments['path']] : [],
      ),
    );
    // A killed write leaves the temporary file that was to replace the old one.
    const names = readdirSync(this.workspace).filter((name) => !/^\.parley-.*\.tmp$/.test(name));
    for (const name of names) assert.ok(paths.has(name), `${name} has no call`);
  }

  /** Checks that each request is valid, and that the first one of a process has the earlier conversation. */
  private checkRequests(text: string): void {
    for (const { body } of this.endpoint.requests) assert.deepEqual(refusals(sentMessages(body)), []);
    const [first] = this.endpoint.requests;
    const said = sentMessages(first?.body ?? { messages: [] })
      .map(({ content }) => content)
      .join('\n');
    for (const event of this.before) {
      if (event.type === 'run-start' && first) assert.ok(said.includes(event.text), event.text);
    }
    if (first) assert.ok(said.includes(text));
  }
}

function readTold(file: string): AgentEvent[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // SAFETY: the process writes only events.
  return lines.map((line) => JSON.parse(line) as AgentEvent);
}

/**
 * The acknowledged events are the beginning of the stored ones, except for a piece of text that still waited for the
 * next.
 */
function checkAcknowledged(told: readonly AgentEvent[], stored: readonly AgentEvent[]): void {
  const joined: AgentEvent[] = [];
  for (const event of told) appendEvent(joined, event);
  const last = joined.at(-1);
  const waiting = last && textOf(last) !== undefined ? joined.pop() : undefined;
  assert.deepEqual(stored.slice(0, joined.length), joined);
  const next = stored[joined.length];
  const [shown, kept] = [waiting && textOf(waiting), next && textOf(next)];
  if (shown !== undefined && kept !== undefined) assert.ok(shown.startsWith(kept), kept);
}

/** The text of a piece that is joined with others. */
function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'sub-agent') return textOf(event.event);
  return ['text', 'reasoning', 'call-delta', 'tool-output'].includes(event.type) && 'text' in event
    ? event.text
    : undefined;
}

/** In every protocol, because the conversation may continue in any. */
function checkHistory(events: readonly AgentEvent[]): void {
  const turns = turnsOf(events.reduce(foldTranscript, emptyTranscript));
  const next = { type: 'user', text: 'go on' } as const;
  for (const protocol of protocols) {
    const { messages } = protocol.request({ instructions: 'x', tools: [], turns: [...turns, next] });
    assert.deepEqual(refusals(messages), [], protocol.id);
  }
}
