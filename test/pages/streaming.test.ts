import { deepEqual, ok } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { runWithCall, roundStart, runStart, toolCall, toolEnd } from '../support/agent/chat-events';
import { ChatHarness } from '../support/pages/chat-harness';
import { pageBundle } from '../support/pages/page-bundle';

const todos = toolCall('update_todos', { items: [{ text: 'Run all tests', status: 'in_progress' }] });
const write = toolCall('write_file', { path: 'a.txt', content: 'one' });
const change = { path: '/w/a.txt', display: 'a.txt', before: 'absent', after: 'one' };

const parts = {
  ...{ instructions: 100, tools: 200, conversation: 600, areToolsApart: false },
  shares: { definitions: 150, list: 20, calls: 100, results: 300 },
};
const size = { ...{ total: 900, fixed: 300, tools: 200, raw: 900, isRough: false }, parts };

/** Everything around the conversation is in view. */
const beforehand: readonly AgentEvent[] = [
  ...runWithCall(todos),
  toolEnd(todos, 'success', ''),
  ...runWithCall(write),
  { type: 'tool-start', callId: write.id, title: '' },
  { type: 'file-change', callId: write.id, change },
  toolEnd(write, 'success', ''),
  runStart('and now'),
  { ...roundStart, size, window: 8_000 },
  { type: 'text', text: 'So' },
];

const around = ['composer', 'pickers', 'context-meter', 'todos', 'changed-files'];

describe('a streaming answer', () => {
  let browser: Browser;
  let chat: ChatHarness;

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    chat = await ChatHarness.open(browser, {
      script: await pageBundle('test/support/pages/render-recorder.ts'),
    });
  });
  after(() => browser.close());

  it('redraws nothing around the conversation', async () => {
    const drawn = (): Promise<readonly string[]> =>
      // SAFETY: `render-recorder.ts` has set it.
      chat.page.evaluate(() => (window as unknown as { drawn: string[] }).drawn.splice(0));
    await chat.start(beforehand);
    await chat.page.getByText('So', { exact: true }).waitFor();
    const first = await drawn();
    deepEqual(
      around.filter((name) => !first.includes(name)),
      [],
    );
    await chat.stream([' far', ' so', ' good'].map((text) => ({ type: 'text', text })));
    await chat.page.getByText('So far so good').waitFor();
    const again = await drawn();
    ok(again.includes('entry'));
    deepEqual(
      around.filter((name) => again.includes(name)),
      [],
    );
    deepEqual(chat.complaints, []);
  });
});
