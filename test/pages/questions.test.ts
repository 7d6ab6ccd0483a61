import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import type { ToolCall } from '../../src/core/words/messages';
import { violations } from '../support/pages/accessibility';
import { runWithCall, replyEnd, roundStart, runStart, toolCall, toolEnd } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const COLOUR = 'Which colour shall the button have?';

describe('questions on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const card = (): Locator => chat.page.getByRole('group', { name: 'Tool call ask_user' });
  const option = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const box = (): Locator => card().getByRole('textbox', { name: 'Your answer' });
  const message = (): Locator => chat.page.getByRole('textbox', { name: 'Message' });
  const has = (where: Locator): Promise<boolean> =>
    where.evaluate((element) => element === document.activeElement);
  const answers = async (): Promise<readonly unknown[]> =>
    (await chat.posted()).filter(({ type }) => type === 'answer');

  it('is answered by a button, once', async () => {
    await open(asking(COLOUR, ['red', 'blue']));
    await card().getByText(COLOUR).last().waitFor();
    await option('blue').dblclick();
    deepEqual(await answers(), [{ type: 'answer', callId: 'c1', text: 'blue' }]);
    ok(await option('red').isDisabled());
    ok(await box().isDisabled());
  });

  it('ignores a click aimed at what was there before', async () => {
    await open([runStart('go')]);
    await chat.stopTime();
    await chat.events(...asking(COLOUR, ['red']).slice(1));
    ok(await option('red').isDisabled());
    await chat.passTime();
    await option('red').click();
    equal((await answers()).length, 1);
  });

  it('is answered by keyboard only: the call takes the focus, Tab goes through the answers', async () => {
    await open([runStart('go')]);
    await chat.events(...asking(COLOUR, ['red', 'blue']).slice(1));
    await option('red').waitFor();
    ok(await has(card()));
    await option('red').and(chat.page.locator(':enabled')).waitFor();
    await chat.page.keyboard.press('Tab');
    ok(await has(option('red')));
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Tab');
    ok(await has(box()));
    await chat.page.keyboard.type('neither');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('of them');
    deepEqual(await answers(), []);
    await chat.page.keyboard.press('Enter');
    deepEqual(await answers(), [{ type: 'answer', callId: 'c1', text: 'neither\nof them' }]);
    // The box is disabled now, and nothing else waits.
    ok(await has(message()));
  });

  it('goes back to the message with Escape and keeps the text', async () => {
    await open(asking(COLOUR));
    await box().fill('half an ans');
    await chat.page.keyboard.press('Escape');
    ok(await has(message()));
    equal(await box().inputValue(), 'half an ans');
  });

  it('keeps the focus in the message box while the user types', async () => {
    await open([runStart('go')]);
    await message().fill('next I want');
    await chat.events(...asking(COLOUR).slice(1));
    await box().waitFor();
    ok(await has(message()));
  });

  it('sends no blank answer, and leaves Enter to a composing input method', async () => {
    await open(asking(COLOUR));
    await box().fill(' \n ');
    await box().press('Enter');
    equal(await card().getByRole('button', { name: 'Send answer' }).getAttribute('aria-disabled'), 'true');
    await box().fill('に');
    await box().dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    deepEqual(await answers(), []);
    await card().getByRole('button', { name: 'Send answer' }).click();
    equal((await answers()).length, 1);
  });

  it('announces the question to a screen reader, on the card and without the focus', async () => {
    await open(asking(COLOUR));
    equal(await chat.page.getByRole('status').innerText(), `Waiting for your answer: ${COLOUR}`);
    const description = await card().evaluate(
      (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.innerText,
    );
    equal(description?.trim(), COLOUR);
  });

  it('keeps two questions apart and moves on to the remaining one', async () => {
    const call = (id: string): ToolCall => ({ ...toolCall('ask_user', { question: `${id}?` }), id });
    const [first, second] = [call('a'), call('b')];
    await open([
      runStart('go'),
      roundStart,
      { type: 'call-end', index: 0, call: first },
      { type: 'call-end', index: 1, call: second },
      replyEnd,
      ...asks('a', 'a?', []),
      ...asks('b', 'b?', []),
    ]);
    await box().first().fill('one');
    await box().nth(1).fill('two');
    await box().nth(1).press('Enter');
    deepEqual(await answers(), [{ type: 'answer', callId: 'b', text: 'two' }]);
    ok(await has(card().first()));
    equal(await box().first().inputValue(), 'one');
    await chat.events(
      { type: 'question-end', callId: 'b', answer: 'two' },
      toolEnd(second, 'success', 'two'),
    );
    await box().first().press('Enter');
    deepEqual((await answers()).at(-1), { type: 'answer', callId: 'a', text: 'one' });
  });

  it('shows question and answer afterwards', async () => {
    const call = toolCall('ask_user', { question: COLOUR });
    await open([
      ...asking(COLOUR),
      { type: 'question-end', callId: 'c1', answer: 'as red as can be' },
      toolEnd(call, 'success', 'as red as can be'),
    ]);
    await card().getByRole('group', { name: 'Your answer' }).getByText('as red as can be').waitFor();
    match(await card().getByRole('group', { name: 'Question' }).innerText(), /Which colour/);
    equal(await box().count(), 0);
    equal(await chat.page.getByRole('status').innerText(), '');
  });

  it('G16: shows hidden characters of a question, as plain text', async () => {
    await open(asking('Delete\u202e \u{e0041}<b>all</b>?', ['ye\u200bs', '<i>no</i>']));
    equal(
      await card().getByRole('group', { name: 'Question' }).innerText(),
      'Delete⟨U+202E⟩ ⟨U+E0041⟩<b>all</b>?',
    );
    ok(await option('ye⟨U+200B⟩s').isVisible());
    ok(await option('<i>no</i>').isVisible());
  });

  it('stays inside a narrow sidebar, and is accessible', async () => {
    const long = 'a'.repeat(180);
    await open(asking(`${COLOUR} ${long}`, [long, 'a shorter answer', 'no']), { width: 250 });
    await box().waitFor();
    const log = chat.page.getByRole('log', { name: 'Conversation' });
    const overflow = await log.evaluate((element) => element.scrollWidth - element.clientWidth);
    ok(overflow <= 0, String(overflow));
    const right = await option(long).evaluate((element) => element.getBoundingClientRect().right);
    ok(right <= 250, String(right));
    await option('no').and(chat.page.locator(':enabled')).waitFor();
    deepEqual(await violations(chat), []);
  });
});

function asks(callId: string, question: string, options: readonly string[]): AgentEvent[] {
  return [
    { type: 'tool-start', callId, title: 'Ask the user' },
    { type: 'question', callId, question, options },
  ];
}

/** A run whose reply asks this. */
function asking(question: string, options: readonly string[] = []): AgentEvent[] {
  return [
    ...runWithCall(toolCall('ask_user', { question, options: [...options] })),
    ...asks('c1', question, options),
  ];
}
