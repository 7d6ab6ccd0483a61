import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { OutboxState } from '../../src/contract/chat';
import { most } from '../../src/contract/most';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { replyEnd, roundStart, runStart } from '../support/agent/chat-events';
import { ChatHarness, idle, samplePickers } from '../support/pages/chat-harness';

const end: AgentEvent = { type: 'run-end', outcome: { type: 'done' } };

function run(text: string, answer: string): AgentEvent[] {
  return [runStart(text), roundStart, { type: 'text', text: answer }, replyEnd, end];
}

const TALK = [...run('first question', 'One.'), ...run('second question', 'Two.')];

function queue(...texts: readonly string[]): OutboxState {
  return { isWaiting: false, queued: texts.map((text, id) => ({ id, text, images: 0 })) };
}

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('sending messages on the chat page', () => {
  let browser: Browser;
  let chat: ChatHarness;
  const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });
  const box = (): Locator => chat.page.getByRole('textbox', { name: 'Message', exact: true });
  const hasFocus = (of: Locator): Promise<boolean> =>
    of.evaluate((element) => document.activeElement === element);
  const sent = async () => (await chat.posted()).filter(({ type }) => type === 'send');

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    chat = await ChatHarness.open(browser);
  });
  after(() => browser.close());
  beforeEach(() => chat.load());
  afterEach(() => deepEqual(chat.complaints, []));

  describe('an earlier message', () => {
    it('is edited in the message box and sent instead, and the draft is kept', async () => {
      await chat.start(TALK);
      await box().fill('half written');
      await button('Edit message').first().focus();
      await chat.page.keyboard.press('Enter');
      equal(await box().inputValue(), 'first question');
      ok(await hasFocus(box()));
      match(
        await chat.page.getByRole('status').filter({ hasText: 'editing' }).innerText(),
        /removes all later messages/,
      );
      equal(await button('Retry').count(), 0);
      await box().fill('another question');
      await box().press('Enter');
      deepEqual(await chat.received('send'), {
        ...{ type: 'send', text: 'another question' },
        instead: { entry: 0, text: 'first question' },
      });
      equal(await box().inputValue(), 'half written');
      equal(await button('Cancel editing').count(), 0);
    });

    for (const way of ['Escape', 'Cancel editing']) {
      it(`stays unchanged after ${way}`, async () => {
        await chat.start(TALK);
        await box().fill('half written');
        await button('Edit message').last().click({ force: true });
        if (way === 'Escape') await box().press('Escape');
        else await button(way).click();
        equal(await box().inputValue(), 'half written');
        ok(await hasFocus(box()));
        deepEqual(await sent(), []);
      });
    }

    it('is still being edited after a reload, and if the host did not accept it', async () => {
      await chat.start(TALK);
      await button('Edit message').last().click({ force: true });
      await box().fill('changed');
      await chat.reload();
      await chat.start(TALK);
      equal(await box().inputValue(), 'changed');
      await box().press('Enter');
      const instead = { entry: 2, text: 'second question' };
      deepEqual((await chat.received('send')).instead, instead);
      await chat.send({ type: 'unsent', text: 'changed', instead });
      await button('Cancel editing').waitFor();
      await box().press('Enter');
      deepEqual(
        (await sent()).map((each) => 'instead' in each && each.instead),
        [instead, instead],
      );
    });

    it('is sent again unchanged or with a choice, but not during a run', async () => {
      await chat.start(TALK);
      await button('Retry').last().click({ force: true });
      deepEqual(await chat.received('retry'), { type: 'retry', entry: 2 });
      ok(await hasFocus(box()));
      await button('Retry with another model or protocol').first().click({ force: true });
      deepEqual(await chat.received('retry'), { type: 'retry', entry: 0, isChosen: true });
      await chat.events(runStart('third'));
      await button('Stop').waitFor();
      equal(await button('Retry').count(), 0);
      equal(await button('Edit message').count(), 0);
    });

    it('keeps later messages visible on request, without buttons', async () => {
      await chat.start([...TALK, { type: 'rewind', entry: 0 }, ...run('other question', 'Three.')]);
      const log = chat.page.getByRole('log');
      await log.getByText('You went back to this point. 2 messages').waitFor();
      equal(await log.getByText('second question').count(), 0);
      await log.getByText('Show removed messages').click();
      await log.getByText('second question').waitFor();
      await log.getByText('Two.').waitFor();
      equal(await button('Retry').count(), 1);
    });
  });

  describe('messages during a run', () => {
    beforeEach(() => chat.start([runStart('go'), roundStart]));

    it('are queued by Enter and interrupt by Ctrl+Enter, each also by its button', async () => {
      await box().fill('a');
      await box().press('Enter');
      equal(await box().inputValue(), '');
      await box().fill('b');
      await box().press('Control+Enter');
      await box().fill('c');
      await button('Queue message').click();
      ok(await hasFocus(box()));
      await box().fill('d');
      await button('Interrupt and send').click();
      ok(await hasFocus(box()));
      deepEqual(await sent(), [
        { type: 'send', text: 'a' },
        { type: 'send', text: 'b', interrupts: true },
        { type: 'send', text: 'c' },
        { type: 'send', text: 'd', interrupts: true },
      ]);
      const items = chat.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
      deepEqual(
        (await items.allInnerTexts()).map((text) => text.trim()),
        ['d', 'b', 'a', 'c'],
      );
    });

    it('can be removed from the queue, without losing the focus', async () => {
      await chat.send({ type: 'outbox', outbox: queue('a', 'b') });
      await button('Remove queued message').first().click();
      deepEqual((await chat.received('queue')).change, { type: 'remove', id: 0 });
      const [, b] = queue('a', 'b').queued;
      ok(b);
      await chat.send({ type: 'outbox', outbox: { isWaiting: false, queued: [b] } });
      await chat.page.waitForFunction(() => document.querySelectorAll('.queued-message').length === 1);
      ok(await hasFocus(button('Remove queued message')));
      await chat.page.keyboard.press('Enter');
      deepEqual((await chat.received('queue')).change, { type: 'remove', id: 1 });
      await chat.send({ type: 'outbox', outbox: queue() });
      await chat.page.waitForFunction(() => document.activeElement?.matches('.message'));
    });

    it('can be edited in the queue, which holds them back', async () => {
      await chat.send({ type: 'outbox', outbox: queue('a', 'b') });
      const edited = chat.page.getByRole('textbox', { name: 'Queued text' });
      await button('Edit queued message').last().click();
      deepEqual((await chat.received('queue')).change, { type: 'hold', id: 1 });
      ok(await hasFocus(edited));
      ok(await button('Edit queued message').isDisabled());
      await edited.fill('better');
      await edited.press('Enter');
      deepEqual((await chat.received('queue')).change, { type: 'release', id: 1, text: 'better' });
      ok(await hasFocus(button('Edit queued message').last()));
      await chat.page.keyboard.press('Enter');
      await edited.fill('worse');
      await edited.press('Escape');
      deepEqual((await chat.received('queue')).change, { type: 'release', id: 1 });
    });

    it('are limited to the length that the host accepts', async () => {
      await chat.send({ type: 'outbox', outbox: queue('a') });
      await button('Edit queued message').click();
      for (const name of ['Message', 'Queued text']) {
        const field = chat.page.getByRole('textbox', { name, exact: true });
        equal(await field.getAttribute('maxlength'), String(most.message), name);
      }
    });

    it('say when the queue waits, and are sent by a click', async () => {
      await chat.send({ type: 'outbox', outbox: queue('a') });
      await chat.page.getByText('sent when the run ends').waitFor();
      await chat.send({ type: 'outbox', outbox: { ...queue('a'), isWaiting: true } });
      await button('Continue with queued messages').click();
      deepEqual((await chat.received('queue')).change, { type: 'go-on' });
      ok(await hasFocus(box()));
    });

    it('are restored if the host no longer knows them', async () => {
      await box().fill('a');
      await box().press('Enter');
      await box().fill('b');
      await box().press('Enter');
      await box().fill('now');
      await chat.reload();
      const events = [runStart('go'), roundStart, end, ...run('a', 'Yes.')];
      await chat.send({ type: 'init', events, pickers: samplePickers, ...idle });
      await chat.page.getByText('Yes.').waitFor();
      equal(await box().inputValue(), 'b\nnow');
    });
  });

  describe('the arrow keys', () => {
    it('go through earlier messages, and back to the empty box', async () => {
      await chat.start([...TALK, ...run('second question', 'Again.')]);
      const seen: string[] = [];
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
        await box().press(key);
        seen.push(await box().inputValue());
      }
      deepEqual(seen, ['second question', 'first question', 'first question', 'second question', '', '']);
    });

    it('keep new or changed text, and a caret in the middle', async () => {
      await chat.start(TALK);
      await box().fill('mine');
      await box().press('ArrowUp');
      equal(await box().inputValue(), 'mine');
      await box().fill('');
      await box().press('ArrowUp');
      await box().press('!');
      await box().press('ArrowUp');
      equal(await box().inputValue(), 'second question!');
      await box().fill('');
      await box().press('ArrowUp');
      await box().press('ArrowLeft');
      await box().press('ArrowUp');
      equal(await box().inputValue(), 'second question');
    });
  });

  describe('files', () => {
    /** Drops something on the composer, or pastes it. */
    const give = (kind: 'paste' | 'drop', data: Readonly<Record<string, string>>, file?: GivenFile) =>
      box().evaluate(
        (area, [event, texts, given]) => {
          const transfer = new DataTransfer();
          for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
          if (given) {
            const bytes = Uint8Array.from(atob(given.data), (each) => each.charCodeAt(0));
            transfer.items.add(new File([bytes], given.name, { type: given.type }));
          }
          const options = { bubbles: true, cancelable: true };
          const made =
            event === 'paste'
              ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
              : new DragEvent('drop', { ...options, dataTransfer: transfer });
          return !area.dispatchEvent(made);
        },
        [kind, data, file] as const,
      );
    const note = (): Locator => chat.page.locator('.composer-note');

    it('that are pasted images go to the host, and are shown until they are removed', async () => {
      await chat.start();
      ok(await give('paste', {}, { name: 'image.png', type: 'image/png', data: PNG }));
      deepEqual(await chat.received('attach-image'), { type: 'attach-image', name: '', data: PNG });
      const url = `data:image/png;base64,${PNG}`;
      await chat.send({ type: 'images', images: [{ id: 7, label: 'Pasted image', url }] });
      const shown = chat.page
        .getByRole('list', { name: 'Images' })
        .getByRole('img', { name: 'Pasted image' });
      await shown.waitFor();
      equal(await shown.evaluate((image) => (image as HTMLImageElement).naturalWidth), 1);
      await button('Remove Pasted image').click();
      deepEqual(await chat.received('remove-image'), { type: 'remove-image', id: 7 });
      ok(await hasFocus(box()));
    });

    it('that are images of a draft are kept while an earlier message is edited', async () => {
      const image = { name: 'image.png', type: 'image/png', data: PNG };
      const labels = (): Promise<readonly (string | null)[]> =>
        chat.page
          .locator('.image-chip img')
          .evaluateAll((all) => all.map((each) => each.getAttribute('alt')));
      const url = `data:image/png;base64,${PNG}`;
      const images = [{ id: 7, label: 'of the draft', url }];
      await chat.start(TALK);
      await chat.send({ type: 'images', images });
      await chat.page.getByRole('img', { name: 'of the draft' }).waitFor();
      await button('Edit message').first().focus();
      await chat.page.keyboard.press('Enter');
      deepEqual(await labels(), []);
      ok(await give('paste', {}, image));
      const { isForEarlier } = await chat.received('attach-image');
      equal(isForEarlier, true);
      await chat.send({
        type: 'images',
        images: [...images, { id: 8, label: 'of the other', url, isForEarlier }],
      });
      await chat.page.getByRole('img', { name: 'of the other' }).waitFor();
      deepEqual(await labels(), ['of the other']);
      await button('Cancel editing').click();
      deepEqual(await labels(), ['of the draft', 'of the other']);
    });

    it('that are images copied with their text are pasted as text', async () => {
      await chat.start();
      const image = { name: 'a.png', type: 'image/png', data: PNG };
      equal(await give('paste', { 'text/plain': 'cells' }, image), false);
      deepEqual(
        (await chat.posted()).filter(({ type }) => type === 'attach-image'),
        [],
      );
    });

    it('from the explorer become mentions at the caret', async () => {
      await chat.start();
      await box().fill('see  please');
      await box().evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(4, 4));
      const list = 'file:///w/a.ts\r\nfile:///w/b.ts';
      ok(await give('drop', { 'text/uri-list': list }));
      deepEqual((await chat.received('attach-uris')).uris, ['file:///w/a.ts', 'file:///w/b.ts']);
      await chat.send({ type: 'insert', text: '@file:a.ts @file:b.ts ' });
      await chat.page.waitForFunction(() => document.querySelector('textarea')?.value.includes('b.ts'));
      equal(await box().inputValue(), 'see @file:a.ts @file:b.ts  please');
    });

    it('of an unknown place are refused with a sentence, which disappears when the user types', async () => {
      await chat.start();
      ok(await give('drop', {}, { name: 'a.zip', type: 'application/zip', data: 'AAAA' }));
      match(await note().innerText(), /Only images can be pasted or dropped here/);
      await box().press('x');
      equal(await note().innerText(), '');
      await chat.send({ type: 'note', text: 'Demo cannot see images.' });
      await note().getByText('Demo cannot see images.').waitFor();
    });

    it('are distinguished from web links, which become text', async () => {
      await chat.start();
      equal(await give('drop', { 'text/uri-list': 'https://example.com/a.png' }), false);
    });
  });

  describe('commands', () => {
    const list = (): Locator => chat.page.getByRole('listbox', { name: 'Commands' });
    const options = async (): Promise<readonly string[]> =>
      (await list().getByRole('option').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

    it('are offered with the skills as soon as the slash is typed', async () => {
      await chat.start();
      await box().pressSequentially('/');
      await chat.received('list-skills');
      await chat.send({
        type: 'skills',
        skills: [
          { name: 'review', description: 'Reviews a change' },
          { name: 'new', description: 'Has the name of a command' },
        ],
      });
      await list().getByText('/review').waitFor();
      deepEqual(
        (await options()).map((text) => text.split(' ')[0]),
        [
          '/new',
          '/compact',
          '/model',
          '/protocol',
          '/agent',
          '/tools',
          '/export',
          '/sandbox',
          '/help',
          '/review',
        ],
      );
      await box().pressSequentially('re');
      deepEqual(await options(), ['/review Reviews a change']);
      const option = list().getByRole('option').first();
      equal(await box().getAttribute('aria-activedescendant'), await option.getAttribute('id'));
      await box().press('Tab');
      equal(await box().inputValue(), '/review ');
      equal(await list().count(), 0);
      await box().pressSequentially('the last commit');
      await box().press('Enter');
      equal((await chat.received('send')).text, '/review the last commit');
    });

    it('are offered with the prompts of servers, even if these arrive later', async () => {
      await chat.start();
      await box().pressSequentially('/mcp');
      await chat.received('list-skills');
      equal(await list().count(), 0);
      await chat.send({
        type: 'servers',
        servers: {
          prompts: [
            { name: 'mcp.weather.daily', description: 'What is new', server: 'weather' },
            { name: 'mcp.weather.bare', description: '', server: 'weather' },
          ],
          hasResources: false,
        },
      });
      await list().waitFor();
      deepEqual(await options(), [
        '/mcp.weather.daily What is new',
        '/mcp.weather.bare Prompt from the MCP server weather',
      ]);
      await box().press('Enter');
      equal(await box().inputValue(), '/mcp.weather.daily');
      await box().press('Enter');
      equal((await chat.received('send')).text, '/mcp.weather.daily');
    });

    it('run by Enter once they are complete, and leave the box empty', async () => {
      await chat.start();
      await box().pressSequentially('/pro');
      await box().press('Enter');
      equal(await box().inputValue(), '/protocol');
      await box().press('Enter');
      deepEqual(await chat.received('run-command'), { type: 'run-command', command: 'protocol' });
      equal(await box().inputValue(), '');
      deepEqual(await sent(), []);
    });

    it('are recognized only if they are the whole message', async () => {
      await chat.start();
      for (const text of ['/news', '/new now', '/etc/hosts', 'see /new']) {
        await box().fill(text);
        equal(await list().count(), 0);
        await box().press('Enter');
        equal((await chat.received('send')).text, text);
        await chat.start();
      }
    });

    it('are explained by /help, which Escape closes', async () => {
      await chat.start();
      await box().fill('/help');
      await box().press('Enter');
      const panel = chat.page.getByRole('region', { name: 'Commands and keyboard shortcuts' });
      ok(await hasFocus(panel));
      match(await panel.innerText(), /Ctrl\+Enter\s+Interrupt the run and send/);
      await chat.page.keyboard.press('Escape');
      equal(await panel.count(), 0);
      ok(await hasFocus(box()));
    });
  });

  describe('the meter', () => {
    const size = { total: 9_000, tools: 3_000, fixed: 4_000, raw: 9_000, isRough: false };
    const meter = (): Locator => chat.page.getByRole('meter', { name: 'Context window' });

    it('shows what the window holds, and follows changes', async () => {
      await chat.start();
      equal(await meter().count(), 0);
      await chat.events(runStart('go'), { ...roundStart, size, window: 32_000 });
      await meter().waitFor();
      equal((await meter().innerText()).trim(), '9k of 32k tokens · 28 %');
      match(
        (await meter().getAttribute('aria-valuetext')) ?? '',
        /tools 3,000, instructions 1,000, conversation 5,000/,
      );
      await chat.events({ ...replyEnd, usage: { inputTokens: 29_000, outputTokens: 1_000 } }, end);
      await chat.page.getByText('30k of 32k tokens').waitFor();
      equal(await meter().getAttribute('aria-valuenow'), '30000');
    });

    it('shows the parts of the tools and the conversation', async () => {
      const parts = {
        ...{ instructions: 1_000, tools: 3_000, conversation: 5_000, areToolsApart: false },
        shares: { definitions: 2_000, list: 400, calls: 700, results: 4_000 },
      };
      await chat.start([runStart('go'), { ...roundStart, size: { ...size, parts }, window: 32_000 }]);
      await meter().waitFor();
      const all =
        /definitions 2,000, list of on-demand tools 400, call format 600\. Conversation: messages 300, calls 700, results 4,000\./;
      match((await meter().getAttribute('aria-valuetext')) ?? '', all);
      match((await meter().getAttribute('title')) ?? '', all);
    });

    it('shows only the tokens if the window is unknown', async () => {
      await chat.start([runStart('go'), { ...roundStart, size }]);
      await chat.page.getByText('9k tokens').waitFor();
      equal(await meter().count(), 0);
    });
  });

  it('has no accessibility violations', async () => {
    const page = await ChatHarness.open(browser, { width: 300 });
    try {
      const size = { total: 9_000, tools: 3_000, fixed: 4_000, raw: 9_000, isRough: false };
      const round: AgentEvent = { ...roundStart, size, window: 32_000 };
      await page.start([
        runStart('zero'),
        round,
        replyEnd,
        end,
        ...TALK,
        { type: 'rewind', entry: 2 },
        ...run('third question', 'Three.'),
      ]);
      const url = `data:image/png;base64,${PNG}`;
      await page.send({ type: 'images', images: [{ id: 7, label: 'Pasted image', url }] });
      await page.send({ type: 'outbox', outbox: { ...queue('one more', 'and more'), isWaiting: true } });
      await page.page.getByRole('button', { name: 'Edit queued message' }).first().click();
      await page.page.getByRole('button', { name: 'Edit message' }).first().focus();
      await page.page.keyboard.press('Enter');
      await page.page.getByRole('button', { name: 'Cancel editing' }).waitFor();
      await page.send({ type: 'note', text: 'Demo cannot see images.' });
      await page.page.getByRole('textbox', { name: 'Message' }).fill('/');
      await page.page.getByRole('option', { name: '/help' }).waitFor();
      deepEqual(await violationsInAnyTheme(page), []);
    } finally {
      await page.close();
    }
  });
});

interface GivenFile {
  readonly name: string;
  readonly type: string;
  /** In base64. */
  readonly data: string;
}
