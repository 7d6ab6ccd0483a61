import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import fc from 'fast-check';
import { foldTranscript } from '../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../src/core/transcript/history';
import { emptyTranscript } from '../../../src/core/transcript/transcript';
import { appendEvent, type AgentEvent } from '../../../src/core/words/events';
import type { SessionFolder } from '../../../src/sessions/folder';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { headerLine } from '../../../src/sessions/record';
import { endRuns, SessionStore, type StoredSession } from '../../../src/sessions/session-store';
import {
  SessionWriter,
  type SessionStart,
  type SessionWriterOptions,
} from '../../../src/sessions/session-writer';
import { everyEvent } from '../../support/agent/every-event';
import { posix } from '../../support/platform';

const start: AgentEvent = { type: 'run-start', text: '\n  First line\nand more', time: 1000 };
const done: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };
const text = (words: string): AgentEvent => ({ type: 'text', text: words });
const message = (words: string): AgentEvent => ({ type: 'run-start', text: words, time: 1 });

describe('session store', () => {
  let top: string;
  let place: string;
  let folder: SessionFolder;
  let store: SessionStore;
  /** The files that writers have made, in order. */
  let ids: string[];
  let errors: unknown[];
  beforeEach(() => {
    top = mkdtempSync(path.join(tmpdir(), 'parley-sessions-'));
    place = path.join(top, 'sessions', 'w');
    folder = new NodeSessionFolder(place);
    store = new SessionStore(folder);
    ids = [];
    errors = [];
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  function writer(from?: SessionStart, options: Partial<SessionWriterOptions> = {}): SessionWriter {
    return new SessionWriter(folder, from, {
      workspace: 'file:///w',
      redact: (each) => each,
      onFile: (id) => ids.push(id),
      onError: (error) => errors.push(error),
      ...options,
    });
  }

  /** The id of the session that holds these. */
  function write(
    events: readonly AgentEvent[],
    from?: SessionStart,
    options?: Partial<SessionWriterOptions>,
  ): string {
    const one = writer(from, options);
    for (const event of events) one.add(event);
    one.close();
    return ids.at(-1) ?? '';
  }

  async function load(id: string): Promise<StoredSession> {
    const session = await store.load(id);
    assert.ok(session);
    return session;
  }

  function records(id: string): string[] {
    return readFileSync(path.join(place, `${id}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n');
  }

  it('returns any sequence of events', async () => {
    const any = fc.array(
      fc.oneof(
        fc.constantFrom(...everyEvent),
        fc.string({ unit: 'binary' }).map(text),
        fc.string().map((words): AgentEvent => ({ type: 'reasoning', text: words })),
        fc.json().map((json): AgentEvent => ({ type: 'tool-output', callId: 'c1', text: json })),
      ),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 100, max: 3000 }), async (events, limit) => {
        const id = write(events, undefined, { limits: { record: limit, file: 2 * limit } });
        const joined: AgentEvent[] = [];
        for (const event of events) appendEvent(joined, event);
        const session = await load(id);
        assert.deepEqual(session.events, endRuns(joined));
        assert.equal(session.damaged, 0);
      }),
      { numRuns: 60 },
    );
    assert.deepEqual(errors, []);
  });

  it('joins pieces of a text to one record', () => {
    const id = write([start, ...Array.from({ length: 500 }, () => text('word ')), done]);
    assert.equal(records(id).length, 4);
  });

  it('writes what a flush finds waiting', async () => {
    const one = writer();
    one.add(start);
    one.add(text('half a sen'));
    one.flush();
    assert.deepEqual((await load(ids[0] ?? '')).events.slice(0, 2), [start, text('half a sen')]);
    one.close();
  });

  posix.it('G21.private: files are 0600 in a folder that is 0700', () => {
    write([start, text('x'.repeat(300)), done], undefined, { limits: { record: 200, file: 10_000 } });
    assert.equal(readdirSync(place).length, 2);
    for (const name of readdirSync(place)) assert.equal(statSync(path.join(place, name)).mode & 0o777, 0o600);
    assert.equal(statSync(place).mode & 0o777, 0o700);
    assert.equal(statSync(path.dirname(place)).mode & 0o777, 0o700);
  });

  it('keeps a long record in a separate file, and a long session in several', async () => {
    const long = text('long '.repeat(100));
    const id = write([start, long, done, start, long, done], undefined, {
      limits: { record: 300, file: 600 },
    });
    const names = readdirSync(place);
    assert.ok(names.filter((name) => name.endsWith('.jsonl')).length > 1);
    assert.ok(names.some((name) => name.endsWith('.blob')));
    for (const name of names.filter((each) => each.endsWith('.jsonl')))
      for (const line of readFileSync(path.join(place, name), 'utf8').split('\n'))
        assert.ok(line.length <= 300);
    assert.deepEqual((await load(id)).events, [start, long, done, start, long, done]);
    assert.deepEqual(
      (await store.list()).map((each) => each.id),
      [id],
    );
  });

  it('G19.canary: no key is written, in whatever part of an event', () => {
    const redact = (each: string): string => each.replaceAll('canary', '[key]');
    const id = write(
      [
        message('canary in the title'),
        {
          type: 'call-end',
          index: 0,
          call: {
            ...{ id: 'c1', name: 'x', start: 0, end: 1, notes: [], mark: 'clean' },
            arguments: { canary: ['canary'] },
          },
        },
        text('my can'),
        text('ary'),
        done,
      ],
      undefined,
      { redact, limits: { record: 150, file: 100_000 } },
    );
    const written = readdirSync(place).map((name) => readFileSync(path.join(place, name), 'utf8'));
    assert.ok(written.length > 1);
    assert.ok(written.join('').includes('[key]'));
    assert.equal(written.join('').includes('canary'), false);
    assert.ok(records(id)[0]?.includes('"title":"[key] in the title"'));
  });

  it('G19.pieces: no key is written that streams in pieces, however slowly', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const one = writer(undefined, { redact: (each) => each.replaceAll('canary', '[key]') });
    const inner = (words: string): AgentEvent => ({ type: 'sub-agent', callId: 'c', event: text(words) });
    try {
      one.add(start);
      for (const event of [text('my cana'), text('ry is'), inner('the ca'), inner('nary')]) {
        one.add(event);
        // Longer than a piece waits for the next one.
        mock.timers.tick(250);
      }
      one.close();
    } finally {
      mock.timers.reset();
    }
    const stored = await store.load(ids.at(-1) ?? '');
    const joined: AgentEvent[] = [];
    for (const event of stored?.events ?? []) appendEvent(joined, event);
    assert.deepEqual(joined.slice(1, 3), [text('my [key] is'), inner('the [key]')]);
  });

  it('G19.thoughts: signed thoughts with a key in them are not kept, others are whole', async () => {
    const one = writer(undefined, { redact: (each) => each.replaceAll('canary', '[key]') });
    const ended = (words: string): AgentEvent => {
      const fields = { thinking_blocks: [{ type: 'thinking', thinking: words, signature: 's' }] };
      return {
        type: 'reply-end',
        reason: 'stop',
        raw: '',
        carried: { origin: 'https://a.example', model: 'm', fields },
      };
    };
    for (const event of [start, ended('my canary'), ended('none')]) one.add(event);
    one.close();
    const stored = await store.load(ids.at(-1) ?? '');
    assert.deepEqual(stored?.events.slice(1, 3), [
      { type: 'reply-end', reason: 'stop', raw: '' },
      ended('none'),
    ]);
  });

  it('names a session by the first line that says something', async () => {
    write([start, done]);
    const [session] = await store.list();
    assert.equal(session?.title, 'First line');
    assert.equal(session.created, 1000);
    assert.equal(session.workspace, 'file:///w');
  });

  it('renames a session, whether it is being written or not', async () => {
    const one = writer();
    one.add(start);
    one.rename('Other');
    one.add(done);
    one.close();
    const session = await load(ids.at(-1) ?? '');
    assert.deepEqual(
      (await store.list()).map(({ id, title, created }) => ({ id, title, created })),
      [{ id: ids.at(-1), title: 'Other', created: 1000 }],
    );
    assert.deepEqual(session.events, [start, done]);
    const two = writer(session.start);
    two.rename('Third\nline');
    two.close();
    assert.deepEqual(
      (await store.list()).map(({ id, title }) => ({ id, title })),
      [{ id: ids.at(-1), title: 'Third' }],
    );
    assert.deepEqual((await load(ids.at(-1) ?? '')).events, [start, done]);
  });

  it('continues a session in another file and leaves the first one unchanged', async () => {
    const first = write([start, done]);
    const before = readFileSync(path.join(place, `${first}.jsonl`));
    const second = write([message('more'), done], (await load(first)).start);
    assert.deepEqual(readFileSync(path.join(place, `${first}.jsonl`)), before);
    assert.deepEqual((await load(second)).events, [start, done, message('more'), done]);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [second],
    );
  });

  it('G34.two-windows: a session that goes on twice becomes two, each whole', async () => {
    const here = writer();
    here.add(start);
    here.add(done);
    const shared = ids[0] ?? '';
    const there = writer((await load(shared)).start);
    there.add(message('there'));
    there.add(done);
    here.add(message('here'));
    here.add(done);
    here.close();
    there.close();
    const sessions = await Promise.all((await store.list()).map(({ id }) => load(id)));
    assert.deepEqual(
      sessions
        .map(({ events }) => events.slice(2, 3))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      [[message('here')], [message('there')]],
    );
    for (const { events } of sessions) assert.deepEqual(events.slice(0, 2), [start, done]);

    await store.remove(shared);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [ids[1]],
    );
    assert.deepEqual((await load(ids[1] ?? '')).events, [start, done, message('there'), done]);
    await store.remove(ids[1] ?? '');
    assert.deepEqual(readdirSync(place), []);
  });

  it('keeps one entry of a session that gets another title while it goes on in another window', async () => {
    const here = writer();
    here.add(start);
    here.add(done);
    const there = writer((await load(ids[0] ?? '')).start);
    there.rename('Other');
    there.close();
    here.add(message('more'));
    here.add(done);
    const titles = async (): Promise<string[]> =>
      (await store.list()).map(({ id, title }) => `${id} ${title}`);
    assert.deepEqual(await titles(), [`${ids[0]} Other`]);
    assert.deepEqual((await load(ids[0] ?? '')).events, [start, done, message('more'), done]);
    // A window that continues it keeps the title, and a window that has it open may rename it.
    const next = write([message('and more'), done], (await load(ids[0] ?? '')).start);
    assert.deepEqual(await titles(), [`${next} Other`]);
    const renamed = writer((await load(next)).start);
    renamed.rename('Third');
    renamed.close();
    assert.deepEqual(await titles(), [`${ids.at(-1)} Third`]);
    assert.deepEqual((await store.list())[0]?.files, [ids.at(-1), next, ids[0]]);
    here.close();
    await store.remove(ids.at(-1) ?? '');
    assert.deepEqual(readdirSync(place), []);
  });

  it('removes all files of a session and no file of another', async () => {
    const limits = { record: 200, file: 400 };
    const other = write([start, text('y'.repeat(300)), done], undefined, { limits });
    const kept = readdirSync(place);
    const id = write([start, text('x'.repeat(300)), done, start, done], undefined, { limits });
    await store.remove(id);
    assert.deepEqual(readdirSync(place).sort(), kept.sort());
    assert.equal((await load(other)).damaged, 0);
  });

  it('G27.torn: a torn record is ignored, also by what goes on after it', async () => {
    const first = write([start, done]);
    appendFileSync(path.join(place, `${first}.jsonl`), '{"sum":"0123456789abcdef","event":{"type":"te');
    const session = await load(first);
    assert.equal(session.damaged, 0);
    const second = write([message('more'), done], session.start);
    assert.deepEqual((await load(second)).events, [start, done, message('more'), done]);
    assert.equal((await store.list()).length, 1);
  });

  it('G27.aside: an unreadable file is set aside, and one of a later version is left alone', async () => {
    const id = write([start, done]);
    writeFileSync(path.join(place, 'bad.jsonl'), 'no header\nmore\n');
    writeFileSync(path.join(place, 'torn.jsonl'), '{"sum":"012');
    const later = headerLine({ version: 2, id: 'later', workspace: '', title: 'New', created: 1 });
    writeFileSync(path.join(place, 'later.jsonl'), later);
    assert.deepEqual(
      (await store.list()).map((each) => each.id),
      [id],
    );
    assert.deepEqual(
      readdirSync(place).sort(),
      ['bad.jsonl.unreadable', `${id}.jsonl`, 'later.jsonl', 'torn.jsonl'].sort(),
    );
    assert.equal(readFileSync(path.join(place, 'bad.jsonl.unreadable'), 'utf8'), 'no header\nmore\n');
    assert.equal(await store.load('later'), undefined);
  });

  it('shows the rest if a file or a blob is gone, and says so', async () => {
    const limits = { record: 300, file: 100_000 };
    const first = write([start, text('x'.repeat(500)), done], undefined, { limits });
    const second = write([message('more'), done], (await load(first)).start);
    const blob = readdirSync(place).find((name) => name.endsWith('.blob')) ?? '';
    rmSync(path.join(place, blob));
    const halved = await load(second);
    assert.equal(halved.damaged, 1);
    assert.deepEqual(halved.events, [start, done, message('more'), done]);
    rmSync(path.join(place, `${first}.jsonl`));
    const rest = await load(second);
    assert.equal(rest.damaged, 1);
    assert.deepEqual(rest.events, [message('more'), done]);
  });

  it('knows no session that leads out of the folder', async () => {
    writeFileSync(
      path.join(top, 'x.jsonl'),
      headerLine({ version: 1, id: 'x', workspace: '', title: '', created: 1 }),
    );
    assert.equal(await store.load('../../x'), undefined);
    assert.deepEqual(await store.list(), []);
  });

  it('G29.interrupted: every call of a run that was killed has one result', async () => {
    for (let length = 1; length < everyEvent.length; length++) {
      const { events } = await load(write(everyEvent.slice(0, length)));
      const transcript = events.reduce(foldTranscript, emptyTranscript);
      assert.equal(transcript.running, false);
      const turns = turnsOf(transcript);
      const calls = turns.flatMap((turn) =>
        turn.type === 'reply' ? turn.parts.filter(({ type }) => type === 'call' || type === 'malformed') : [],
      );
      const results = turns.flatMap((turn) => (turn.type === 'results' ? turn.results : []));
      assert.equal(results.length, calls.length);
    }
    const started = everyEvent.findIndex(({ type }) => type === 'tool-start') + 1;
    const { events } = await load(write(everyEvent.slice(0, started)));
    const turns = turnsOf(events.reduce(foldTranscript, emptyTranscript));
    assert.deepEqual(
      turns.flatMap((turn) => (turn.type === 'results' ? turn.results.map(({ result }) => result) : [])),
      ['Interrupted, effect unknown.', 'Not executed: the run ended before this call.'],
    );
  });

  it('ends a run whose end was lost before the next one', () => {
    const aborted: AgentEvent = { type: 'run-end', outcome: { type: 'aborted' } };
    assert.deepEqual(endRuns([start, start, done]), [start, aborted, start, done]);
    assert.deepEqual(endRuns([start, done]), [start, done]);
    assert.deepEqual(endRuns([start]), [start, aborted]);
  });

  it('reports once that it cannot write, and continues without', () => {
    const full = new Error('ENOSPC: no space left on device');
    let left = 3;
    const folderThatFills: SessionFolder = Object.assign(Object.create(folder) as SessionFolder, {
      create: (name: string) => {
        const file = folder.create(name);
        return Object.assign(Object.create(file) as typeof file, {
          append: (bytes: Uint8Array) => {
            if (left-- === 0) throw full;
            file.append(bytes);
          },
          sync: () => undefined,
          close: () => file.close(),
        });
      },
    });
    const one = new SessionWriter(folderThatFills, undefined, {
      workspace: '',
      redact: (each) => each,
      onFile: (id) => ids.push(id),
      onError: (error) => errors.push(error),
    });
    for (const event of [start, done, start, done, start]) one.add(event);
    one.close();
    assert.deepEqual(errors, [full]);
    assert.equal(records(ids[0] ?? '').length, 3);
  });
});
