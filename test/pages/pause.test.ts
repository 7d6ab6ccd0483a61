import { deepEqual, equal } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { replyEnd, roundStart, runStart } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const resume: AgentEvent = { type: 'run-resume', time: 0 };
const done: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };
const budget = { type: 'budget', message: 'Paused after 50 rounds.', canContinue: true } as const;
const compaction: AgentEvent = { type: 'compaction', entries: 1, summary: 'Short.', before: 900, after: 500 };
const change = { path: '/w/a.ts', display: 'a.ts', before: 'b', after: 'a' };
const restore: AgentEvent = { type: 'restore', entry: 0, changes: [change] };

describe('a pause on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });

  it('ends with one click', async () => {
    await open(paused());
    await button('Continue').click();
    deepEqual(await chat.received('resume'), { type: 'resume' });
    await chat.events(resume, roundStart);
    await button('Continue').waitFor({ state: 'detached' });
  });

  it('offers another try if the endpoint has failed', async () => {
    const failed = { type: 'failed', message: 'The server went silent.', canContinue: true } as const;
    await open([runStart('go'), roundStart, { type: 'run-end', outcome: failed }]);
    await button('Try again').click();
    deepEqual(await chat.received('resume'), { type: 'resume' });
    await chat.events(resume, roundStart);
    await button('Try again').waitFor({ state: 'detached' });
  });

  it('can continue after a reply that repeated itself', async () => {
    const failed = { type: 'failed', code: 'repetition', message: 'It repeats.', canContinue: true } as const;
    await open([runStart('go'), roundStart, { type: 'run-end', outcome: failed }]);
    await button('Try again').waitFor();
    await button('Continue').click();
    deepEqual(await chat.received('send'), { type: 'send', text: 'Go on without repeating yourself.' });
  });

  it('outlasts a summary', async () => {
    await open(paused());
    await chat.events(resume, { type: 'compaction-start' });
    await button('Continue').waitFor({ state: 'detached' });
    await chat.events(compaction, done);
    await button('Continue').click();
    deepEqual(await chat.received('resume'), { type: 'resume' });
  });

  it('outlasts a restore of files', async () => {
    await open([...paused(), restore]);
    await chat.page.getByText('Restored to an earlier state: a.ts').waitFor();
    await button('Continue').click();
    deepEqual(await chat.received('resume'), { type: 'resume' });
  });

  it('offers a summary until there is one', async () => {
    await open(paused({ ...budget, compactFirst: true }));
    await button('Summarize and continue').waitFor();
    await chat.events(resume, compaction, done);
    await button('Continue').waitFor();
    equal(await button('Summarize and continue').count(), 0);
    await chat.events({ type: 'compaction-undo' });
    await button('Summarize and continue').waitFor();
  });

  it('ends with another message', async () => {
    await open([...paused(), restore]);
    await button('Continue').waitFor();
    await chat.events(runStart('do this instead'), roundStart, replyEnd, done);
    await button('Continue').waitFor({ state: 'detached' });
  });
});

function paused(outcome: typeof budget & { readonly compactFirst?: true } = budget): AgentEvent[] {
  const reply: AgentEvent = { type: 'text', text: 'I am at it.' };
  return [runStart('go'), roundStart, reply, replyEnd, { type: 'run-end', outcome }];
}
