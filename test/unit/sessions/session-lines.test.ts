import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { redact } from '../../../src/base/redact';
import type { AgentEvent } from '../../../src/core/words/events';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { endRuns, SessionStore } from '../../../src/sessions/session-store';
import { sessionLines, sessionText } from '../../../src/sessions/session-text';
import { canaryKey, canaryIn } from '../../support/workspace/canary-key';
import { everyEvent } from '../../support/agent/every-event';

const header = {
  ...{ version: 1, id: 'f1', workspace: 'file:///w', title: `Täst ${canaryKey}`, created: 5 },
  continues: { file: 'f0', length: 900 },
};
const asIs = (text: string): string => text;
const withoutKeys = (text: string): string => redact(text, [canaryKey]);

/** The key in every text of a session. */
const leaky: readonly AgentEvent[] = [
  { type: 'run-start', text: `my key is ${canaryKey}`, time: 1 },
  { type: 'round-start', round: 1, maxRounds: 50, protocol: 'native', model: 'm' },
  { type: 'text', text: `It is ${canaryKey}, or sk-${'x'.repeat(20)}` },
  {
    type: 'call-end',
    index: 0,
    call: {
      ...{ id: 'c1', name: 'run_shell_command', start: 0, end: 9, notes: [], mark: 'clean' },
      arguments: {
        command: `echo ${Buffer.from(`k:${canaryKey}`).toString('base64')}`,
        [canaryKey]: [canaryKey],
      },
    },
  },
  { type: 'reply-end', reason: 'tool-calls', raw: encodeURIComponent(canaryKey) },
  {
    type: 'tool-end',
    callId: 'c1',
    result: { requestId: 'c1', toolName: 'x', status: 'error', result: canaryKey, durationMs: 1 },
  },
  { type: 'run-end', outcome: { type: 'failed', message: canaryKey } },
];

describe('an exported session', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-export-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has its headings and reasons in the language of its reader, and everything else unchanged', () => {
    const text = sessionText({ header, events: leaky }, (english) => `<${english}>`);
    for (const piece of ['## <You>', '<Began> ', `: <error>`, `<${canaryKey}>`, `my key is ${canaryKey}`])
      assert.ok(text.includes(piece), piece);
    assert.ok(!text.includes(`<my key`));
  });

  /** Under a name of the user's choice. */
  function save(text: string): SessionStore {
    writeFileSync(path.join(folder, 'my export.jsonl'), text);
    return new SessionStore(new NodeSessionFolder(folder));
  }

  it('is a session file with every event of its parts', async () => {
    const text = sessionLines({ header, events: everyEvent }, asIs);
    assert.equal(text.trimEnd().split('\n').length, everyEvent.length + 1);
    const stored = await save(text).load('my export');
    assert.deepEqual(stored?.events, endRuns(everyEvent));
    assert.equal(stored.damaged, 0);
    assert.equal(stored.header.title, header.title);
  });

  it('can be read when something was taken out of it by hand', async () => {
    const text = sessionLines({ header, events: leaky }, asIs).replaceAll(canaryKey, '***');
    const cut = text.split('\n').filter((line) => !line.includes('"tool-end"'));
    const stored = await save(cut.join('\n')).load('my export');
    assert.equal(stored?.damaged, 0);
    assert.equal(stored.events.length, leaky.length - 1);
    assert.deepEqual(stored.events[0], { type: 'run-start', text: 'my key is ***', time: 1 });
  });

  it('marks the part that the user abandoned, and continues with what they said instead', () => {
    const run = (text: string): AgentEvent[] => [
      { type: 'run-start', text, time: 0 },
      { type: 'run-end', outcome: { type: 'done' } },
    ];
    const events = [...run('one'), ...run('two'), { type: 'rewind', entry: 0 } as const, ...run('three')];
    const [, said = ''] = sessionText({ header, events }).split(/^Began.*$/m);
    assert.equal(
      said.trim(),
      [
        '(The conversation was rewound to before the next message; this was left out:)',
        '> ## You\n> \n> one\n> \n> ## You\n> \n> two',
        '## You',
        'three',
      ].join('\n\n'),
    );
  });

  it('G19.export: has no key, in whatever form', () => {
    const session = { header, events: leaky };
    for (const text of [sessionLines(session, withoutKeys), withoutKeys(sessionText(session))]) {
      assert.equal(canaryIn(text), undefined);
      assert.doesNotMatch(text, /sk-x/);
      assert.ok(text.split('[key]').length > 5);
    }
  });
});
