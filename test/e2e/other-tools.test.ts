import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { RenderedPart } from '../../src/core/words/protocol';
import { native } from '../../src/protocols/native/native';
import { repository } from '../hosts/repository';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

let calls = 0;
function call(name: string, values: Readonly<Record<string, string>>): RenderedPart {
  return { type: 'call', call: { id: `o${++calls}`, name, arguments: values } };
}

describe('tools of other extensions', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      viewport: { width: 1280, height: 1800 },
      files: { 'notes.txt': 'a plum\n' },
      settings: {
        'parley.model': 'local',
        'parley.models': [profile],
        'parley.agents': [{ id: 'hasty', name: 'Hasty', timeout: 1_000 }],
      },
      extensions: [repository, path.join(repository, 'test/fixtures/other-tools')],
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const offered = (): string[] =>
    endpoint.requests.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? [];
  const told = (): string => JSON.stringify(endpoint.requests.at(-1)?.body.messages);
  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }
  async function allow(tool: string): Promise<void> {
    await window.call(tool).getByRole('button', { name: 'Run', exact: true }).click();
  }

  it('are off until they are enabled in the tree', async () => {
    await ask('hi');
    assert.ok(!offered().includes('fixture_greet'));
    await window.showTool('fixture_greet');
    await window.switchTool('fixture_greet', 'on');
    await until(() => window.read('.vscode/settings.json'), /"fixture_greet": true/);
    await ask('hi again');
    assert.ok(offered().includes('fixture_greet'));
    assert.ok(!offered().includes('fixture_wait'));
  });

  it('ask every time, run, and report why they fail', async () => {
    endpoint.next(
      streamParts(native, [call('fixture_greet', { name: 'Ada' })]),
      streamParts(native, [call('fixture_greet', { name: 'nobody' })]),
    );
    await window.send('greet');
    await allow('fixture_greet');
    await window.call('fixture_greet').nth(1).getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.match(told(), /Hello Ada\\nand good day/);
    assert.match(told(), /fixture_greet failed: there is nobody\. Change the arguments/);
  });

  it('timeout: ends a call without a time limit', async () => {
    await window.showTool('fixture_wait');
    await window.switchTool('fixture_wait', 'on');
    await until(() => window.read('.vscode/settings.json'), /"fixture_wait": true/);
    await window.pick('Agent', 'hasty');
    endpoint.next(streamParts(native, [call('fixture_wait', {})]));
    await window.send('wait');
    await allow('fixture_wait');
    await window.idle();
    assert.match(told(), /Stopped after 1 s, effect unknown\. Ask for less at once, or raise/);
    await window.log.getByText('All done.').waitFor();
  });

  describe('can use Parley tools', () => {
    const workbench = (): Page => window.workbench.page;
    const dialog = (): Locator => workbench().getByRole('dialog').filter({ hasText: 'Another agent asks' });

    /** Acts like an agent of VS Code. */
    async function invoke(tool: string, input: object): Promise<void> {
      await window.workbench.runCommand('Other Tools: Call a Tool by Name');
      const widget = workbench().locator('.quick-input-widget').filter({ hasText: 'Tool and arguments' });
      const box = widget.locator('input').first();
      await box.fill(JSON.stringify([tool, input]));
      await box.press('Enter');
    }

    /** The result for the other agent. */
    const answer = (): Promise<string> => window.notified(/RESULT|ERROR/);

    it('without a question if the policy allows it', async () => {
      await invoke('parley_read_file', { path: 'notes.txt' });
      assert.match(await answer(), /RESULT a plum$/m);
      await invoke('parley_read_file', { path: 'missing.txt' });
      assert.match(await answer(), /ERROR .*No file at missing\.txt/s);
    });

    it('after a question that shows the whole command', async () => {
      await invoke('parley_run_shell_command', { command: 'echo made > made.txt && cat made.txt' });
      const detail = dialog().locator('.dialog-message-detail');
      const told = await until(() => detail.innerText(), /Parley asks because/);
      assert.match(told, /^echo made > made\.txt && cat made\.txt\n/);
      assert.match(told, /Runs 2 commands:/);
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      assert.match(await answer(), /ERROR .*Not executed: the user rejected this call/s);
      await assert.rejects(window.read('made.txt'));
      await invoke('parley_run_shell_command', { command: 'echo made > made.txt && cat made.txt' });
      await dialog().getByRole('button', { name: 'Run', exact: true }).click();
      assert.match(await answer(), /RESULT .*made/s);
      assert.equal(await window.read('made.txt'), 'made\n');
    });

    it('G11.dialog: refuses a command that is too long for a dialog', async () => {
      await invoke('parley_run_shell_command', { command: `echo ${'long '.repeat(500)}> long.txt` });
      assert.match(await answer(), /ERROR .*Not executed: it is too long to be shown whole in a dialog/s);
      await assert.rejects(window.read('long.txt'));
    });

    it('and change a file after its changes were shown', async () => {
      const before = await window.read('notes.txt');
      await invoke('parley_edit_file', { path: 'notes.txt', old: 'plum', new: 'pear' });
      await eventually(async () =>
        assert.equal(await dialog().getByRole('button', { name: 'Run', exact: true }).count(), 0),
      );
      await dialog().getByRole('button', { name: 'Show Changes' }).click();
      await workbench()
        .getByRole('tab', { name: /notes\.txt \(proposed by another agent\)/ })
        .waitFor();
      assert.equal(await window.read('notes.txt'), before);
      const question = workbench().locator('.quick-input-widget').filter({ hasText: 'Another agent asks' });
      await question.getByRole('option', { name: 'Run' }).click();
      assert.match(await answer(), /RESULT Edited notes\.txt: added 1 line, removed 1 line/s);
      assert.equal(await window.read('notes.txt'), before.replace('plum', 'pear'));
    });
  });
});
