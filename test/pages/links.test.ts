import { deepEqual, equal } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { replyEnd, roundStart, runStart, runWithCall, toolCall, toolEnd } from '../support/agent/chat-events';
import { violations } from '../support/pages/accessibility';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

describe('links to files on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const log = (): Locator => chat.page.getByRole('log');
  const link = (name: string): Locator => log().getByRole('link', { name, exact: true });
  const answer = (text: string): Promise<void> =>
    open([runStart('go'), roundStart, { type: 'text', text }, replyEnd]);

  it('opens the paths of an answer at their lines, by click and by Enter', async () => {
    await answer(
      'It fails in `src/a.ts:12`, see src/b.ts and [the test](test/a.test.ts#L5).\n\n' +
        '```\nnot ok 1 - adds\n  at test/c.test.js:7:3\n```\n\nDo not open `a.length` or and/or.',
    );
    await link('src/a.ts:12').click();
    deepEqual(await chat.received('open-path'), { type: 'open-path', path: 'src/a.ts', line: 12 });
    await link('src/b.ts').press('Enter');
    deepEqual(await chat.received('open-path'), { type: 'open-path', path: 'src/b.ts' });
    await link('the test').click();
    deepEqual(await chat.received('open-path'), { type: 'open-path', path: 'test/a.test.ts', line: 5 });
    await link('test/c.test.js:7:3').click();
    const failing = { type: 'open-path', path: 'test/c.test.js', line: 7, column: 3 };
    deepEqual(await chat.received('open-path'), failing);
    equal(await log().getByRole('link').count(), 4);
    deepEqual(await violations(chat), []);
  });

  it('opens the lines of a search', async () => {
    const search = toolCall('search_text', { query: 'lines' });
    const result = '2 lines match in 1 file.\nsrc/a.ts\n  3: lines(text)\n  9: lines(more)';
    await open([...runWithCall(search), toolEnd(search, 'success', result)]);
    await log().getByRole('group', { name: 'Tool call search_text' }).locator('summary').first().click();
    await link('9').click();
    deepEqual(await chat.received('open-path'), { type: 'open-path', path: 'src/a.ts', line: 9 });
  });

  it('makes no link of an address or of what only looks like a path', async () => {
    await answer('Use Node.js 22.1, e.g. `x.map(f)`, `npm test`, and https://a.org/b.ts.');
    equal(await log().locator('[data-path]').count(), 0);
  });
});
