import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Pickers } from '../../src/contract/chat';
import type { AgentEvent } from '../../src/core/words/events';
import { violations } from '../support/pages/accessibility';
import { runWithCall, runWithWaitingCall, toolCall, toolEnd } from '../support/agent/chat-events';
import { samplePickers, type ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

type Step = readonly [text: string, status: string];

const PLAN: readonly Step[] = [
  ['Find the failing test', 'completed'],
  ['Fix the parser', 'in_progress'],
  ['Run all tests', 'pending'],
];

describe('todo list on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const list = (): Locator => chat.page.getByRole('list', { name: 'Todo list' });
  const items = (): Promise<readonly string[]> => list().getByRole('listitem').allInnerTexts();
  const card = (): Locator => chat.page.getByRole('group', { name: 'Tool call update_todos' });
  const height = (where: Locator): Promise<number> => where.evaluate((element) => element.clientHeight);

  it('shows each step with its state and marks the current one', async () => {
    await open(plan(PLAN));
    deepEqual(await items(), [
      'Done:\nFind the failing test',
      'In progress:\nFix the parser',
      'To do:\nRun all tests',
    ]);
    const current = list().locator('[aria-current="step"]');
    deepEqual(await current.allInnerTexts(), ['In progress:\nFix the parser']);
    await chat.page.getByText('1 of 3 done').first().waitFor();
  });

  it('is hidden without steps, and when the list is emptied', async () => {
    await open([]);
    equal(await list().count(), 0);
    await chat.start(plan(PLAN));
    await list().waitFor();
    await chat.start(plan([]));
    await list().waitFor({ state: 'detached' });
  });

  it('collapses to one line that names the current step, also by keyboard', async () => {
    await open(plan(PLAN));
    await list().waitFor();
    await chat.page.locator('.todos summary').focus();
    await chat.page.keyboard.press('Enter');
    await list().waitFor({ state: 'hidden' });
    equal(
      (await chat.page.locator('.todos summary').innerText()).replaceAll('\n', ' '),
      'Todo list 1 of 3 done Fix the parser',
    );
    // A change does not expand it.
    await chat.events(...plan([['Fix the lexer', 'in_progress']]));
    await chat.page.locator('.todos summary').getByText('Fix the lexer').waitFor();
    ok(await list().isHidden());
  });

  it('leaves one line in the conversation, and no arguments', async () => {
    await open(plan(PLAN));
    await card().getByText('1 of 3 done').waitFor();
    ok((await height(card())) < 30, String(await height(card())));
    equal(await card().getByRole('button').count(), 0);
    equal(await card().locator('details').count(), 0);
  });

  it('shows in the card what waits for approval, and what went wrong', async () => {
    const call = toolCall('update_todos', { items: [{ text: 'Delete it', status: 'pending' }] });
    await open(runWithWaitingCall(call, { effect: 'read' }));
    await card().getByText('Delete it').waitFor();
    await open([...runWithCall(call), toolEnd(call, 'error', 'Too many items. Send fewer.')]);
    await card().getByText('Too many items. Send fewer.').waitFor();
    equal(await list().count(), 0);
  });

  describe('of the Plan agent', () => {
    const planning: Pickers = {
      ...samplePickers,
      agent: { value: 'plan', options: [{ value: 'plan', label: 'Plan' }] },
    };
    const carryOut = (): Locator => chat.page.getByRole('button', { name: 'Carry out', exact: true });
    const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

    it('is carried out by a button after the run has ended', async () => {
      await open([]);
      await chat.start(plan(PLAN), planning);
      await list().waitFor();
      equal(await carryOut().count(), 0);
      await chat.events(end);
      await carryOut().click();
      await chat.received('carry-out');
      deepEqual(await violations(chat), []);
    });

    it('has no button with another agent, without steps, or if all are done', async () => {
      await open([]);
      for (const [steps, pickers] of [
        [PLAN, samplePickers],
        [[], planning],
        [[['Done', 'completed']], planning],
      ] as const) {
        await chat.start([...plan(steps), end], pickers);
        equal(await carryOut().count(), 0);
      }
      await chat.start([...plan(PLAN), end], planning);
      await carryOut().waitFor();
    });
  });

  it('G16: shows hidden characters of a step, as plain text on one line', async () => {
    await open(plan([['a\u202eb <b>c</b> \u{e0041}\n\n\n\nd [x](https://e.com)', 'pending']]));
    deepEqual(await items(), ['To do:\na⟨U+202E⟩b <b>c</b> ⟨U+E0041⟩ d [x](https://e.com)']);
  });

  it('leaves room for the conversation however long it is, with the current step in view', async () => {
    const steps = Array.from({ length: 50 }, (_, index): Step => {
      const status = index < 40 ? 'completed' : index === 40 ? 'in_progress' : 'pending';
      return [`${index} ${'long '.repeat(99)}`, status];
    });
    await open(plan(steps), { width: 300, height: 500 });
    await list().waitFor();
    ok((await height(list())) <= 130, String(await height(list())));
    const current = await list().locator('[aria-current="step"]').boundingBox();
    const box = await list().boundingBox();
    ok(current && box && current.y >= box.y - 1 && current.y < box.y + box.height);
    const overflow = await list().evaluate((element) => element.scrollWidth - element.clientWidth);
    ok(overflow <= 0, String(overflow));
    deepEqual(await violations(chat), []);
  });
});

/** A run that has set this list. */
function plan(steps: readonly Step[]): AgentEvent[] {
  const call = toolCall('update_todos', { items: steps.map(([text, status]) => ({ text, status })) });
  return [
    ...runWithCall(call),
    { type: 'tool-start', callId: call.id, title: 'Set the todo list' },
    toolEnd(call, 'success', 'Set.'),
  ];
}
