import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { HostToChat, OutboxState } from '../../src/contract/chat';
import type { AgentEvent } from '../../src/core/words/events';
import {
  runWithCall,
  runWithWaitingCall,
  replyEnd,
  roundStart,
  runStart,
  toolCall,
  toolEnd,
} from '../support/agent/chat-events';
import { idle, samplePickers, type ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };
const write = toolCall('write_file', { path: 'a.txt', content: 'one\ntwo' });
const read = toolCall('read_file', { path: 'b.txt' });
const ask = toolCall('ask_user', { question: 'Which colour?', options: ['red'] });

const question: readonly AgentEvent[] = [
  ...runWithCall(ask),
  { type: 'tool-start', callId: ask.id, title: '' },
  { type: 'question', callId: ask.id, question: 'Which colour?', options: ['red'] },
];

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const;

/** One red pixel. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

function run(text: string, answer: string): AgentEvent[] {
  return [runStart(text), roundStart, { type: 'text', text: answer }, replyEnd, end];
}

function long(runs: number): AgentEvent[] {
  return Array.from({ length: runs }, (_, at) =>
    run(`Question ${at}.`, `Answer ${at}.\n\n${'word '.repeat(20 + (at % 7) * 30)}`),
  ).flat();
}

interface Moment {
  readonly name: string;
  readonly events: readonly AgentEvent[];
  readonly outbox?: OutboxState;
  readonly images?: Extract<HostToChat, { type: 'init' }>['images'];
  /** Does what the user did before the reload. */
  readonly act?: (chat: ChatHarness) => Promise<void>;
  /** The element that this opened, which has the focus. */
  readonly opened?: string;
}

const button = (chat: ChatHarness, name: string): Locator =>
  chat.page.getByRole('button', { name, exact: true });
const message = (chat: ChatHarness): Locator =>
  chat.page.getByRole('textbox', { name: 'Message', exact: true });

const moments: readonly Moment[] = [
  {
    name: 'a reply streams in',
    events: [...run('hello', 'Hi.'), runStart('go'), roundStart, { type: 'text', text: 'Half of **it' }],
    act: (chat) => message(chat).fill('half written'),
  },
  {
    name: 'a call waits and its arguments are being changed',
    events: runWithWaitingCall(write, { parameters }),
    act: async (chat) => {
      await button(chat, 'Edit arguments').click();
      await chat.page.getByRole('textbox', { name: 'content' }).fill('three');
    },
    opened: '.edit-arguments',
  },
  {
    name: 'a call waits and its arguments are being changed as JSON',
    events: runWithWaitingCall(write, { parameters }),
    act: async (chat) => {
      await button(chat, 'Edit arguments').click();
      await button(chat, 'Edit as JSON').click();
      await chat.page.getByLabel('Arguments (JSON)').fill('{ "path": ');
    },
    opened: '.edit-arguments',
  },
  {
    name: 'a call waits and the user is saying why not',
    events: runWithWaitingCall(write),
    act: async (chat) => {
      await button(chat, 'Give a reason…').click();
      await chat.page.getByLabel('Reason').fill('because');
    },
    opened: '.reject-reason',
  },
  {
    name: 'a question is half answered',
    events: question,
    act: (chat) => chat.page.getByLabel('Your answer').fill('a dark'),
  },
  {
    name: 'an earlier message is being changed',
    events: run('first', 'One.'),
    act: async (chat) => {
      await message(chat).fill('draft');
      await button(chat, 'Edit message').focus();
      await chat.page.keyboard.press('Enter');
      await message(chat).fill('first, but other');
    },
  },
  {
    name: 'a queued message is being changed',
    events: [runStart('go'), roundStart, { type: 'text', text: 'Half' }],
    outbox: {
      isWaiting: true,
      queued: [
        { id: 3, text: 'next', images: 0 },
        { id: 4, text: 'last', images: 1 },
      ],
    },
    act: async (chat) => {
      await button(chat, 'Edit queued message').first().click();
      await chat.page.getByLabel('Queued text').fill('next, but other');
    },
    opened: '.queued-message',
  },
  {
    name: 'a draft has images',
    events: run('first', 'One.'),
    images: [{ id: 0, label: 'shot.png', url: PNG }],
    act: (chat) => message(chat).fill('look'),
  },
  {
    name: 'thoughts, a result and all of a long text are unfolded',
    events: [
      runStart('go'),
      roundStart,
      { type: 'reasoning', text: 'Let me **think**.' },
      { type: 'call-end', index: 0, call: read },
      replyEnd,
      toolEnd(read, 'success', Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n')),
      end,
    ],
    act: async (chat) => {
      await chat.page.getByText('Thoughts').click();
      await chat.page.locator('.call summary').click();
      await chat.page.getByRole('button', { name: /^Show all/ }).click();
    },
  },
];

describe('a reloaded chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const log = (): Locator => chat.page.getByRole('log', { name: 'Conversation' });

  for (const { name, events, outbox = idle.outbox, images = [], act } of moments) {
    it(`looks as before: ${name}`, async () => {
      const init = { type: 'init', events, pickers: samplePickers, outbox, images } as const;
      await open(events);
      await chat.load();
      await chat.send(init);
      await act?.(chat);
      const before = await look(chat);
      await chat.reload();
      equal(await log().count(), 0);
      await chat.send(init);
      await log().waitFor();
      deepEqual(await look(chat), before);
    });
  }

  for (const { name, events, outbox = idle.outbox, act, opened } of moments) {
    if (opened === undefined) continue;
    it(`leaves the focus where it is: ${name}`, async () => {
      const init = { type: 'init', events, pickers: samplePickers, outbox, images: [] } as const;
      const focused = (): Promise<number> => chat.page.locator(`${opened} :focus`).count();
      await open(events);
      await chat.load();
      await chat.send(init);
      await act?.(chat);
      equal(await focused(), 1);
      await chat.reload();
      await chat.send(init);
      await chat.page.locator(opened).first().waitFor();
      equal(await focused(), 0);
    });
  }

  it('continues editing a queued message, which the host holds back again', async () => {
    const outbox = { isWaiting: true, queued: [{ id: 3, text: 'next', images: 0 }] };
    const init = {
      type: 'init',
      events: [runStart('go')],
      pickers: samplePickers,
      outbox,
      images: [],
    } as const;
    await open([]);
    await chat.send(init);
    await button(chat, 'Edit queued message').click();
    await chat.page.getByLabel('Queued text').fill('other');
    await chat.reload();
    await chat.send(init);
    deepEqual((await chat.received('queue')).change, { type: 'hold', id: 3 });
    await chat.page.getByLabel('Queued text').press('Enter');
    await chat.page.waitForFunction(() => document.querySelector('.queued-box') === null);
    deepEqual((await chat.received('queue')).change, { type: 'release', id: 3, text: 'other' });
  });

  it('moves the edited text of a queued message into the message box if the host has lost the queue', async () => {
    const outbox = { isWaiting: true, queued: [{ id: 3, text: 'next', images: 0 }] };
    await open([]);
    await chat.send({ type: 'init', events: run('go', 'x'), pickers: samplePickers, outbox, images: [] });
    await button(chat, 'Edit queued message').click();
    await chat.page.getByLabel('Queued text').fill('other');
    await chat.reload();
    await chat.start(run('go', 'x'));
    equal(await message(chat).inputValue(), 'other');
  });

  it('shows the same place, at the same distance from the upper edge', async () => {
    await open(long(150));
    await log().getByText('Question 149.', { exact: true }).waitFor();
    await log().evaluate((box) => void (box.scrollTop = box.scrollHeight * 0.4));
    await button(chat, 'Jump to latest').waitFor();
    await chat.passTime();
    const before = await inSight();
    await chat.reload();
    await chat.start(long(150));
    await chat.passTime();
    const after = await inSight();
    equal(after.text, before.text);
    ok(Math.abs(after.top - before.top) <= 2, `${after.top} instead of ${before.top}`);
  });

  it('is at the end and follows it if the user was there', async () => {
    await open(long(150));
    await chat.passTime();
    await chat.reload();
    await chat.start([...long(150), runStart('go'), roundStart]);
    await chat.events({ type: 'text', text: 'More.\n\n'.repeat(50) });
    await chat.passTime();
    equal(await button(chat, 'Jump to latest').count(), 0);
    ok((await log().evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)) < 2);
  });

  it('is at the end of another conversation, with nothing expanded or half written', async () => {
    const asking = (first: string): AgentEvent[] => [
      ...long(60).map((event) => (event.type === 'run-start' ? { ...event, text: first } : event)),
      ...question,
    ];
    await open(asking('one'));
    await chat.page.getByLabel('Your answer').fill('a dark');
    await log().evaluate((box) => void (box.scrollTop = 0));
    await button(chat, 'Jump to latest').waitFor();
    await chat.passTime();
    await chat.reload();
    await chat.start(asking('two'));
    await chat.passTime();
    equal(await chat.page.getByLabel('Your answer').inputValue(), '');
    equal(await button(chat, 'Jump to latest').count(), 0);
  });

  /** Returns the first paragraph that starts in view, and its distance from the upper edge. */
  function inSight(): Promise<{ readonly text: string; readonly top: number }> {
    return log().evaluate((box) => {
      const edge = box.getBoundingClientRect().top;
      const found = [...box.querySelectorAll('p, .user-message .text')]
        .map((each) => ({ text: each.textContent, top: each.getBoundingClientRect().top - edge }))
        .find(({ top }) => top >= 0);
      return found ?? { text: '', top: 0 };
    });
  }
});

/**
 * Returns the accessibility tree of the page, including values. Does not distinguish buttons that are still inactive.
 */
async function look({ page }: ChatHarness): Promise<readonly string[]> {
  const tree = await page.locator('main').ariaSnapshot();
  return tree.replaceAll(' [disabled]', '').replaceAll(' [active]', '').split('\n');
}
