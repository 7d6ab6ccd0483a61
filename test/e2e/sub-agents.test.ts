import assert from 'node:assert/strict';
import type { RenderedPart } from '../../src/core/protocol';
import { vcp } from '../../src/protocols/vcp';
import { Endpoint, streamForever, streamParts, type EndpointReply } from '../support/endpoint';
import { SLEEP, sleeping } from '../support/sleeping';
import { ParleyWindow, until } from './parley-window';

let calls = 0;
function call(name: string, values: Readonly<Record<string, string>>): RenderedPart {
  return { type: 'call', call: { id: `s${++calls}`, name, arguments: values } };
}

const say = (...parts: readonly RenderedPart[]): EndpointReply => streamParts(vcp, parts);

describe('sub-agents in the chat', () => {
  let endpoint: Endpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await Endpoint.start();
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum' },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
      },
    });
    await window.pick('Protocol', 'vcp');
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  /** What the request was sent for: the user's message or the task, which stands first behind the instructions. */
  const taskOf = (at: number): string => endpoint.requests[at]?.body.messages[1]?.content ?? '';

  it('does a task over a text protocol, and its answer goes back', async () => {
    endpoint.next(
      say(call('call_sub_agent', { task: 'What do the notes say?' })),
      say(call('read_file', { path: 'notes.txt' })),
      say({ type: 'text', text: 'They name a fruit.' }),
    );
    await window.send('look');
    await window.idle();
    assert.equal(taskOf(1), 'What do the notes say?');
    assert.match(JSON.stringify(endpoint.requests[2]?.body.messages), /a plum/);
    const last = JSON.stringify(endpoint.requests[3]?.body.messages);
    assert.match(last, /They name a fruit\./);
    assert.doesNotMatch(last, /a plum/);
    await window.call('call_sub_agent').getByText('2 requests, 1 calls').click();
    await window.call('call_sub_agent').getByRole('group', { name: 'Tool call read_file' }).waitFor();
    const log = await window.output('Parley: Show Tool Calls', /a plum[\s\S]*call_sub_agent/);
    assert.match(log, /unasked/);
  });

  it('ends with Stop: one that waits for its model, one inside another, and the command of that', async () => {
    let isClosed = false;
    endpoint.next(
      say(call('call_sub_agent', { task: 'outer', tools: '["call_sub_agent", "run_shell_command"]' })),
      say(call('call_sub_agent', { task: 'inner', tools: '["run_shell_command"]' })),
      say(call('run_shell_command', { command: `(setsid ${SLEEP} &); ${SLEEP}` })),
    );
    await window.send('go');
    // The agent may be given what acts only by the user, at each step down, and then asks for the command itself.
    for (const tool of ['call_sub_agent', 'call_sub_agent', 'run_shell_command']) {
      const run = window.call(tool).last().getByRole('button', { name: 'Run', exact: true }).last();
      await run.click();
    }
    await until(async () => String(sleeping().length), /^[1-9]/);
    assert.deepEqual([0, 1, 2].map(taskOf), ['go', 'outer', 'inner']);
    await window.button('Stop').click();
    await window.idle();
    await until(async () => String(sleeping().length), /^0$/, 6_000);
    assert.equal(endpoint.requests.length, 3);
    assert.equal(await window.log.getByText('Running', { exact: true }).count(), 0);

    await window.startNew();
    endpoint.reset();
    endpoint.next(
      say(call('call_sub_agent', { task: 'outer' })),
      streamForever('word ', () => (isClosed = true)),
    );
    await window.send('go');
    await window.call('call_sub_agent').getByText('word word').waitFor();
    await window.button('Stop').click();
    await window.idle();
    await until(async () => String(isClosed), /true/);
  });
});
