import assert from 'node:assert/strict';
import { native } from '../../src/protocols/native/native';
import { eventually } from '../support/eventually';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { ParleyWindow, until } from './parley-window';

/** Prints a line, and runs until it is stopped. */
const COMMAND = 'echo plums are ready; read -r line < <(tail -f /dev/null)';

describe('background commands in the workbench', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      settings: {
        'parley.models': [
          { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', protocol: 'native' },
        ],
        'parley.model': 'local',
        'git.enabled': false,
      },
    });
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  it('are counted in the title of the chat, show their output, and stop with two clicks', async () => {
    const { page } = window.workbench;
    const call = { id: 'c', name: 'run_shell_command', arguments: { command: COMMAND, background: true } };
    endpoint.next(streamParts(native, [{ type: 'call', call }]));
    endpoint.next(streamText('It runs.'));
    await window.send('start it');
    await window.call('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    const title = page.locator('.part.sidebar');
    await until(() => title.innerText(), /1 in the background/i);

    const open = title.getByRole('button', { name: 'Background Commands…' }).first();
    const list = page.locator('.quick-input-widget');
    await open.click();
    const row = list.getByRole('option', { name: /plums are ready/ });
    await row.getByRole('button', { name: 'Show output' }).click();
    await until(() => page.locator('.editor-instance .view-lines').first().innerText(), /plums.are.ready/);

    await open.click();
    await row.getByRole('button', { name: 'Stop' }).click();
    await until(() => list.innerText(), /^(?![^]*plums are ready)/);
    await page.keyboard.press('Escape');
    await eventually(async () => assert.doesNotMatch(await title.innerText(), /in the background/i));
  });
});
