import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatToHost } from '../../src/contract/chat';
import type { ApprovalRequest } from '../../src/core/words/approval';
import type { AgentEvent } from '../../src/core/words/events';
import type { JsonSchema } from '../../src/core/words/schema';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import {
  runWithCall,
  runWithWaitingCall,
  replyEnd,
  roundStart,
  runStart,
  toolCall,
  toolEnd,
} from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const parameters: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where the file lies.' },
    content: { type: 'string' },
    overwrite: { type: 'boolean' },
    depth: { type: 'integer' },
  },
  required: ['path', 'content'],
};
const call = toolCall('write_file', { path: 'a.txt', content: 'one\ntwo' });

describe('changing a call on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const card = (name = 'write_file'): Locator =>
    chat.page.getByRole('group', { name: `Tool call ${name}`, exact: true });
  const button = (name: string): Locator => card().getByRole('button', { name, exact: true });
  const field = (name: string): Locator => card().getByRole('group', { name: 'Arguments' }).getByLabel(name);
  const decisions = async (): Promise<ChatToHost[]> =>
    (await chat.posted()).filter(({ type }) => type === 'decide');
  /** The host's message after an edit. */
  const asksAgain = (more: Partial<ApprovalRequest>): Promise<void> =>
    chat.events({
      type: 'approval-request',
      request: { call, effect: 'write', title: 'A title', accesses: [], parameters, ...more },
      reason: 'it changes a file',
      grants: [],
    });

  it('has a field for each argument, and sends the changes', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    equal(await field('path').inputValue(), 'a.txt');
    equal(await field('content').inputValue(), 'one\ntwo');
    ok(await button('Run').isDisabled(), 'nothing runs during the edit');
    await field('path').fill('b.txt');
    await field('overwrite').selectOption('true');
    await field('depth').fill('3');
    await button('Apply changes').click();
    deepEqual(await decisions(), [
      {
        type: 'decide',
        callId: 'c1',
        answer: {
          type: 'edit',
          arguments: '{"path":"b.txt","content":"one\\ntwo","overwrite":true,"depth":3}',
        },
      },
    ]);
  });

  it('shows the changed call before it runs', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    await field('path').fill('b.txt');
    await button('Apply changes').click();
    await asksAgain({ edited: { path: 'b.txt', content: 'one\ntwo' } });
    await field('path').waitFor({ state: 'detached' });
    await card().getByText('b.txt').first().waitFor();
    await card().getByText('Changed', { exact: true }).waitFor();
    await button('Run').and(chat.page.locator(':enabled')).click();
    deepEqual(
      (await decisions()).map((each) => each.type === 'decide' && each.answer.type),
      ['edit', 'run'],
    );
  });

  it('keeps the entered text if it is refused', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    await field('path').fill('/etc/passwd');
    await button('Apply changes').click();
    await asksAgain({ problem: 'That is not allowed: it lies outside.' });
    await card().getByRole('alert').getByText('That is not allowed: it lies outside.').waitFor();
    equal(await field('path').inputValue(), '/etc/passwd');
    await button('Apply changes').and(chat.page.locator(':enabled')).waitFor();
  });

  it('accepts JSON too, and says what is wrong with it', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    await field('path').fill('b.txt');
    await button('Edit as JSON').click();
    const box = card().getByRole('textbox', { name: 'Arguments (JSON)' });
    deepEqual(JSON.parse(await box.inputValue()), { path: 'b.txt', content: 'one\ntwo' });
    await box.fill('{"path": ');
    await button('Apply changes').click();
    match(await card().getByRole('alert').innerText(), /not a JSON object/);
    deepEqual(await decisions(), []);
    await box.fill('{"path":"c.txt","content":"x"}');
    await button('Edit as form').click();
    equal(await field('path').inputValue(), 'c.txt');
    await button('Apply changes').click();
    equal((await decisions()).length, 1);
  });

  it('names the field whose JSON is wrong', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    await field('depth').fill('three');
    await button('Apply changes').click();
    match(await card().getByRole('alert').innerText(), /"depth" is not valid JSON/);
    deepEqual(await decisions(), []);
  });

  it('is cancelled with Escape', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').press('Enter');
    await field('path').fill('b.txt');
    await field('path').press('Escape');
    await field('path').waitFor({ state: 'detached' });
    ok(await button('Edit arguments').evaluate((element) => element === document.activeElement));
    deepEqual(await decisions(), []);
  });

  it('shows calls of a sub-agent inside the call that started it', async () => {
    await open(delegating());
    const inner = card('call_sub_agent').getByRole('group', { name: 'Tool call write_file' });
    await inner.getByRole('button', { name: 'Run', exact: true }).and(chat.page.locator(':enabled')).click();
    deepEqual(await decisions(), [{ type: 'decide', callId: 'inner', answer: { type: 'run' } }]);
    await chat.page.getByRole('status').getByText('write_file, Write b.txt').waitFor();
  });

  it('opens the lab for each reply, also for one of a sub-agent', async () => {
    await open(delegating());
    const buttons = chat.page.getByRole('button', { name: 'Inspect', exact: true });
    const inner = card('call_sub_agent').getByRole('button', { name: 'Inspect', exact: true });
    await inner.focus();
    await chat.page.keyboard.press('Enter');
    deepEqual(await chat.received('inspect'), { type: 'inspect', reply: { number: 0, callId: 'c1' } });
    await buttons.last().focus();
    await chat.page.keyboard.press('Enter');
    deepEqual(await chat.received('inspect'), { type: 'inspect', reply: { number: 0 } });
  });

  it('collapses a finished sub-agent', async () => {
    const outer = toolCall('call_sub_agent', { task: 'Write it.' });
    await open([
      ...delegating(),
      { type: 'sub-agent', callId: 'c1', event: { type: 'run-end', outcome: { type: 'done' } } },
      toolEnd(outer, 'success', 'It is written.'),
    ]);
    const group = card('call_sub_agent').getByRole('group', { name: 'Sub-agent' });
    await card('call_sub_agent').locator('summary').first().click();
    await group.getByText('1 request · 1 call').click();
    await group.getByRole('group', { name: 'Tool call write_file' }).waitFor();
  });

  it('has no accessibility violations', async () => {
    await open(runWithWaitingCall(call, { parameters }));
    await button('Edit arguments').click();
    await field('path').waitFor();
    deepEqual(await violationsInAnyTheme(chat), []);
    await chat.start(delegating());
    await card('call_sub_agent').first().waitFor();
    deepEqual(await violationsInAnyTheme(chat), []);
  });
});

/** A sub-agent whose first call waits. */
function delegating(): AgentEvent[] {
  const outer = toolCall('call_sub_agent', { task: 'Write it.' });
  const inner = { ...toolCall('write_file', { path: 'b.txt', content: 'x' }), id: 'inner' };
  const events: AgentEvent[] = [
    runStart('Write it.'),
    roundStart,
    { type: 'text', text: 'I will write it.' },
    { type: 'call-end', index: 0, call: inner },
    replyEnd,
    {
      type: 'approval-request',
      request: { call: inner, effect: 'write', title: 'Write b.txt', accesses: [], parameters },
      reason: 'it changes a file',
      grants: [],
    },
  ];
  return [
    ...runWithCall(outer),
    { type: 'tool-start', callId: 'c1', title: 'Sub-agent' },
    ...events.map((event): AgentEvent => ({ type: 'sub-agent', callId: 'c1', event })),
  ];
}
