import assert from 'node:assert/strict';
import { native } from '../../src/protocols/native';
import { Endpoint, streamParts } from '../support/endpoint';
import { SLEEP, sleeping } from '../support/sleeping';
import { ParleyWindow, until } from './parley-window';

describe('commands in the background', () => {
  let endpoint: Endpoint;

  before(async () => {
    endpoint = await Endpoint.start();
  });
  after(() => endpoint.stop());

  it('G13.window: outlive their run, and end with the session and with the window', async () => {
    const window = await open();
    try {
      await runInBackground(window);
      await window.startNew();
      await until(async () => String(sleeping().length), /^0$/, 5000);
      await runInBackground(window);
      await window.workbench.page.goto('about:blank');
      await until(async () => String(sleeping().length), /^0$/, 10_000);
    } finally {
      await window.close();
    }
    assert.deepEqual(sleeping(), []);
  });

  it('shows the model why a call failed, and goes on', async () => {
    const window = await open();
    try {
      const call = { id: 'r', name: 'read_output', arguments: { log_id: 'log-00000000' } };
      endpoint.reset();
      endpoint.next(streamParts(native, [{ type: 'call', call }]));
      await window.send('read it');
      await window.idle();
      assert.match(JSON.stringify(endpoint.requests[1]?.body.messages), /There is no log log-00000000/);
    } finally {
      await window.close();
    }
  });

  async function open(): Promise<ParleyWindow> {
    const window = await ParleyWindow.open({
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
      },
    });
    await window.pick('Protocol', 'native');
    return window;
  }

  async function runInBackground(window: ParleyWindow): Promise<void> {
    const command = `(setsid ${SLEEP} &); ${SLEEP}`;
    const call = { id: 'b', name: 'run_shell_command', arguments: { command, background: true } };
    endpoint.next(streamParts(native, [{ type: 'call', call }]));
    await window.send('start it');
    await window.call('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.ok(sleeping().length >= 2);
  }
});
