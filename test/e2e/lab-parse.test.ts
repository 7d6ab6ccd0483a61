import { equal, match } from 'node:assert/strict';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { violations } from '../support/pages/accessibility';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const CALL = '<tool_call>\n{"name":"read_file","arguments":{"path":"notes.txt"}}\n</tool_call>';

describe('the Parse tab of the lab', () => {
  let window: ParleyWindow;
  let lab: Frame;

  const reply = (): Locator => lab.getByRole('textbox', { name: 'Reply', exact: true });
  const calls = (): Locator => lab.getByRole('list', { name: 'Parsed calls' }).getByRole('listitem');
  const status = (): Promise<string> =>
    lab.getByRole('region', { name: 'Parse result' }).getByRole('status').innerText();
  const pick = async (label: string): Promise<void> => {
    await window.workbench.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: label })
      .click();
  };

  before(async () => {
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'one\ntwo\n', 'recorded.txt': `From a file.\n${CALL}` },
      viewport: { width: 1280, height: 1400 },
    });
    await window.send('read notes.txt');
    await window.idle();
    await window.workbench.runCommand('Parley: Open Lab');
    lab = await window.workbench.webview('#tab-parse');
    await lab.getByRole('tab', { name: 'Parse', exact: true }).click();
  });
  after(() => window.close());

  it('shows the calls of a pasted reply, bound to the tools of the window', async () => {
    await reply().fill(`Let me look.\n${CALL}\n<tool_call>{"name":"no_tool","arguments":{}}</tool_call>`);
    await calls().first().waitFor();
    await eventually(async () => match(await calls().first().innerText(), /read_file[^]*notes\.txt/));
    match(
      await until(status, /calls 1\b/),
      /hermes: calls 1, malformed 1, warnings 0\. Same result in chunks of 1, 7\./,
    );
    const problems = lab.getByRole('list', { name: 'Errors and warnings' });
    await eventually(async () => match(await problems.innerText(), /There is no tool "no_tool"/));
    await lab.getByText('Tool descriptions for the model').click();
    await eventually(async () =>
      match(
        await lab.getByRole('group', { name: 'Tool descriptions for the model' }).innerText(),
        /run_shell_command/,
      ),
    );
  });

  it("says where a reply leaves the form of the window's tools", async () => {
    await reply().fill('<tool_call>\n{"name":"read_file","argument":{}}\n</tool_call>');
    await lab.getByText('The reply violates the form at line 2, column 30.').waitFor();
    await eventually(async () =>
      match(await lab.getByRole('list', { name: 'Allowed here' }).innerText(), /"arguments":/),
    );
    await eventually(async () =>
      match(await lab.getByRole('group', { name: 'Grammar (GBNF)' }).innerText(), /edit-file ::=/),
    );
  });

  it('loads a reply from the conversation, with its results', async () => {
    await lab.getByRole('button', { name: 'From the conversation…' }).click();
    await pick('read_file');
    await until(status, /calls 1, malformed 0/);
    await lab.getByText('Next message to the model').click();
    await until(() => lab.locator('.parse-result').innerText(), /results from the conversation[^]*\bone\b/);
  });

  it('saves a case, and opens it again', async () => {
    const { page } = window.workbench;
    const box = page.locator('.quick-input-widget:visible input[type="text"]').first();
    const pickFile = async (file: string): Promise<void> => {
      // The dialog fills in a path shortly after it opens.
      await until(() => box.inputValue(), /\/project\//);
      await box.fill(file);
      await page.keyboard.press('Enter');
    };
    await lab.getByRole('button', { name: 'Clear' }).click();
    await reply().fill(CALL);
    await until(status, /hermes: calls 1\b/);
    await lab.getByRole('button', { name: 'Save as case…' }).click();
    await box.fill('reads one call');
    await page.keyboard.press('Enter');
    const file = path.join(window.folder, 'own-case.yaml');
    await pickFile(file);
    await until(status, /Saved as own-case\.yaml/);
    match(
      await window.read('own-case.yaml'),
      /name: reads one call[^]*protocol: hermes[^]*expect: read_file/,
    );
    await reply().fill('');
    await lab.getByRole('button', { name: 'Open file…' }).click();
    await pickFile(file);
    await lab.getByText('Matches the case.').waitFor();
    await eventually(async () => equal(await reply().inputValue(), CALL));
  });

  it('passes all shipped cases', async () => {
    await lab.getByText('Hard cases').first().click();
    await lab.getByRole('button', { name: /^Run \d+ cases$/ }).click();
    const passed = await until(() => lab.locator('.case-buttons').innerText(), /\d+ of \d+ passed/);
    const [, some, all] = /(\d+) of (\d+) passed/.exec(passed) ?? [];
    equal(some, all);
  });

  it('has no accessibility problems', async () => {
    equal((await violations({ page: lab })).join('\n'), '');
  });
});
