import assert from 'node:assert/strict';
import { native } from '../../src/protocols/native/native';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { sleepCommand, runningCommandLines } from '../support/processes/sleep-command';
import { ParleyWindow, until } from './parley-window';

describe('commands in the background', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
        'parley.toolCalling.toolsOnDemand': 'off',
      },
    });
    await window.pick('Protocol', 'native');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  it('have logs, and tell the model if there is none', async () => {
    const call = { id: 'r', name: 'read_output', arguments: { log_id: 'log-00000000' } };
    endpoint.next(streamParts(native, [{ type: 'call', call }]));
    await window.send('read it');
    await window.idle();
    assert.match(JSON.stringify(endpoint.requests[1]?.body.messages), /There is no log log-00000000/);
  });

  it('G13.window: outlive their run, and end with the session and with the window', async () => {
    await runInBackground();
    await window.startNew();
    await until(async () => String(runningCommandLines().length), /^0$/, 5000);
    await runInBackground();
    await window.workbench.page.goto('about:blank');
    await until(async () => String(runningCommandLines().length), /^0$/, 10_000);
  });

  async function runInBackground(): Promise<void> {
    const command = `(setsid ${sleepCommand} &); ${sleepCommand}`;
    const call = { id: 'b', name: 'run_shell_command', arguments: { command, background: true } };
    endpoint.next(streamParts(native, [{ type: 'call', call }]));
    await window.send('start it');
    await window.call('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.ok(runningCommandLines().length >= 2);
  }
});
