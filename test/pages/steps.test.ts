import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import type { ToolCall } from '../../src/core/words/messages';
import { replyEnd, roundStart, runStart, toolCall, toolEnd } from '../support/agent/chat-events';
import { violations } from '../support/pages/accessibility';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

describe('steps of a run on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const log = (): Locator => chat.page.getByRole('log');
  const card = (name: string): Locator => log().getByRole('group', { name: `Tool call ${name}` });
  const steps = (name: string | RegExp): Locator => log().getByRole('button', { name, expanded: false });
  const done: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

  it('shows 29 reads in less than 120 px, and each with its name when unfolded', async () => {
    await open(reads(29));
    const box = await steps('Read 29 files').boundingBox();
    ok(box && box.height < 120, String(box?.height));
    const content = await log().locator('.reply').allInnerTexts();
    equal(content.filter((text) => text.includes('Read')).length, 1);
    equal(await card('read_file').count(), 0);
    await steps('Read 29 files').click();
    await card('read_file').first().getByText('src/file-0.ts').waitFor();
    equal(await log().getByRole('button', { name: 'Read 29 files', expanded: true }).count(), 1);
    deepEqual(await violations(chat), []);
  });

  it('takes less than 120 px for a run of 29 reads', async () => {
    await open(reads(29));
    const height = await log()
      .locator('.entry:has(.reply)')
      .evaluateAll((entries) =>
        entries.reduce((sum, entry) => sum + entry.getBoundingClientRect().height, 0),
      );
    ok(height < 120, String(height));
  });

  it('does not fold a single call', async () => {
    await open([...reads(1), ...answer('It is empty.'), done]);
    await card('read_file').getByText('src/file-0.ts').waitFor();
    equal(await log().locator('.steps').count(), 0);
  });

  it('keeps a failed command in sight, with the number of failed tests', async () => {
    const test = called('run_shell_command', { command: 'node --test' });
    const output = `${Array.from({ length: 300 }, (_, at) => `ok ${at}`).join('\n')}\n# fail 3`;
    await open([
      ...reads(3),
      ...reply(test),
      ...ran(test, 'error', output),
      ...reads(2, 3).slice(1),
      ...answer('Fixed.'),
      done,
    ]);
    const row = card('run_shell_command');
    await row.getByText('Failed, 3 tests').waitFor();
    await row.getByText('Ran', { exact: true }).waitFor();
    deepEqual(await log().locator('.steps').allInnerTexts().then(lines), [
      '3 steps Read 3 files',
      '2 steps Read 2 files',
    ]);
    await row.locator('summary').first().click();
    const result = row.getByRole('group', { name: 'Result' });
    equal(await result.evaluate((box) => Math.round(box.scrollTop + box.clientHeight - box.scrollHeight)), 0);
    await result.getByText('# fail 3').waitFor();
    equal(await result.getByText('ok 0', { exact: true }).count(), 0);
  });

  it('folds a finished run to its answer', async () => {
    const search = called('search_text', { query: 'lines' });
    await open([
      ...reads(11),
      ...said('Now I search.', search),
      ...ran(search, 'success', 'src/a.ts:1: lines'),
    ]);
    await log().getByText('Now I search.').waitFor();
    await chat.events(...answer('It is in a.ts.'), done);
    await steps(/^12 steps Read 11 files, searched once$/).waitFor();
    equal(await log().getByText('Now I search.').count(), 0);
    await log().getByText('It is in a.ts.').waitFor();
  });

  it('stays as the user left it, after more calls, the end of the run and a reload', async () => {
    const events = reads(4);
    await open(events);
    await steps('Read 4 files').click();
    await chat.events(...reads(2, 4).slice(1), ...answer('Done.'), done);
    const unfolded = log().getByRole('button', { name: /^6 steps/, expanded: true });
    await unfolded.waitFor();
    equal(await card('read_file').count(), 6);
    await chat.reload();
    await chat.start([...events, ...reads(2, 4).slice(1), ...answer('Done.'), done]);
    await unfolded.waitFor();
    await unfolded.press('Enter');
    await steps(/^6 steps/).waitFor();
    equal(await card('read_file').count(), 0);
  });

  it('keeps the focus in the conversation when a focused call is folded', async () => {
    await open(reads(1));
    await card('read_file').locator('summary').focus();
    await chat.events(...reads(1, 1).slice(1));
    equal(await steps('Read 2 files').count(), 1);
    ok(await log().evaluate((box) => box.contains(document.activeElement)));
  });
});

let calls = 0;

function called(name: string, values: ToolCall['arguments']): ToolCall {
  return { ...toolCall(name, values), id: `step-${++calls}` };
}

function reply(...written: readonly ToolCall[]): AgentEvent[] {
  return [
    roundStart,
    ...written.map((call, index): AgentEvent => ({ type: 'call-end', index, call })),
    { ...replyEnd, reason: 'tool-calls' },
  ];
}

function said(text: string, call: ToolCall): AgentEvent[] {
  const [start, ...rest] = reply(call);
  return [start ?? roundStart, { type: 'text', text }, ...rest];
}

function ran(call: ToolCall, status: 'success' | 'error', result: string): AgentEvent[] {
  return [{ type: 'tool-start', callId: call.id, title: call.name }, toolEnd(call, status, result)];
}

/** A run with a reply for each of these reads. */
function reads(count: number, from = 0): AgentEvent[] {
  const rounds = Array.from({ length: count }, (_, at) => {
    const call = called('read_file', { path: `src/file-${from + at}.ts`, start_line: 1 });
    return [...reply(call), ...ran(call, 'success', 'text')];
  });
  return [runStart('Look at everything'), ...rounds.flat()];
}

function answer(text: string): AgentEvent[] {
  return [roundStart, { type: 'text', text }, replyEnd];
}

function lines(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}
