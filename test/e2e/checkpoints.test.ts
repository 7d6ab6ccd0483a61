import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const A = Buffer.from('\ufeffone\r\ntwo', 'utf16le');

describe('checkpoints', () => {
  let window: ParleyWindow;
  before(async () => {
    window = await ParleyWindow.open({
      viewport: { width: 1280, height: 1400 },
      settings: { 'parley.model': 'demo', 'parley.toolCalling.requireConfirmation': false },
    });
  });
  beforeEach(async () => {
    await window.startNew();
    writeFileSync(file('a.txt'), A);
    for (const name of ['b.txt', 'c.txt']) rmSync(file(name), { force: true });
  });
  after(() => window.close());

  const file = (name: string): string => path.join(window.folder, name);
  const held = (): readonly string[] =>
    ['a.txt', 'b.txt', 'c.txt'].map((name) =>
      existsSync(file(name)) ? readFileSync(file(name)).toString('latin1') : 'none',
    );
  const wanted = (a: Buffer, b: string, c = 'none'): readonly string[] => [a.toString('latin1'), b, c];
  const becomes = async (...of: Parameters<typeof wanted>): Promise<void> => {
    const fits = async (): Promise<string> => String(isDeepStrictEqual(held(), wanted(...of)));
    await until(fits, /true/).catch(() => assert.deepEqual(held(), wanted(...of)));
  };
  const changed = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
  const restore = (nth = 0): Locator =>
    window.page.getByRole('button', { name: 'Restore files to before this message' }).nth(nth);
  const picker = (): Locator => window.workbench.page.locator('.quick-input-widget:visible');

  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }

  it('restores files to before a message at a click, and undoes that', async () => {
    await ask("replace 'one' with '1' in a.txt then create b.txt with new");
    await ask("replace 'two' with '2' in a.txt");
    assert.deepEqual(held(), wanted(changed('1\r\n2'), 'new'));
    await restore(1).click();
    await becomes(changed('1\r\ntwo'), 'new');
    await restore(0).click();
    await becomes(A, 'none');
    await window.log.getByText('Restored to an earlier state: a.txt, b.txt').waitFor();
    await window.button('Undo this restore').last().click();
    await becomes(changed('1\r\ntwo'), 'new');
  });

  it('asks about files changed since, shows the changes, and keeps them without confirmation', async () => {
    await ask("replace 'one' with '1' in a.txt then create b.txt with new");
    writeFileSync(file('a.txt'), changed('mine'));
    await restore().click();
    await picker().getByText('Changed by you or another program after Parley').waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await picker().waitFor({ state: 'hidden' });
    assert.deepEqual(held(), wanted(changed('mine'), 'new'));

    await restore().click();
    await picker()
      .getByRole('checkbox', { name: /^a\.txt, Changed by you/ })
      .hover();
    await picker().getByRole('button', { name: 'Show changes that would be lost' }).click();
    await window.workbench.page.getByRole('tab', { name: /a\.txt \(as Parley left it ↔ now\)/ }).waitFor();
    await picker().locator('input[type=text]').first().press('Enter');
    await becomes(changed('mine'), 'none');
    await window.log.getByText('Not restored, as you chose.').waitFor();

    await restore().click();
    await picker().getByText('Changed by you or another program after Parley').click();
    await picker().locator('input[type=text]').first().press('Enter');
    await becomes(A, 'none');
    // The files appear shortly before the restore ends, and no other restore can start until then.
    await window.log.getByText('Restored to an earlier state: a.txt', { exact: true }).waitFor();
    await window.button('Undo this restore').last().click();
    await becomes(changed('mine'), 'none');
  });

  it('knows the files and their contents after a reload, also from the command palette', async () => {
    await ask("replace 'one' with '1' in a.txt then create b.txt with new");
    await window.reload();
    await window.log.getByText('replace').first().waitFor();
    await ask('create c.txt with more');
    const panel = window.page.locator('.changed-files');
    await eventually(async () =>
      assert.equal((await panel.locator('summary').innerText()).replaceAll('\n', ' '), 'Files changed 3'),
    );
    await panel.locator('summary').click();
    await panel.getByRole('button', { name: /^a\.txt/ }).click();
    await window.workbench.page
      .getByRole('tab', { name: /a\.txt \(before this conversation ↔ now\)/ })
      .waitFor();
    const sides = window.workbench.page.locator('.monaco-diff-editor .view-lines');
    await until(async () => (await sides.allInnerTexts()).join(' '), /one[^]*two[^]*1[^]*two/);

    await window.workbench.runCommand('Parley: Restore Files…');
    await picker().getByText("replace 'one' with '1'").first().click();
    await becomes(A, 'none');
  });

  it('G21: keeps file contents only in its storage folder, each with its session', async () => {
    await ask("replace 'one' with '1' in a.txt");
    const { data } = window.workbench.server;
    const images = (): string[] =>
      readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.image'));
    assert.ok(images().length >= 2);
    for (const name of images())
      assert.match(name, /parley\.parley.sessions.[0-9a-f]{32}.[0-9a-f-]{36}-[0-9a-f]{64}\.image$/);
    assert.ok(!readdirSync(window.folder).some((name) => name.startsWith('.parley')));
  });
});
