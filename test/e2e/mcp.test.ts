import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { findProtocol } from '../../src/protocols';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { hasProcessList, processTree } from '../support/processes/process-list';
import { eventually } from '../support/eventually';
import { clickInRow, ParleyWindow, until } from './parley-window';

const server = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');

describe('MCP servers', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      files: {
        'notes.txt': 'x',
        '.mcp.json': JSON.stringify({
          mcpServers: {
            everything: { command: 'node', args: [server, 'stdio'] },
            gone: { command: 'parley-no-such-program' },
            wrong: {},
          },
        }),
      },
      // Rows out of view are not in the page.
      viewport: { width: 1280, height: 2200 },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
      },
    });
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const row = (name = 'everything'): Locator =>
    window.workbench.page.getByRole('treeitem', { name: new RegExp(`^${name}, MCP server`) });
  const question = (): Locator =>
    window.workbench.page
      .locator('.quick-input-widget')
      .filter({ hasText: 'Start the MCP server everything' });
  const offered = (): string[] =>
    endpoint.requests.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? [];
  const running = (): readonly number[] =>
    processTree(process.pid).flatMap(({ command, pid }) => (command.includes(server) ? [pid] : []));
  const processes = (): number => (hasProcessList ? running().length : -1);
  const state = (wanted: RegExp): Promise<string> =>
    until(async () => (await row().getAttribute('aria-label')) ?? '', wanted, 30_000);

  const press = (name: string, shows: () => Promise<boolean>): Promise<void> =>
    clickInRow(row(), name, shows);

  function queue(protocol: string): void {
    const spoken = findProtocol(protocol);
    assert.ok(spoken);
    const call = {
      id: `m-${protocol}`,
      name: 'mcp_everything_echo',
      arguments: { message: `from ${protocol}` },
    };
    endpoint.next(streamParts(spoken, [{ type: 'call', call }]));
  }

  it('G22 wait for approval, and show in the tree what is wrong with others', async () => {
    await state(/needs your approval/);
    await until(() => row('gone').innerText(), /The program "parley-no-such-program" was not found/);
    await window.workbench.page
      .getByRole('treeitem', { name: /The server "wrong" cannot be used: "command" or "url" is missing/ })
      .waitFor();
    await window.send('hello');
    await window.idle();
    assert.ok(offered().includes('read_file'));
    assert.deepEqual(
      offered().filter((name) => name.startsWith('mcp_')),
      [],
    );
    assert.ok(processes() <= 0);
    await press('Review and Start MCP Server', () => question().isVisible());
    const shown = window.workbench.page.locator('.editor-instance .view-lines');
    await until(() => shown.first().innerText(), /"executable"[^]*server-everything/);
    await window.workbench.page.keyboard.press('ArrowDown');
    await window.workbench.page.keyboard.press('Enter');
    await question().waitFor({ state: 'hidden' });
    await eventually(async () =>
      assert.match((await row().getAttribute('aria-label')) ?? '', /needs your approval/),
    );
    await window.workbench.runCommand('Parley: MCP Servers…');
    const list = window.workbench.page.locator('.quick-input-widget');
    await list.getByRole('option', { name: /^everything, needs your approval/ }).click();
    await list.getByRole('option', { name: 'Review and Start…' }).click();
    await question().waitFor();
    await window.workbench.page.keyboard.press('Enter');
    await state(/running, .*on, /);
  });

  for (const protocol of ['native', 'vcp', 'xml']) {
    it(`are called over ${protocol}, each time after a question`, async () => {
      await window.startNew();
      await window.pick('Protocol', protocol);
      queue(protocol);
      await window.send('echo something');
      await window.call('mcp_everything_echo').getByRole('button', { name: 'Run', exact: true }).click();
      await window.idle();
      assert.match(
        JSON.stringify(endpoint.requests.at(-1)?.body.messages),
        new RegExp(`Echo: from ${protocol}`),
      );
    });
  }

  it('run unasked once the user has always allowed it, also in another session', async () => {
    await window.startNew();
    await window.pick('Protocol', 'native');
    queue('native');
    await window.send('echo');
    await window.call('mcp_everything_echo').getByRole('button', { name: 'Always allow' }).click();
    await window.idle();
    await window.startNew();
    queue('native');
    await window.send('echo again');
    await window.idle();
    assert.match(JSON.stringify(endpoint.requests.at(-1)?.body.messages), /Echo: from native/);
  });

  it('have prompts as commands, which ask for their arguments, and resources as mentions', async () => {
    await window.startNew();
    const box = window.page.getByRole('textbox', { name: 'Message', exact: true });
    const options = (list: string): Locator =>
      window.page.getByRole('listbox', { name: list }).getByRole('option');
    const { page } = window.workbench;
    const form = page.locator('.quick-input-widget').filter({ hasText: 'MCP server everything asks' });
    const press = async (): Promise<void> => {
      await box.press('Enter');
      await box.press('Enter');
    };
    await box.pressSequentially('/mcp.everything.arg');
    await options('Commands').filter({ hasText: '/mcp.everything.args-prompt' }).waitFor();
    await press();
    await form.getByText('A prompt with two arguments').waitFor();
    await page.keyboard.press('Escape');
    // Cancelling gives the message back.
    await until(() => box.inputValue(), /^\/mcp\.everything\.args-prompt$/);
    assert.equal(endpoint.requests.length, 0);
    await box.press('Enter');
    await form.getByText('A prompt with two arguments').waitFor();
    await page.keyboard.press('Enter');
    await form.getByText('Name of the city').waitFor();
    await page.keyboard.type('Rome');
    await page.keyboard.press('Enter');
    const last = (): string => endpoint.requests.at(-1)?.body.messages.at(-1)?.content ?? '';
    await until(
      async () => last(),
      /<attached name="\/mcp\.everything\.args-prompt">[^]*What's weather in Rome\?/,
    );
    await window.idle();
    await box.pressSequentially('see @mcp:archi');
    await options('Mentions').filter({ hasText: 'architecture.md' }).waitFor();
    await press();
    await until(
      async () => last(),
      /<attached name="everything: demo:\/\/resource\/static\/document\/architecture\.md">/,
    );
    const attached = window.page.getByRole('list', { name: 'Attached' }).last();
    await eventually(async () => assert.match(await attached.innerText(), /everything: demo:/));
  });

  it('are switched off and on in the tree', async () => {
    await row().click();
    await until(async () => {
      const isOpen = await row().getAttribute('aria-expanded');
      // The tree may be redrawn at the moment of the click.
      if (isOpen !== 'true') await window.workbench.page.keyboard.press('ArrowRight');
      return String(isOpen);
    }, /true/);
    await window.showTool('mcp_everything_echo');
    await window.switchTool('mcp_everything_echo', 'off');
    await until(() => window.read('.vscode/settings.json'), /"mcp_everything_echo": false/);
    await window.startNew();
    await window.send('hello');
    await window.idle();
    assert.ok(!offered().includes('mcp_everything_echo') && offered().includes('mcp_everything_get-sum'));
    await window.chooseInTools('Reset Tools to Default');
    await window.workbench.page.getByRole('checkbox', { name: 'mcp_everything_echo is on' }).waitFor();
  });

  it('restart, stop, and show their log and definition', async () => {
    if (hasProcessList) {
      const before = running();
      await press('Restart MCP Server', async () => !running().some((pid) => before.includes(pid)));
      await state(/running, /);
    }
    await press('Stop MCP Server', async () =>
      /stopped/.test((await row().getAttribute('aria-label')) ?? ''),
    );
    await until(async () => String(processes()), /^(?:0|-1)$/);
    const log = window.workbench.page.locator('.part.panel .view-lines');
    await press('Show MCP Server Log', () => log.first().isVisible());
    await until(
      async () => (await log.first().innerText()).replaceAll('\u00a0', ' '),
      /Starting default \(STDIO\)/,
    );
    await row().click({ button: 'right' });
    await window.pickFromMenu('Open MCP Configuration');
    await window.workbench.page.getByRole('tab', { name: /\.mcp\.json/ }).waitFor();
    // The editor knows the file, so the schema reports its problems, too.
    await window.workbench.page.locator('.squiggly-error').first().waitFor();
  });

  it('start automatically after a reload, and end with the window', async () => {
    await window.reload();
    await state(/running, /);
    assert.ok(processes() === -1 || processes() === 1);
  });
});
