import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RenderedPart } from '../../src/core/words/protocol';
import { native } from '../../src/protocols/native/native';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

/** Denies calls on `kept.txt`, and asks about calls on `notes.txt`. */
const HOOK = `
let text = '';
process.stdin.on('data', (piece) => (text += piece)).on('end', () => {
  const { path } = JSON.parse(text).arguments;
  if (path === 'kept.txt') console.log(JSON.stringify({ decision: 'deny', reason: 'it is to be kept' }));
  if (path === 'notes.txt') console.log(JSON.stringify({ decision: 'ask', reason: 'notes are private' }));
});
`;

describe('agents and hooks', () => {
  const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hook-')));
  const hook = path.join(outside, 'hook.cjs');
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    writeFileSync(hook, HOOK);
    for (const name of ['one', 'two', 'three'])
      writeFileSync(path.join(outside, `${name}.txt`), `text of ${name}`);
    endpoint = await FakeEndpoint.start();
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl, protocol: 'native' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'apples\n', 'kept.txt': 'pears\n', 'other.txt': 'plums\n' },
      viewport: { width: 1280, height: 900 },
      settings: {
        'parley.model': 'large',
        'parley.models': [
          { ...profile, id: 'large', model: 'large-model' },
          { ...profile, id: 'small', model: 'small-model' },
        ],
        'parley.agents': [{ id: 'quick', name: 'Quick', model: 'small' }],
        'parley.toolCalling.toolsOnDemand': 'off',
        'parley.hooks': { beforeCall: [{ tools: 'read_*', command: [process.execPath, hook] }] },
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Agent', 'agent');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
    rmSync(outside, { recursive: true, force: true });
  });

  const call = (id: string, name: string, args: Record<string, unknown>): RenderedPart => ({
    type: 'call',
    call: { id, name, arguments: args as never },
  });

  it('makes a plan without changing anything, and the previous agent carries it out', async () => {
    const items = [{ text: 'Write pears.txt', status: 'pending' }];
    endpoint.next(
      streamParts(native, [call('p1', 'update_todos', { items })]),
      streamText('That is my plan.'),
    );
    await window.pick('Agent', 'plan');
    await window.send('write about pears');
    await window.button('Carry out').waitFor();
    const offered = endpoint.requests[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
    assert.ok(offered.includes('update_todos') && offered.includes('read_file'), offered.join(' '));
    assert.ok(!offered.includes('write_file'), offered.join(' '));

    endpoint.next(streamParts(native, [call('w1', 'write_file', { path: 'pears.txt', content: 'pears\n' })]));
    await window.button('Carry out').click();
    await window.call('write_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.equal(await window.read('pears.txt'), 'pears\n');
    await eventually(async () => assert.equal(await window.picked('Agent'), 'agent'));
    await eventually(async () => assert.equal(await window.button('Carry out').count(), 0));
  });

  it('uses the model of the picked agent', async () => {
    await window.pick('Agent', 'quick');
    await until(() => window.picked('Model'), /^small$/);
    await window.send('hello');
    await window.idle();
    await window.pick('Agent', 'agent');
    await window.send('hello again');
    await window.idle();
    const models = endpoint.requests.map(({ body }) => (body as unknown as { model: string }).model);
    assert.deepEqual(models, ['small-model', 'large-model']);
  });

  it('asks and denies as a hook of the user decides', async () => {
    endpoint.next(
      streamParts(native, [
        call('r1', 'read_file', { path: 'kept.txt' }),
        call('r2', 'read_file', { path: 'notes.txt' }),
        call('r3', 'read_file', { path: 'other.txt' }),
      ]),
    );
    await window.send('read all');
    const waiting = window.log.locator('.call-waiting');
    await waiting.getByText(/a hook says: notes are private/).waitFor();
    await waiting.getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    const results = JSON.stringify(endpoint.requests[1]?.body.messages);
    assert.match(results, /Not executed: a hook says: it is to be kept/);
    assert.match(results, /apples/);
    assert.match(results, /plums/);
    assert.doesNotMatch(results, /pears/);
  });

  it('answers several waiting reads together', async () => {
    const paths = ['one', 'two', 'three'].map((name) => path.join(outside, `${name}.txt`));
    endpoint.next(
      streamParts(
        native,
        paths.map((file, at) => call(`o${at}`, 'read_file', { path: file })),
      ),
    );
    await window.send('read what is outside');
    const together = window.button('Run all 3 reads');
    await until(async () => String(await together.isEnabled()), /true/);
    await together.click();
    await window.idle();
    const results = JSON.stringify(endpoint.requests[1]?.body.messages);
    for (const name of ['one', 'two', 'three']) assert.match(results, new RegExp(`text of ${name}`));
  });
});
