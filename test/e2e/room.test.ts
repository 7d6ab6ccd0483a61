import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually';
import { clickUntil, ParleyWindow, until, viewHeader } from './parley-window';

// At the window size of a small laptop.
describe('room for the conversation', () => {
  let window: ParleyWindow;

  before(async () => {
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'apples\n', 'src/greet.js': 'export const greet = () => "hello";\n' },
      viewport: { width: 1280, height: 900 },
    });
  });
  after(() => window.close());

  const section = (name: 'Sessions' | 'Tools'): Locator => viewHeader(window.workbench.page, name);

  const isOpen = async (name: 'Sessions' | 'Tools'): Promise<string> =>
    String(await section(name).getAttribute('aria-expanded'));

  it('fills the side bar: sessions and tools are collapsed, with a summary in their headers', async () => {
    await eventually(async () => assert.equal(await isOpen('Sessions'), 'false'));
    await eventually(async () => assert.equal(await isOpen('Tools'), 'false'));
    const height = await window.page.evaluate(() => document.documentElement.clientHeight);
    assert.ok(height > 700, `${height} of 900 px`);
    await section('Tools')
      .filter({ hasText: /\d+ of \d+ on · [\d.]+k? tokens/ })
      .waitFor();
    await window.send('read notes.txt');
    await window.idle();
    await section('Sessions')
      .filter({ hasText: /1 session(?!s)/ })
      .waitFor();
  });

  it('has a button in the message box that opens the tools', async () => {
    await clickUntil(window.button('Tools'), async () => (await isOpen('Tools')) === 'true');
    await window.tool('files').waitFor();
  });

  it('keeps the layout of the user', async () => {
    await window.reload();
    await until(() => isOpen('Tools'), /true/);
    await eventually(async () => assert.equal(await isOpen('Sessions'), 'false'));
    await clickUntil(section('Tools'), async () => (await isOpen('Tools')) === 'false');
  });

  it('opens the sessions by the clock in the title', async () => {
    await window.startNew();
    const { page } = window.workbench;
    const list = page.locator('.quick-input-widget');
    await page.locator('.part.sidebar .pane-header').first().hover();
    await clickUntil(page.getByRole('button', { name: 'Open Session…' }).first(), () => list.isVisible());
    await list.getByRole('option', { name: /^read notes\.txt/ }).click();
    await window.log.getByText('read notes.txt').first().waitFor();
  });

  it('opens the same conversation in an editor, and again after a reload', async () => {
    const { page } = window.workbench;
    await window.workbench.runCommand('Parley: Open Chat in Editor');
    await page
      .locator('.part.editor')
      .getByRole('tab', { name: /^Parley/, selected: true })
      .waitFor();
    await window.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await window.reopenChat();
    await window.log.getByText('read notes.txt').first().waitFor();
    await window.send('list src');
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /greet\.js/));
    await window.workbench.reload();
    await window.reopenChat();
    await until(() => window.log.innerText(), /greet\.js/);
  });

  it('adds text to the message box of the open editor', async () => {
    const { page } = window.workbench;
    const file = page.getByRole('treeitem', { name: 'notes.txt' });
    await window.workbench.runCommand('File: Focus on Files Explorer');
    await file.click({ button: 'right' });
    await window.pickFromMenu('Add to Parley Chat');
    await until(async () => {
      await window.reopenChat();
      return window.page.getByRole('textbox', { name: 'Message' }).inputValue();
    }, /@file:notes\.txt/);
  });

  it('lets VS Code ask where to move the chat', async () => {
    await window.workbench.runCommand('Parley: Move Chat to Secondary Side Bar…');
    const place = window.workbench.page
      .locator('.quick-input-widget')
      .getByRole('option', { name: /^New Secondary Side Bar Entry/ });
    await place.click();
    // Its tab may be out of sight, but the buttons of its title are there.
    const there = window.workbench.page.locator('.part.auxiliarybar');
    await there.getByRole('button', { name: 'New Session' }).waitFor();
  });
});
