import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { findProtocol } from '../../src/protocols';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

describe('tools tree', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      files: { 'notes.txt': 'x' },
      // Rows out of view are not in the page.
      viewport: { width: 1280, height: 1400 },
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

  function checkbox(name: string): ReturnType<ParleyWindow['tool']> {
    return window.tool(name).getByRole('checkbox').first();
  }

  async function isChecked(name: string): Promise<string> {
    return String(
      (await checkbox(name).getAttribute('aria-checked')) ??
        (await window.tool(name).getAttribute('aria-checked')),
    );
  }

  it("writes a click into the workspace's settings and leaves the tool out of the next request", async () => {
    await until(() => isChecked('run_shell_command'), /true/);
    const all = Number(/of (\d+) on/.exec(await window.tool('shell').innerText())?.[1]);
    await window.switchTool('run_shell_command', 'off');
    const saved = await until(() => window.read('.vscode/settings.json'), /run_shell_command/);
    assert.deepEqual(JSON.parse(saved), { 'parley.toolCalling.toolToggles': { run_shell_command: false } });

    // The extension has noticed the change once its text in the tree shows it.
    await until(() => window.tool('shell').innerText(), new RegExp(`${all - 1} of ${all} on`));

    const native = findProtocol('native');
    assert.ok(native);
    endpoint.next(
      streamParts(native, [
        { type: 'call', call: { id: 'x', name: 'run_shell_command', arguments: { command: 'ls' } } },
      ]),
    );
    await window.pick('Protocol', 'native');
    await window.send('run something');
    await window.idle();
    const offered = endpoint.requests[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
    assert.ok(offered.includes('read_file'));
    assert.ok(!offered.includes('run_shell_command'));
    assert.match(
      JSON.stringify(endpoint.requests[1]?.body.messages),
      /run_shell_command\\?" is switched off/,
    );

    endpoint.reset();
    await window.pick('Protocol', 'vcp');
    await window.startNew();
    await window.send('hello');
    await window.idle();
    const prompt = endpoint.requests[0]?.body.messages[0]?.content ?? '';
    assert.match(prompt, /^read_file\(/m);
    assert.doesNotMatch(prompt, /^run_shell_command\b/m);
  });

  it('redraws when settings.json is edited by hand', async () => {
    const file = path.join(window.folder, '.vscode/settings.json');
    await writeFile(
      file,
      JSON.stringify({ 'parley.toolCalling.toolToggles': { shell: true, files: false, read_file: true } }),
    );
    await until(() => isChecked('run_shell_command'), /true/);
    await until(() => isChecked('write_file'), /false/);
    await until(() => isChecked('read_file'), /true/);
  });

  it('defines a tool always or on demand by the menu of its row, and sends it so', async () => {
    const row = (state: string): Locator =>
      window.workbench.page.getByRole('treeitem', { name: new RegExp(`^${state}, `) });
    await rm(path.join(window.folder, '.vscode/settings.json'), { force: true });
    await row('read_file, on').waitFor();
    const listed = row('read_folder, on demand');
    await until(() => listed.innerText(), /on demand · \d+ tokens · reads$/);
    await eventually(async () =>
      assert.match(
        (await listed.getAttribute('aria-label')) ?? '',
        /About \d+ tokens in every request, and \d+ tokens more after the model loads its definition$/,
      ),
    );
    const cost = await tokens();

    await menu('read_folder', 'Send Full Description');
    await until(() => row('read_folder, on').innerText(), /\d+ tokens · reads · set for the workspace$/);
    await eventually(async () => assert.ok((await tokens()) > cost));
    await menu('read_file', 'Send Name Only');
    await row('read_file, on demand').waitFor();
    assert.deepEqual(toggles(await window.read('.vscode/settings.json')), {
      read_folder: true,
      read_file: 'onDemand',
    });
    await window.pick('Protocol', 'native');
    await window.startNew();
    await window.send('hello');
    await window.idle();
    const described = endpoint.requests[0]?.body.tools ?? [];
    const names = described.map((tool) => tool.function.name);
    assert.ok(names.includes('read_folder'));
    assert.ok(!names.includes('read_file'));
    assert.match(JSON.stringify(described), /\\nread_file: /);

    await menu('files', 'Send Name Only');
    await until(() => window.tool('files').innerText(), /(\d+) of \1 on, on demand · /);
    assert.deepEqual(toggles(await window.read('.vscode/settings.json')), { files: 'onDemand' });
  });

  /** The tokens of all file tools in every request. */
  async function tokens(): Promise<number> {
    return Number(/ (\d+) tokens/.exec(await window.tool('files').innerText())?.[1]);
  }

  async function menu(row: string, command: string): Promise<void> {
    await window.tool(row).getByText(row, { exact: true }).click({ button: 'right' });
    await window.pickFromMenu(command);
  }

  function toggles(saved: string): unknown {
    // SAFETY: the settings of the test are one object.
    return (JSON.parse(saved) as Record<string, unknown>)['parley.toolCalling.toolToggles'];
  }

  it('turns all tools off and resets them', async () => {
    await window.chooseInTools('Disable All Tools');
    await until(() => isChecked('read_file'), /false/);
    await window.chooseInTools('Reset Tools to Default');
    await until(() => isChecked('read_file'), /true/);
    assert.doesNotMatch(await window.read('.vscode/settings.json'), /toolToggles/);
  });
});
