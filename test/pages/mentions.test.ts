import { deepEqual, equal, match } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { Completion, HostToChat, MessageContext } from '../../src/contract/chat';
import type { Attachment } from '../../src/core/words/attachment';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { ChatHarness, idle, samplePickers } from '../support/pages/chat-harness';

const PATHS: readonly Completion[] = [
  { type: 'file', path: 'src/parser.ts' },
  { type: 'file', path: 'test/parser test.ts' },
  { type: 'folder', path: 'src/parsers/' },
];

const RESOURCES: readonly Completion[] = [
  { type: 'resource', server: 'docs', uri: 'file:///guide.md', name: 'The guide' },
  { type: 'resource', server: 'my docs', uri: 'note://a guide', name: 'Guide' },
];

const CONTEXT: MessageContext = {
  withEditor: true,
  items: [
    { source: 'rules', label: 'AGENTS.md', title: 'AGENTS.md in web is part of the instructions (2 KiB).' },
    { source: 'rules', label: 'CLAUDE.md', title: 'CLAUDE.md in api is not used: a link.', isProblem: true },
    { source: 'editor', label: 'parser.ts and 2 more', title: 'Names of open files: …' },
    {
      source: 'selection',
      label: 'parser.ts:3-10',
      title: 'Selected text: src/parser.ts:3-10',
    },
  ],
};

const ATTACHED: readonly Attachment[] = [
  { type: 'text', source: 'editor', label: 'Editor', text: 'Active file: src/parser.ts' },
  { type: 'text', source: 'selection', label: 'src/parser.ts:3-10', text: '' },
  { type: 'text', source: 'file', label: 'notes\u202e.txt', text: '' },
  { type: 'text', source: 'folder', label: 'src/', text: '' },
  { type: 'image', label: 'shot.png', image: { mediaType: 'image/png', data: '' } },
  { type: 'text', source: 'prompt', label: '/mcp.weather.daily', text: '' },
  { type: 'text', source: 'resource', label: 'docs: file:///guide.md', text: '' },
  { type: 'missing', label: '.env', problem: 'You did not allow it. Send it again to be asked.' },
];

describe('mentions on the chat page', () => {
  let browser: Browser;
  let chat: ChatHarness;
  const box = (): Locator => chat.page.getByRole('textbox', { name: 'Message', exact: true });
  const list = (): Locator => chat.page.getByRole('listbox', { name: 'Mentions' });
  const options = async (): Promise<readonly string[]> =>
    (await list().getByRole('option').allInnerTexts()).map(inOneLine);
  const chosen = async (): Promise<string> =>
    inOneLine(await list().getByRole('option', { selected: true }).innerText());

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    chat = await ChatHarness.open(browser);
  });
  after(() => browser.close());
  beforeEach(async () => {
    await chat.load();
    await chat.start();
  });
  afterEach(() => deepEqual(chat.complaints, []));

  /** Types, and answers the search for the path typed so far. */
  async function type(text: string, paths = PATHS): Promise<void> {
    const before = (await chat.posted()).length;
    await box().pressSequentially(text);
    const written = await box().evaluate((element: HTMLTextAreaElement) =>
      element.value.slice(0, element.selectionStart),
    );
    const wanted = /@(?:file:|folder:|mcp:)?"?([^@"]*)$/.exec(written)?.[1];
    await chat.page.waitForFunction(
      ([count, wanted]) => {
        const { posted } = window as unknown as { posted: { type: string; query?: string }[] };
        return posted.slice(count).some(({ type, query }) => type === 'complete' && query === wanted);
      },
      [before, wanted] as const,
    );
    await chat.send({ type: 'completions', id: (await chat.received('complete')).id, items: paths });
  }

  it('offers the four kinds as soon as @ is typed, and announces them to screen readers', async () => {
    await type('see @', []);
    deepEqual(await options(), [
      '@file: File or image',
      '@folder: Folder contents',
      '@problems Errors and warnings',
      '@terminal Last command and its output',
    ]);
    const first = list().getByRole('option').first();
    equal(await box().getAttribute('aria-controls'), await list().getAttribute('id'));
    equal(await box().getAttribute('aria-activedescendant'), await first.getAttribute('id'));
    equal(await box().evaluate((element) => document.activeElement === element), true);
  });

  it('inserts a resource of an MCP server, if there is one', async () => {
    await chat.send({ type: 'servers', servers: { prompts: [], hasResources: true } });
    await type('@mc', []);
    deepEqual(await options(), ['@mcp: Resource from an MCP server']);
    await box().press('Tab');
    await type('gui', RESOURCES);
    const asked = await chat.received('complete');
    deepEqual([asked.only, asked.query], ['resource', 'gui']);
    deepEqual(await options(), ['The guide docs: file:///guide.md', 'Guide my docs: note://a guide']);
    await box().press('ArrowDown');
    await box().press('Enter');
    equal(await box().inputValue(), '@mcp:"my docs:note://a guide" ');
    await type('and @mcp:docs:file', RESOURCES);
    deepEqual(await options(), ['The guide docs: file:///guide.md']);
    await box().press('Enter');
    await box().press('Enter');
    const { text } = await chat.received('send');
    equal(text, '@mcp:"my docs:note://a guide" and @mcp:"docs:file:///guide.md" ');
  });

  it('moves through them with the arrow keys, and wraps at both ends', async () => {
    await type('@', []);
    for (const [key, wanted] of [
      ['ArrowDown', /^@folder/],
      ['ArrowUp', /^@file/],
      ['ArrowUp', /^@terminal/],
      ['ArrowDown', /^@file/],
    ] as const) {
      await box().press(key);
      match(await chosen(), wanted);
    }
    equal(await box().inputValue(), '@');
  });

  for (const key of ['Enter', 'Tab']) {
    it(`inserts a kind and then a path by ${key}, and continues after it`, async () => {
      await type('@fil', []);
      await box().press(key);
      equal(await box().inputValue(), '@file:');
      await type('par');
      const asked = await chat.received('complete');
      deepEqual([asked.only, asked.query], ['file', 'par']);
      await box().press('ArrowDown');
      equal(await chosen(), 'parser.ts src/');
      await box().press('ArrowDown');
      equal(await chosen(), 'parser test.ts test/');
      await box().press(key);
      equal(await box().inputValue(), '@file:"test/parser test.ts" ');
      equal(await list().count(), 0);
      await box().pressSequentially('please');
      await box().press('Enter');
      equal((await chat.received('send')).text, '@file:"test/parser test.ts" please');
    });
  }

  it('inserts the clicked item, even in the middle of a text', async () => {
    await box().fill('Compare  with that.');
    await box().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8));
    await type('@pars');
    await list().getByRole('option', { name: 'parser.ts src/' }).click();
    equal(await box().inputValue(), 'Compare @file:src/parser.ts with that.');
    equal(await box().evaluate((element: HTMLTextAreaElement) => element.selectionStart), 28);
    equal(await list().count(), 0);
  });

  it('follows the caret into the mention, and replaces all of it', async () => {
    await type('@src/par');
    await list().waitFor();
    for (let i = 0; i < 3; i++) await box().press('ArrowLeft');
    await chat.page.waitForFunction(() => {
      const { posted } = window as unknown as { posted: { type: string; query?: string }[] };
      return posted.some(({ query }) => query === 'src/');
    });
    await chat.send({ type: 'completions', id: (await chat.received('complete')).id, items: PATHS });
    await list().getByRole('option', { name: 'parser.ts src/' }).click();
    equal(await box().inputValue(), '@file:src/parser.ts ');
  });

  it('replaces the whole mention even right after the caret has moved', async () => {
    await type('@src/parser');
    await list().waitFor();
    await box().evaluate((element: HTMLTextAreaElement) => {
      const press = (key: string): void => {
        element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      };
      element.setSelectionRange(5, 5);
      press('Enter');
    });
    equal(await box().inputValue(), '@folder:src/parsers/ ');
  });

  it('closes when the caret leaves the mention, and Enter sends', async () => {
    for (const leave of [() => box().press('Home'), () => box().click({ position: { x: 4, y: 8 } })]) {
      await chat.load();
      await chat.start();
      await type('@src/par');
      await list().waitFor();
      await leave();
      await list().waitFor({ state: 'detached' });
      await box().press('Enter');
      equal((await chat.received('send')).text, '@src/par');
    }
  });

  it('sends on Home and Enter even if the list is still open', async () => {
    await type('@src/par');
    await list().waitFor();
    await box().evaluate((element: HTMLTextAreaElement) => {
      element.setSelectionRange(0, 0);
      const options = { key: 'Enter', bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', options));
    });
    equal((await chat.received('send')).text, '@src/par');
  });

  it('closes on Escape until another mention starts, and then Enter sends', async () => {
    await type('@par');
    await list().waitFor();
    await box().press('Escape');
    equal(await list().count(), 0);
    await box().pressSequentially('s');
    equal(await list().count(), 0);
    await type(' and @');
    await list().waitFor();
    await box().press('Escape');
    await box().press('Enter');
    equal((await chat.received('send')).text, '@pars and @');
    equal(await list().count(), 0);
  });

  it('sends on Enter if the mention is complete', async () => {
    await type('@file:src/parser.ts');
    await list().waitFor();
    await box().press('Enter');
    equal((await chat.received('send')).text, '@file:src/parser.ts');
  });

  it('breaks the line on Shift+Enter while the list is open', async () => {
    await type('@', []);
    await box().press('Shift+Enter');
    equal(await box().inputValue(), '@\n');
    equal(await list().count(), 0);
  });

  it('ignores the keys of an input method', async () => {
    await type('@par');
    await list().waitFor();
    await box().evaluate((element) => {
      const options = { key: 'Enter', bubbles: true, cancelable: true, isComposing: true };
      element.dispatchEvent(new KeyboardEvent('keydown', options));
    });
    equal(await box().inputValue(), '@par');
    equal((await chat.posted()).filter((message) => message.type === 'send').length, 0);
  });

  it('offers no path that no longer matches, and none from a late answer', async () => {
    await type('@par');
    deepEqual(await options(), ['parsers/ src/', 'parser.ts src/', 'parser test.ts test/']);
    await box().pressSequentially('serz');
    await list().waitFor({ state: 'detached' });
    await box().fill('');
    await box().pressSequentially('@folder:');
    await chat.send({ type: 'completions', id: 0, items: PATHS });
    equal(await list().count(), 0);
  });

  it('closes when the focus leaves', async () => {
    await type('@par');
    await list().waitFor();
    await chat.page.getByRole('log').focus();
    await list().waitFor({ state: 'detached' });
  });

  it('asks the host for no more than the contract allows', async () => {
    await box().fill(`@file:${'x'.repeat(300)}`);
    await chat.passTime();
    equal((await chat.posted()).filter((message) => message.type === 'complete').length, 0);
  });

  it('shows automatic attachments, and lets the user leave out the editor context', async () => {
    await chat.send({ type: 'context', context: CONTEXT });
    const items = chat.page.getByRole('list', { name: 'Sent with the message' }).getByRole('listitem');
    deepEqual(
      await items.allInnerTexts(),
      CONTEXT.items.map(({ label }) => label),
    );
    equal(await items.last().getAttribute('title'), CONTEXT.items[3]?.title);
    const button = chat.page.getByRole('button', { name: 'Include editor context' });
    equal(await button.getAttribute('aria-pressed'), 'true');
    await button.press('Enter');
    deepEqual(await chat.received('with-editor'), { type: 'with-editor', isOn: false });
    // The host's message decides, not the click.
    equal(await button.getAttribute('aria-pressed'), 'true');
    await chat.send({ type: 'context', context: { items: [], withEditor: false } });
    await chat.page.getByRole('button', { name: 'Include editor context', pressed: false }).press('Enter');
    deepEqual(await chat.received('with-editor'), { type: 'with-editor', isOn: true });
  });

  it('shows a message at once, queues a second one, and shows its attachments when its run starts', async () => {
    await box().fill('look');
    await box().press('Enter');
    const log = chat.page.getByRole('log');
    await log.getByRole('heading', { name: 'Sending' }).waitFor({ state: 'attached' });
    equal(await log.getByText('look', { exact: true }).count(), 1);
    await box().fill('again');
    await box().press('Enter');
    equal(await chat.page.getByRole('list', { name: 'Queued messages' }).getByText('again').count(), 1);
    await chat.events({ type: 'run-start', text: 'look', attachments: ATTACHED, time: 0 });
    await log.getByRole('heading', { name: 'You' }).waitFor({ state: 'attached' });
    equal(await log.getByRole('heading', { name: 'Sending' }).count(), 0);
    const attached = log.getByRole('list', { name: 'Attached' }).getByRole('listitem');
    deepEqual(await attached.allInnerTexts(), [
      'Editor',
      'src/parser.ts:3-10',
      'notes⟨U+202E⟩.txt',
      'src/',
      'shot.png',
      '/mcp.weather.daily',
      'docs: file:///guide.md',
      '.env\nYou did not allow it. Send it again to be asked.',
    ]);
    equal(await attached.first().getAttribute('title'), 'Active file: src/parser.ts');
    equal(await box().inputValue(), '');
  });

  it('restores a message that was not accepted, with the text typed since', async () => {
    await box().fill('first');
    await box().press('Enter');
    await box().fill('second');
    await chat.send({ type: 'unsent', text: 'first' });
    await chat.page.getByRole('heading', { name: 'Sending' }).waitFor({ state: 'detached' });
    equal(await box().inputValue(), 'first\nsecond');
  });

  it('offers Stop for a message that is being sent, and restores it', async () => {
    const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });
    await box().fill('first');
    await box().press('Enter');
    await box().fill('second');
    await button('Queue message').waitFor();
    // There is no run to interrupt yet.
    equal(await button('Interrupt and send').count(), 0);
    await button('Stop').click();
    await chat.received('stop');
    await chat.send({ type: 'unsent', text: 'first' });
    await button('Send').waitFor();
    equal(await box().inputValue(), 'first\nsecond');
  });

  describe('when the page is reloaded before the run has started', () => {
    const said = (text: string) => ({ type: 'run-start', text, time: 0 }) as const;
    const sending = (): Locator => chat.page.getByRole('heading', { name: 'Sending' });
    const rows: readonly {
      readonly name: string;
      readonly init: Partial<Extract<HostToChat, { type: 'init' }>>;
      readonly events: readonly string[];
      readonly expect: { readonly draft: string; readonly isSending?: true };
    }[] = [
      {
        name: 'shows it while the host still reads its mentions',
        init: { outbox: { ...idle.outbox, sending: 'again' } },
        events: ['again'],
        expect: { draft: 'later', isSending: true },
      },
      {
        name: 'restores it once if the host held it',
        init: { unsent: { text: 'again' } },
        events: ['again'],
        expect: { draft: 'again\nlater' },
      },
      {
        name: 'restores it if the host does not know it',
        init: {},
        events: ['again'],
        expect: { draft: 'again\nlater' },
      },
      {
        name: 'does not restore it if its run has started',
        init: {},
        events: ['again', 'again'],
        expect: { draft: 'later' },
      },
    ];
    for (const { name, init, events, expect } of rows) {
      it(name, async () => {
        await chat.start([said('again'), { type: 'run-end', outcome: { type: 'done' } }]);
        await box().fill('again');
        await box().press('Enter');
        await sending().waitFor({ state: 'attached' });
        await box().fill('later');
        await chat.reload();
        const begun = { type: 'init', events: events.map(said), pickers: samplePickers, ...idle } as const;
        await chat.send({ ...begun, ...init });
        await chat.page.getByRole('heading', { name: 'You' }).first().waitFor({ state: 'attached' });
        equal(await box().inputValue(), expect.draft);
        equal(await sending().count(), expect.isSending ? 1 : 0);
        await chat.reload();
        await chat.send({ ...begun, ...(expect.isSending && init) });
        equal(await box().inputValue(), expect.draft);
      });
    }
  });

  it('drops a message whose run has started in a conversation that is no longer shown', async () => {
    await box().fill('look');
    await box().press('Enter');
    await chat.start();
    await chat.page.getByRole('heading', { name: 'Sending' }).waitFor({ state: 'detached' });
    equal(await box().inputValue(), '');
  });

  it('has no accessibility violations', async () => {
    const page = await ChatHarness.open(browser);
    try {
      await page.start([{ type: 'run-start', text: 'look', attachments: ATTACHED, time: 0 }]);
      await page.send({ type: 'context', context: CONTEXT });
      await page.page.getByRole('textbox', { name: 'Message' }).pressSequentially('@p');
      await page.send({ type: 'completions', id: (await page.received('complete')).id, items: PATHS });
      await page.page.getByRole('option', { name: 'parser.ts src/' }).waitFor();
      deepEqual(await violationsInAnyTheme(page), []);
    } finally {
      await page.close();
    }
  });
});

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
