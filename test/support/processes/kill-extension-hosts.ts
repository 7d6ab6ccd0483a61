import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { foldTranscript } from '../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../src/core/transcript/history';
import { emptyTranscript } from '../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../src/core/words/events';
import { native } from '../../../src/protocols/native/native';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore, type StoredSession } from '../../../src/sessions/session-store';
import { ParleyWindow, until } from '../../e2e/parley-window';
import { FakeEndpoint, streamParts, type EndpointReply } from '../servers/fake-endpoint';
import { refusals, sentMessages } from '../servers/endpoint-rules';
import { processTree } from './process-list';
import { letTimePass } from '../turns';
import { eventually } from '../eventually';

const TITLE = 'the long run';
const OTHER = 'the other session';
/** A VS Code window whose extension host is killed (SIGKILL) in the middle of runs that write files. */
export class ExtensionHostKiller {
  private written = 0;

  private constructor(
    private readonly seed: number,
    private readonly endpoint: FakeEndpoint,
    private readonly window: ParleyWindow,
  ) {}

  /** The caller closes it. */
  static async open(seed: number): Promise<ExtensionHostKiller> {
    const endpoint = await FakeEndpoint.start();
    try {
      const window = await ParleyWindow.open({
        files: { 'notes.txt': 'a plum\n' },
        viewport: { width: 1280, height: 1400 },
        settings: {
          'parley.model': 'local',
          'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
          'parley.toolCalling.requireConfirmation': false,
        },
      });
      return new ExtensionHostKiller(seed, endpoint, window);
    } catch (error) {
      await endpoint.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.window.close();
    await this.endpoint.stop();
  }

  async killHosts(rounds: number): Promise<void> {
    const moments = fc.sample(fc.noBias(fc.integer({ min: 200, max: 2000 })), {
      numRuns: rounds,
      seed: this.seed,
    });
    try {
      await this.window.send(OTHER);
      await this.window.idle();
      const other = this.files();
      await this.window.startNew();
      for (const [round, after] of moments.entries()) {
        await this.killOne(round, after);
        for (const [name, bytes] of other) assert.ok(this.files().get(name)?.equals(bytes), name);
      }
      await this.goOn(rounds);
    } catch (error) {
      throw new Error(`Seed ${this.seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }

  private async killOne(round: number, after: number): Promise<void> {
    this.endpoint.reset();
    this.endpoint.next(...Array.from({ length: 200 }, () => this.reply()));
    const text = round === 0 ? TITLE : `message ${round}`;
    const before = this.written;
    await this.window.send(text);
    // Every second run is killed between replies, however slow the machine is; the others possibly before the first.
    if (round % 2 === 1) await until(async () => String(this.written - before >= 2), /true/);
    await letTimePass(after);
    const shown = markersIn(await this.window.log.innerText());
    // A streamed piece waits a moment before it is written.
    await eventually(async () => {
      const written = new Set(markersIn(textIn((await this.stored()).events)));
      for (const marker of shown) assert.ok(written.has(marker), `${marker} was shown`);
    });
    const last = markersIn(await this.window.log.innerText());
    this.kill();
    const { events, damaged } = await this.stored();
    assert.equal(damaged, 0);
    const told = new Set(markersIn(textIn(events)));
    for (const marker of shown) assert.ok(told.has(marker), `${marker} was shown`);
    // If another reply followed, all pieces of the first are written.
    const latest = Math.max(...last.map(replyOf), 0);
    for (const marker of last.filter((each) => replyOf(each) < latest)) {
      assert.ok(told.has(marker), `${marker} was shown`);
    }
    this.checkActed(events);
    await this.window.reload();
    await until(() => this.window.log.innerText(), /Stopped/);
    assert.ok(events.some((event) => event.type === 'run-start' && event.text === text));
    // Older entries are not drawn, but counted.
    const entries = this.window.log.locator('[aria-setsize]').last();
    const stored = events.reduce(foldTranscript, emptyTranscript).entries.length;
    assert.ok(Number(await entries.getAttribute('aria-setsize')) >= stored);
    await this.seeFirst();
    await this.window.idle();
    this.checkRequests();
  }

  /** Scrolls up like a reader until the first message is drawn: heights above become known on the way. */
  private async seeFirst(): Promise<void> {
    const first = this.window.log.getByText(TITLE, { exact: true });
    await until(async () => {
      await this.window.log.evaluate((log) => (log.scrollTop = 0));
      return String(await first.isVisible());
    }, /true/);
  }

  private async goOn(rounds: number): Promise<void> {
    this.endpoint.reset();
    await this.window.send('and now end it');
    await this.window.idle();
    assert.ok(this.endpoint.requests.length > 0);
    this.checkRequests();
    const said = JSON.stringify(this.endpoint.requests[0]?.body.messages);
    for (const text of [TITLE, 'and now end it']) assert.ok(said.includes(text), text);
    for (let round = 1; round < rounds; round++) assert.ok(said.includes(`message ${round}`));
    const { events } = await this.stored();
    assert.deepEqual(events.at(-1), { type: 'run-end', outcome: { type: 'done' } });
  }

  /** Kills every extension host of this server, like the kernel when memory runs out. */
  private kill(): void {
    const hosts = processTree(this.window.workbench.server.pid).filter(({ command }) =>
      command.includes('--type=extensionHost'),
    );
    assert.ok(hosts.length > 0, 'There is no extension host.');
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
  }

  /** Words with unique numbers, and a call that writes a file. */
  private reply(): EndpointReply {
    return (response, promptTokens) => {
      const number = ++this.written;
      const words = Array.from({ length: 150 }, (_, word) => `r${number}w${word}`).join(' ');
      const args = { path: `note-${number}.txt`, content: `${number}\n` };
      return streamParts(native, [
        { type: 'text', text: `${words}\n` },
        { type: 'call', call: { id: `k${number}`, name: 'write_file', arguments: args } },
      ])(response, promptTokens);
    };
  }

  /** Checks that every file in the workspace belongs to a call that had started. */
  private checkActed(events: readonly AgentEvent[]): void {
    const started = new Set(events.flatMap((event) => (event.type === 'tool-start' ? [event.callId] : [])));
    const paths = events.flatMap((event) =>
      event.type === 'call-end' && started.has(event.call.id) ? [event.call.arguments['path']] : [],
    );
    const names = readdirSync(this.window.folder).filter((name) => /^note-\d+\.txt$/.test(name));
    for (const name of names) assert.ok(paths.includes(name), `${name} has no call`);
    const turns = turnsOf(events.reduce(foldTranscript, emptyTranscript));
    const next = { type: 'user', text: 'go on' } as const;
    const { messages } = native.request({ instructions: 'x', tools: [], turns: [...turns, next] });
    assert.deepEqual(refusals(messages), []);
  }

  /** A kill may happen before the first request. */
  private checkRequests(): void {
    for (const { body } of this.endpoint.requests) assert.deepEqual(refusals(sentMessages(body)), []);
  }

  private async stored(): Promise<StoredSession> {
    const store = new SessionStore(new NodeSessionFolder(this.sessions()));
    const found = (await store.list()).filter(({ title }) => title === TITLE);
    assert.equal(found.length, 1, `${found.length} sessions "${TITLE}"`);
    const stored = await store.load(found[0]?.id ?? '');
    assert.ok(stored);
    return stored;
  }

  private files(): ReadonlyMap<string, Buffer> {
    const folder = this.sessions();
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
  }

  /** Returns the folder with the session files of the only open workspace. */
  private sessions(): string {
    const { data } = this.window.workbench.server;
    const found = readdirSync(data, { recursive: true, encoding: 'utf8' }).find((name) =>
      /parley\.parley[\\/]sessions[\\/][0-9a-f]+$/.test(name),
    );
    assert.ok(found !== undefined, 'No session was written.');
    return path.join(data, found);
  }
}

function markersIn(text: string): string[] {
  // The last word may have been shown only in part.
  return [...text.matchAll(/r\d+w\d+(?=\s)/g)].map(([marker]) => marker);
}

function replyOf(marker: string): number {
  return Number(/^r(\d+)/.exec(marker)?.[1]);
}

function textIn(events: readonly AgentEvent[]): string {
  return `${events.map((event) => (event.type === 'text' ? event.text : '')).join('')} `;
}
