import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProtocol } from '../../src/protocols';
import { Endpoint, streamParts } from '../support/endpoint';
import { ParleyWindow, until } from './parley-window';

describe('tools tree', () => {
  let endpoint: Endpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await Endpoint.start();
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'x' },
      // Rows out of sight are not there.
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

    // The extension has heard of the change once its own words in the tree say so.
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
    assert.match(prompt, /tool_name: read_file/);
    assert.doesNotMatch(prompt, /tool_name: run_shell_command/);
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

  it('switches all tools off and back to the default', async () => {
    await window.workbench.runCommand('Parley: Disable All Tools');
    await until(() => isChecked('read_file'), /false/);
    await window.workbench.runCommand('Parley: Reset Tools to Default');
    await until(() => isChecked('read_file'), /true/);
    assert.doesNotMatch(await window.read('.vscode/settings.json'), /toolToggles/);
  });
});
