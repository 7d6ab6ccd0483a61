import { deepEqual, equal, match } from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { repository } from '../hosts/repository';
import { violations } from '../support/pages/accessibility';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const KEY = `sk-proj-${'a1B2'.repeat(10)}`;

describe('the lab', () => {
  let window: ParleyWindow;
  let lab: Frame;

  const find = async (): Promise<void> => {
    lab = await window.workbench.webview('#tab-run');
  };
  const button = (name: string): Locator => lab.getByRole('button', { name, exact: true });
  const json = (): Locator => lab.getByRole('textbox', { name: 'Arguments (JSON)', exact: true });
  const result = (): Locator => lab.getByRole('region', { name: 'Result' });
  const ended = async (wanted: RegExp): Promise<string> => {
    await until(() => result().getByRole('heading').innerText(), wanted);
    return result().innerText();
  };
  const run = async (tool: string, values: object): Promise<void> => {
    await lab.getByRole('tab', { name: 'Run', exact: true }).click();
    await lab.getByRole('combobox', { name: 'Tool', exact: true }).fill(tool);
    await json().fill(JSON.stringify(values));
    await button('Run tool').click();
  };
  const card = (tool: string): Locator => lab.getByRole('group', { name: `Tool call ${tool}` });

  before(async () => {
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      files: { 'notes.txt': 'one\ntwo\n', 'key.txt': `The key is ${KEY}.\n` },
      viewport: { width: 1280, height: 1400 },
    });
    await copyFile(path.join(repository, 'media/icon.png'), path.join(window.folder, 'icon.png'));
    await window.workbench.runCommand('Parley: Open Lab');
    await find();
  });
  after(() => window.close());

  it('runs a tool of its list', async () => {
    await lab.getByRole('searchbox', { name: 'Search tools' }).fill('files_read');
    await button('read_file').click();
    await button('Load into Run').click();
    await lab.getByRole('group', { name: 'Arguments', exact: true }).getByLabel('path').fill('notes.txt');
    await button('Run tool').click();
    match(await ended(/read_file: Succeeded/), /\bone\ntwo/);
  });

  it('accepts qualified names, and shows images', async () => {
    await run('files_readFile', { path: 'icon.png' });
    await ended(/read_file: Succeeded/);
    const image = result().getByRole('img', { name: 'Image 1 of the result' });
    await until(
      () => image.evaluate((element) => String((element as HTMLImageElement).naturalWidth > 0)),
      /true/,
    );
  });

  it('G19: hides keys in results', async () => {
    await run('read_file', { path: 'key.txt' });
    const text = await ended(/read_file: Succeeded/);
    match(text, /The key is /);
    equal(text.includes(KEY), false);
  });

  it('asks before it runs a command, and runs it', async () => {
    await run('run_shell_command', { command: 'echo out > made.txt; echo done' });
    await card('run_shell_command').getByText('Needs your approval').waitFor();
    const answer = card('run_shell_command').getByRole('button', { name: 'Run', exact: true });
    await answer.click();
    // Its arguments came from the page, so VS Code asks as well.
    await window.answer('Run the call with your changes?', 'Cancel');
    await until(() => window.read('made.txt'), /ENOENT/);
    await answer.click();
    await window.answer('Run the call with your changes?', 'Run');
    match(await ended(/run_shell_command: Succeeded/), /done/);
    equal(await window.read('made.txt'), 'out\n');
  });

  it('does not run a rejected call', async () => {
    await run('write_file', { path: 'other.txt', content: 'x' });
    await card('write_file').getByRole('button', { name: 'Reject', exact: true }).click();
    await ended(/write_file: Denied/);
    await until(() => window.read('other.txt'), /ENOENT/);
  });

  it('is stopped', async () => {
    await run('run_shell_command', { command: 'echo begun; sleep 60' });
    await card('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.answer('Run the call with your changes?', 'Run');
    await card('run_shell_command').getByRole('group', { name: 'Output' }).getByText('begun').waitFor();
    await button('Stop').click();
    match(await ended(/run_shell_command: Failed/), /Stopped before it ended[^]*begun/);
  });

  it('shows the question of a tool', async () => {
    await run('ask_user', { question: 'Which one?' });
    await lab.getByRole('textbox', { name: 'Your answer' }).fill('This one');
    await lab.getByRole('textbox', { name: 'Your answer' }).press('Enter');
    match(await ended(/ask_user: Succeeded/), /This one/);
  });

  it('says why it cannot run a tool', async () => {
    for (const [tool, problem] of [
      ['read_fle', 'There is no tool "read_fle".'],
      ['call_sub_agent', 'Try it in the chat.'],
    ] as const) {
      await run(tool, {});
      await lab.getByRole('alert').getByText(problem).waitFor();
    }
    await run('read_file', { path: 'missing.txt' });
    match(await ended(/read_file: Failed/), /missing\.txt/);
  });

  it('keeps the last runs when the window is reloaded', async () => {
    const list = (): Promise<string> => lab.getByRole('region', { name: 'Last runs' }).innerText();
    const before = await list();
    match(before, /read_file[^]*ask_user[^]*write_file/);
    await window.reload();
    await find();
    await lab.getByRole('tab', { name: 'Run', exact: true }).click();
    await eventually(async () => deepEqual(await list(), before));
    await lab.getByRole('button', { name: /^Succeeded ask_user/ }).click();
    await eventually(async () => match(await result().innerText(), /This one/));
    await eventually(async () =>
      equal(await lab.getByRole('combobox', { name: 'Tool', exact: true }).inputValue(), 'ask_user'),
    );
  });

  it('opens with a tool from the tree', async () => {
    await window.showTool('search_text');
    // By keyboard, because a tooltip of the row may cover the menu.
    await window.workbench.page.keyboard.press('Shift+F10');
    await window.pickFromMenu('Try in Lab');
    await until(() => lab.getByRole('combobox', { name: 'Tool', exact: true }).inputValue(), /^search_text$/);
    await lab.getByRole('group', { name: 'Arguments', exact: true }).getByLabel('query').fill('two');
    await button('Run tool').click();
    match(await ended(/search_text: Succeeded/), /notes\.txt/);
  });

  it('has no accessibility problems', async () => {
    deepEqual(await violations({ page: lab }), []);
  });
});
