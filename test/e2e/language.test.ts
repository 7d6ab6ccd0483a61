import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { trusted } from '../hosts/settings';
import { workbenchRelease } from '../hosts/vscode-versions';
import { Workbench } from '../hosts/workbench';
import { eventually } from '../support/eventually';
import { clickUntil } from './parley-window';

// Without a language pack VS Code itself stays English, but it gives extensions the language and uses their
// translations.
describe('a window in Chinese', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-language-')));
  let workbench: Workbench;
  let chat: Frame;

  before(async () => {
    writeFileSync(path.join(folder, 'notes.txt'), 'one\n');
    workbench = await Workbench.open({
      release: workbenchRelease,
      folder,
      settings: trusted,
      viewport: { width: 1280, height: 1400 },
      prepare: async (page) => {
        await page.addInitScript({ content: "globalThis._VSCODE_NLS_LANGUAGE = 'zh-cn'" });
      },
    });
    await workbench.page.getByRole('tab', { name: 'Parley' }).first().click();
    chat = await workbench.webview('[aria-label="对话"]');
  });
  after(async () => {
    await workbench.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows the texts of package.json, host and page in Chinese', async () => {
    const { page } = workbench;
    // package.json: the names of views. The host: the texts beside them and in their rows.
    const header = page.getByRole('button', { name: /^工具 / }).first();
    await header.filter({ hasText: '已打开' }).waitFor();
    await clickUntil(header, async () => (await header.getAttribute('aria-expanded')) === 'true');
    await page
      .getByRole('treeitem', { name: /^files/ })
      .first()
      .filter({ hasText: '已打开' })
      .waitFor();
    // The page, with the entries of its pickers from the host.
    await chat.getByRole('button', { name: /^代理和模式：/ }).click();
    const agent = chat.getByRole('combobox', { name: '代理', exact: true });
    await eventually(async () =>
      assert.deepEqual(await agent.locator('option').allInnerTexts(), ['代理', '问答', '计划']),
    );
    await eventually(async () => assert.equal(await chat.locator('html').getAttribute('lang'), 'zh-cn'));
  });

  it('says in Chinese why a call waits, and runs it', async () => {
    await chat
      .getByRole('textbox', { name: '消息', exact: true })
      .fill("replace 'one' with 'two' in notes.txt");
    await chat.getByRole('textbox', { name: '消息', exact: true }).press('Enter');
    const call = chat.getByRole('group', { name: '工具调用 edit_file', exact: true });
    await call.getByText('需要您的批准：它会更改文件', { exact: true }).waitFor();
    await call.getByRole('button', { name: '运行', exact: true }).click();
    await call.getByText('完成', { exact: true }).waitFor();
  });

  it('has its commands in Chinese in the command palette', async () => {
    await workbench.runCommand('Parley: 新建会话');
    await chat.getByRole('group', { name: /^工具调用/ }).waitFor({ state: 'detached' });
  });
});
