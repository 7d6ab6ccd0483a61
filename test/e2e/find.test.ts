import type { Locator } from 'playwright-core';
import { ParleyWindow, until } from './parley-window';

describe('finding in the chat and opening what it names', () => {
  let window: ParleyWindow;

  before(async () => {
    window = await ParleyWindow.open({
      files: { 'src/a.ts': 'one();\ntwo();\nthree();\n', 'notes.txt': 'see src/missing.ts\n' },
    });
  });
  after(() => window.close());

  const box = (): Locator => window.page.getByRole('searchbox', { name: 'Find in chat' });
  const position = (): Locator => window.workbench.page.locator('[id="status.editor.selection"]');

  it('opens the file of a search at the line that is clicked', async () => {
    await window.send('search three');
    await window.idle();
    await window.log.getByRole('link', { name: '3', exact: true }).last().press('Enter');
    await window.workbench.page.locator('.tab.active', { hasText: 'a.ts' }).waitFor();
    await until(() => position().innerText(), /Ln 3\b/);
  });

  it('says that nothing is at a path', async () => {
    await window.send('search missing');
    await window.idle();
    await window.log.getByRole('link', { name: 'src/missing.ts', exact: true }).last().press('Enter');
    await window.notified(/Nothing is at src\/missing\.ts\./);
  });

  it('takes the keys for finding from the editor while the chat has the focus', async () => {
    const { keyboard } = window.workbench.page;
    await window.page.getByRole('textbox', { name: 'Message' }).click();
    await keyboard.press('Control+F');
    await box().waitFor();
    await keyboard.type('three');
    await until(() => box().inputValue(), /^three$/);
    await until(() => window.page.getByRole('search').innerText(), /1 of \d/);
    await window.workbench.page.locator('.editor-widget.find-widget.visible').waitFor({ state: 'detached' });
    await keyboard.press('Escape');
    await box().waitFor({ state: 'detached' });
  });

  it('leaves them to the editor otherwise', async () => {
    const { page } = window.workbench;
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+F');
    await page.locator('.editor-widget.find-widget.visible').waitFor();
    await box().waitFor({ state: 'detached' });
  });

  it('finds in the tab of the chat', async () => {
    await window.workbench.page.keyboard.press('Escape');
    await window.workbench.runCommand('Parley: Open Chat in Editor');
    await window.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await window.reopenChat();
    await window.page.getByRole('textbox', { name: 'Message' }).click();
    await window.workbench.page.keyboard.press('Control+F');
    await box().waitFor();
  });
});
