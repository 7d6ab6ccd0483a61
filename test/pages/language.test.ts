import { deepEqual } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { long } from '../support/platform';
import { everyState, type ShownPage } from '../support/pages/every-state';
import { chatStates } from '../support/pages/chat-states';
import { showChat } from '../support/pages/show-chat';

describe('pages in Chinese', () => {
  let browser: Browser;

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
  });
  after(() => browser.close());

  it('have Chinese names for controls', async () => {
    const state = chatStates.find(({ name }) => name === 'edit waits');
    const chat = await showChat(browser, state ?? { name: 'none', events: [] }, { language: 'zh-cn' });
    try {
      const call = chat.page.getByRole('group', { name: '工具调用 edit_file', exact: true });
      for (const name of ['运行', '拒绝', '编辑参数', '允许此会话中的编辑'])
        await call.getByRole('button', { name, exact: true }).waitFor();
      await call.getByText('需要您的批准：它会更改文件', { exact: true }).waitFor();
      await chat.page.getByRole('log', { name: '对话', exact: true }).waitFor();
      await chat.page.getByRole('textbox', { name: '消息', exact: true }).waitFor();
      for (const [chip, names] of [
        ['模型和协议', ['模型', '协议']],
        ['代理和模式', ['代理', '模式']],
      ] as const) {
        await chat.page.getByRole('button', { name: new RegExp(`^${chip}：`) }).click();
        for (const name of names) await chat.page.getByRole('combobox', { name, exact: true }).waitFor();
      }
    } finally {
      await chat.close();
    }
  });

  it('have Chinese names for attachments', async () => {
    const attachments = (['problems', 'terminal', 'editor'] as const).map(
      (source) => ({ type: 'text', source, label: 'in English', text: '' }) as const,
    );
    const events = [{ type: 'run-start', text: 'go', time: 0, attachments }] as const;
    const chat = await showChat(browser, { name: 'attached', events }, { language: 'zh-cn' });
    try {
      const named = chat.page.getByRole('log').getByRole('listitem');
      await named.first().waitFor();
      deepEqual(await named.allInnerTexts(), ['问题', '终端', '编辑器']);
    } finally {
      await chat.close();
    }
  });

  it('describe a waiting call in Chinese, for the eye and for a screen reader', async () => {
    const state = chatStates.find(({ name }) => name === 'deletion waits')!;
    const chat = await showChat(browser, state, { language: 'zh-cn' });
    try {
      const call = chat.page.getByRole('group', { name: '工具调用 delete_path', exact: true });
      await call
        .getByText('(包含 12 个文件的文件夹; 其中的文件过多或过大，无法还原)', { exact: true })
        .waitFor();
      const status = chat.page.getByRole('status');
      await status.getByText(/^正在等待您的批准：delete_path, 删除 build /).waitFor();
    } finally {
      await chat.close();
    }
  });

  for (const state of everyState) {
    long.it(`say nothing in English: ${state.name}`, async () => {
      const shown = await state.show(browser, { language: 'zh-cn' });
      try {
        const texts = await shown.page.evaluate(shownTexts);
        deepEqual(texts.filter(isOurEnglish(shown, await shown.page.evaluate(writtenTexts))), []);
        deepEqual(shown.complaints, []);
      } finally {
        await shown.close();
      }
    });
  }
});

/** Runs in the page: returns all its text, for the eye and for a screen reader. */
function shownTexts(): string[] {
  const texts: string[] = [];
  for (const element of document.querySelectorAll('#root *')) {
    for (const attribute of ['aria-label', 'title', 'placeholder', 'aria-description'])
      texts.push(element.getAttribute(attribute) ?? '');
    for (const { nodeType, textContent } of element.childNodes)
      if (nodeType === Node.TEXT_NODE) texts.push(textContent ?? '');
  }
  return [...new Set(texts.map((text) => text.trim()))];
}

/** Runs in the page: returns the contents of its text boxes. */
function writtenTexts(): string[] {
  return [...document.querySelectorAll<HTMLTextAreaElement>('textarea, input')].map(({ value }) => value);
}

/** Returns the words that are neither content nor a name or key used in every language. */
function isOurEnglish({ sent }: ShownPage, written: readonly string[]): (text: string) => boolean {
  // With real line breaks, and with escaped ones as in code.
  const json = `${sent.join(' ')} ${written.join(' ')}`;
  const known = new Set([...(`${json.replace(/\\n/g, ' ')} ${json}`.match(/[A-Za-z]+/g) ?? []), ...SAME]);
  return (text) => (text.match(/[A-Za-z]{2,}/g) ?? []).some((word) => !known.has(word));
}

const SAME: readonly string[] = [
  ...['Parley', 'VS', 'Code', 'JSON', 'token', 'TODO', 'Enter', 'Escape', 'Shift', 'Ctrl', 'Alt', 'Tab'],
  ...['VCP', 'GBNF', 'KB', 'MB', 'http', 'localhost', 'problems', 'qwen', 'coder', 'AGENTS', 'md'],
  // Values of settings, and the beginnings of recorded lines.
  ...['strict', 'repair', 'lenient', 'ask', 'run', 'text', 'data', 'Schema'],
  // How an invisible character is shown: by its number.
  'FEFF',
  // Typed text: commands, and sentences for the demo model.
  ...['new', 'compact', 'model', 'protocol', 'agent', 'export', 'sandbox', 'tools', 'help'],
  ...'list search create hello txt with Hello there'.split(' '),
];
