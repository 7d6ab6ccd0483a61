import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ParleyWindow, until } from './parley-window';

describe('features outside the chat page', () => {
  let window: ParleyWindow;

  before(async () => {
    window = await ParleyWindow.open({
      unfolded: ['Tools'],
      files: { 'src/a.ts': 'one();\ntwo();\nthree();\n', 'bad.json': '{ "a": 1,, }\n' },
      // Rows out of view are not in the page.
      viewport: { width: 1280, height: 1400 },
    });
  });
  after(() => window.close());

  const message = (): Locator => window.page.getByRole('textbox', { name: 'Message' });
  const status = (): Locator => window.workbench.page.getByRole('button', { name: /^Parley: / });
  const badge = (): Locator => window.workbench.page.locator('.activitybar .badge-content', { hasText: '1' });

  async function open(file: string): Promise<void> {
    const { page } = window.workbench;
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill(file);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().click();
    await page.locator('.tab.active', { hasText: file }).waitFor();
    await page.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+Home');
  }

  it('toggles a whole toolset by its check box, and resets it by its menu', async () => {
    const row = window.tool('shell');
    await until(() => row.innerText(), /(\d+) of \1 on/);
    await row.getByRole('checkbox').first().click();
    await until(() => row.innerText(), /0 of \d+ on.*set for the workspace/);
    assert.deepEqual(JSON.parse(await window.read('.vscode/settings.json')), {
      'parley.toolCalling.toolToggles': { shell: false },
    });
    await row.getByText('shell', { exact: true }).click({ button: 'right' });
    await window.pickFromMenu('Reset to Default');
    await until(() => row.innerText(), /(\d+) of \1 on/);
    assert.doesNotMatch(await window.read('.vscode/settings.json'), /toolToggles/);
  });

  it('adds the selection of an editor to the message by its keys, and attaches these lines', async () => {
    await open('a.ts');
    await window.workbench.page.keyboard.press('Shift+ArrowDown');
    await window.workbench.page.keyboard.press('Shift+ArrowDown');
    await window.workbench.page.keyboard.press('Control+K');
    await window.workbench.page.keyboard.press('a');
    await until(() => message().inputValue(), /^@file:src\/a\.ts#L1-2 $/);
    await message().press('Enter');
    await window.log.getByText('src/a.ts:1-2').first().waitFor();
    await window.idle();
  });

  it('writes a message for a problem from the light bulb, and sends nothing', async () => {
    await open('bad.json');
    const { page } = window.workbench;
    await until(() => page.locator('[id="status.problems"]').innerText(), /^\s*1\b/);
    // The problem is at the second comma.
    for (let at = 0; at < 9; at++) await page.keyboard.press('ArrowRight');
    // The light bulb may appear shortly after the problem.
    const fix = page.getByText('Fix with Parley');
    await until(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: 2_000 });
      return 'offered';
    }, /offered/);
    await page.keyboard.press('Enter');
    const written = await until(() => message().inputValue(), /^Fix th/);
    assert.match(written, /^Fix th\w+ problems?: @file:bad\.json#L1(?:-2)?\nbad\.json:1:\d+ error: /);
    await message().fill('');
  });

  it('shows in the status bar and on the icon that a call waits', async () => {
    await window.send('create hello.txt with Hello there');
    await until(() => status().innerText(), /waiting for you/);
    await badge().waitFor();
    await window.call('write_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    await status().waitFor({ state: 'detached' });
    await badge().waitFor({ state: 'detached' });
  });

  it('opens the walkthrough', async () => {
    await window.openFirstSteps();
    await window.workbench.page.getByText('Pick a model').first().waitFor();
    await window.workbench.page.getByText('Decide what runs').first().waitFor();
  });
});
