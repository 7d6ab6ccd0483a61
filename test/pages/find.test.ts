import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { replyEnd, roundStart, runStart, toolCall, toolEnd } from '../support/agent/chat-events';
import { violations } from '../support/pages/accessibility';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const done: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

function message(index: number, answer: string): AgentEvent[] {
  return [runStart(`Question ${index}`), roundStart, { type: 'text', text: answer }, replyEnd, done];
}

const FILLER = 'A paragraph that is about nothing in particular.\n\n'.repeat(6);

/** The messages of an afternoon. */
function conversation(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, index) =>
    message(index, index % 50 === 7 ? `${FILLER}The **quince** is here.` : FILLER),
  ).flat();
}

describe('finding in the conversation on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const log = (): Locator => chat.page.getByRole('log');
  const box = (): Locator => chat.page.getByRole('searchbox', { name: 'Find in chat' });
  const count = (): Promise<string> => chat.page.getByRole('search').getByRole('status').innerText();
  const marked = (): Promise<string> =>
    chat.page.evaluate(() => {
      const [range] = CSS.highlights.get('parley-found-current') ?? [];
      return range instanceof Range ? range.toString() : '';
    });
  const isInSight = (text: Locator): Promise<boolean> =>
    text.evaluate((element) => {
      const at = element.getBoundingClientRect();
      return at.top >= 0 && at.bottom <= innerHeight && at.height > 0;
    });

  it('finds what is not drawn, counts it, and goes from match to match', async () => {
    await open(conversation(200));
    equal(await log().getByText('quince').count(), 0);
    await chat.send({ type: 'find' });
    await chat.page.keyboard.type('QUINCE');
    await chat.atRest();
    equal(await count(), '1 of 4');
    equal(await marked(), 'quince');
    ok(await isInSight(log().getByText('quince').first()));
    await log().getByText('Question 7', { exact: true }).first().waitFor();
    await chat.page.keyboard.press('Enter');
    await log().getByText('Question 57', { exact: true }).first().waitFor();
    equal(await count(), '2 of 4');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.press('Shift+Enter');
    await log().getByText('Question 157', { exact: true }).first().waitFor();
    equal(await count(), '4 of 4');
    ok(await isInSight(log().getByText('quince').last()));
    deepEqual(await violations(chat), []);
  });

  it('opens by its keys, whatever has the focus in the page', async () => {
    await open(conversation(2));
    for (const press of [log(), chat.page.getByRole('textbox', { name: 'Message' })]) {
      await press.press('Control+F');
      ok(await box().evaluate((it) => it === document.activeElement));
    }
  });

  it('says that there is nothing, and ends with Escape in the message box', async () => {
    await open(conversation(2));
    await chat.send({ type: 'find' });
    await box().fill('medlar');
    equal(await count(), 'No matches');
    await box().press('Escape');
    equal(await box().count(), 0);
    ok(
      await chat.page
        .getByRole('textbox', { name: 'Message' })
        .evaluate((it) => it === document.activeElement),
    );
  });

  it('unfolds the step and the result that contain a match', async () => {
    const call = (id: string, path: string): AgentEvent[] => {
      const read = { ...toolCall('read_file', { path }), id };
      return [
        roundStart,
        { type: 'call-end', index: 0, call: read },
        replyEnd,
        toolEnd(read, 'success', `text of ${path}\n${'line\n'.repeat(200)}${id} quince`),
      ];
    };
    await open([
      runStart('go'),
      ...call('f1', 'a.txt'),
      ...call('f2', 'b.txt'),
      roundStart,
      { type: 'text', text: 'Done.' },
      replyEnd,
      done,
    ]);
    await chat.send({ type: 'find' });
    await box().fill('f2 quince');
    await chat.atRest();
    equal(await count(), '1 of 1');
    equal(await marked(), 'f2 quince');
    ok(await isInSight(log().getByText('f2 quince')));
  });

  it('finds in 2,000 messages', async () => {
    await open(conversation(2_000));
    await chat.send({ type: 'find' });
    await box().fill('quince');
    await chat.atRest();
    ok(/^\d+ of \d+$/.test(await count()));
  });

  it('pins no message of an answer further down', async () => {
    await open([0, 1, 2, 3].flatMap((index) => message(index, 'Short.')));
    equal(await chat.page.getByRole('button', { name: /^Question/ }).count(), 0);
  });

  it('pins the message whose answer is read, in one line, and leads to it', async () => {
    await open([...message(0, FILLER), ...message(1, FILLER.repeat(10))]);
    const pinned = (text: string): Locator => chat.page.getByRole('button', { name: text, exact: true });
    await pinned('Question 1').waitFor();
    ok(((await pinned('Question 1').boundingBox())?.height ?? 99) < 32);
    await pinned('Question 1').click();
    await chat.atRest();
    equal(await pinned('Question 1').count(), 0);
    ok(await isInSight(log().getByText('Question 1', { exact: true })));
    await chat.page.setViewportSize({ width: 320, height: 390 });
    await chat.page.mouse.move(100, 100);
    await chat.page.mouse.wheel(0, 400);
    await chat.atRest();
    ok(!(await pinned('Question 1').isVisible()));
    await chat.page.setViewportSize({ width: 320, height: 700 });
  });
});
