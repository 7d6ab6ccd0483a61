import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { hermes } from '../../src/protocols/tool-call/hermes';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { ParleyWindow, until } from './parley-window';

const TOOLS = [
  {
    type: 'function',
    function: { name: 'note', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
  },
];

describe('the gateway and models for other programs', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  before(async () => {
    endpoint = await FakeEndpoint.start();
    const { baseUrl } = endpoint;
    window = await ParleyWindow.open({
      viewport: { width: 1280, height: 900 },
      settings: {
        'parley.model': 'local',
        'parley.models': [
          { id: 'local', name: 'Local', provider: 'openai', baseUrl, model: 'm', protocol: 'hermes' },
        ],
      },
    });
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const quickInput = (): Locator => window.workbench.page.locator('.quick-input-widget');
  const row = (name: string): Locator => quickInput().getByRole('option').filter({ hasText: name }).first();
  const openGatewayTab = async (): Promise<Frame> => {
    await window.workbench.runCommand('Parley: Open Lab');
    const lab = await window.workbench.webview('main.lab');
    await lab.getByRole('tab', { name: 'Gateway' }).click();
    return lab;
  };
  const entry = (): Locator => window.workbench.page.getByRole('button', { name: /Gateway: Local/ });

  it('starts by a command, gives another program tools, and stops', async () => {
    await window.workbench.runCommand('Parley: Share This Model with Other Programs…');
    const said = await window.notified(/The gateway is running at http:\/\/127\.0\.0\.1:\d+\/v1/);
    const [address = ''] = /http:\S+\/v1/.exec(said) ?? [];
    await entry().waitFor();
    const page = window.workbench.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await entry().click();
    await window.notified(/Gateway token copied/);
    const token = await until(() => page.evaluate(() => navigator.clipboard.readText()), /^[\w-]{32}$/);
    const call = { id: 'k', name: 'note', arguments: { text: 'a plum' } };
    endpoint.next(streamParts(hermes, [{ type: 'call', call }]));
    const ask = (): Promise<Response> =>
      fetch(`${address}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Go.' }], tools: TOOLS }),
      });
    assert.match(await (await ask()).text(), /"name":"note","arguments":"\{\\"text\\":\\"a plum\\"\}"/);
    const lab = await openGatewayTab();
    const request = lab.getByRole('region', { name: 'Last requests' }).getByRole('listitem').first();
    await request.getByText(/1 call · .* in · .* out/).waitFor();
    await lab.getByText(`Programs on this machine can use Local at ${address}.`).waitFor();
    await request.getByRole('button', { name: 'Open in Parse' }).click();
    await until(() => lab.getByRole('textbox', { name: 'Reply' }).inputValue(), /<tool_call>[^]*a plum/);
    await lab.getByRole('tab', { name: 'Gateway' }).click();
    await lab.getByRole('button', { name: 'Stop Gateway' }).click();
    await lab.getByText('The gateway is off').waitFor();
    await entry().waitFor({ state: 'detached' });
    await assert.rejects(ask());
  });

  it('is stopped by a command, too', async () => {
    await window.workbench.runCommand('Parley: Share This Model with Other Programs…');
    await entry().waitFor();
    await window.workbench.runCommand('Parley: Stop Gateway');
    await entry().waitFor({ state: 'detached' });
  });

  it("offers a model to VS Code's chat by the button beside it", async () => {
    const press = async (name: string, says: RegExp): Promise<void> => {
      await window.workbench.runCommand('Parley: Select Model…');
      await row('Local').hover();
      await row('Local').getByRole('button', { name }).click();
      await window.notified(says);
    };
    await press("Offer to VS Code's chat", /Local is now offered to VS Code's chat/);
    await press("Stop offering to VS Code's chat", /Local is no longer offered/);
    await window.workbench.runCommand('Parley: Select Model…');
    await row('Local').hover();
    await row('Local').getByRole('button', { name: "Offer to VS Code's chat" }).waitFor();
  });
});
