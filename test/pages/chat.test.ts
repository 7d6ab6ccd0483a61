import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { demoScript } from '../../src/models/demo/demo';
import { violations, violationsInAnyTheme } from '../support/pages/accessibility';
import {
  runWithCall,
  runWithWaitingCall,
  replyEnd,
  roundStart,
  runStart,
  toolCall,
  toolEnd,
} from '../support/agent/chat-events';
import { samplePickers, type ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';
import { eventually } from '../support/eventually';
import { openPicker, pickedIn } from '../support/pages/pickers';

const starters = {
  hasFolder: true,
  tasks: [{ type: 'explain', path: 'src/greet.js' }, { type: 'tests' }, { type: 'uses', name: 'greet' }],
} as const;

describe('chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });
  const message = (): Locator => chat.page.getByRole('textbox', { name: 'Message' });
  const log = (): Locator => chat.page.getByRole('log', { name: 'Conversation' });
  const card = (name: string): Locator => chat.page.getByRole('group', { name: `Tool call ${name}` });

  describe('composer', () => {
    it('fills the message box with an example and waits for Enter', async () => {
      await open([]);
      await chat.received('list-starters');
      await chat.send({ type: 'starters', starters });
      await button('Explain src/greet.js').click();
      equal(await message().inputValue(), 'Explain src/greet.js');
      await message().press('Enter');
      deepEqual(await chat.received('send'), { type: 'send', text: 'Explain src/greet.js' });
      equal(await message().inputValue(), '');
    });

    it('offers examples that the picked model can do, and ways to add another model', async () => {
      await open([]);
      await chat.send({ type: 'starters', starters });
      const examples = chat.page.getByRole('group', { name: 'Examples' }).getByRole('button');
      const origins = chat.page.getByRole('group', { name: 'Ways to add a model' }).getByRole('button');
      await examples.first().waitFor();
      for (const example of await examples.allInnerTexts()) {
        const turns = [{ type: 'user', text: example.trim() }] as const;
        const parts = demoScript({ instructions: '', turns, tools: [] });
        ok(
          parts.some(({ type }) => type === 'call'),
          example,
        );
      }
      equal(await examples.count(), 3);
      equal(await origins.count(), 3);
      await button('Look for models on this machine').click();
      deepEqual(await chat.received('choose-model'), { type: 'choose-model', from: 'local' });

      const pickers = { ...samplePickers, model: { ...samplePickers.model, value: 'qwen' } };
      await chat.send({ type: 'pickers', pickers });
      await button('Demo').waitFor();
      await button('Find where greet is used').click();
      equal(await message().inputValue(), 'Find where greet is used');
      deepEqual(await violations(chat), []);
    });

    it('offers to open a folder if none is open', async () => {
      await open([]);
      await chat.send({ type: 'starters', starters: { hasFolder: false, tasks: [] } });
      await button('What can you do?').waitFor();
      await button('Open a folder…').click();
      deepEqual(await chat.received('open-folder'), { type: 'open-folder' });
    });

    it('shows the greeting in a small view: everything can be scrolled to, and nothing is covered', async () => {
      await open([]);
      await chat.page.setViewportSize({ width: 300, height: 400 });
      await chat.send({ type: 'starters', starters });
      await button('Explain src/greet.js').waitFor();
      const greeting = chat.page.locator('.empty-state');
      const beyond = await greeting.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      equal(beyond, 0);
      for (const shown of [greeting.locator('p').first(), ...(await greeting.getByRole('button').all())]) {
        await shown.scrollIntoViewIfNeeded();
        // An element above it would get the click.
        await shown.click({ trial: true });
      }
      await chat.page.setViewportSize({ width: 320, height: 700 });
    });

    it('inserts text from the editor at the caret', async () => {
      await open([]);
      await message().fill('look at  please');
      await message().evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(8, 8));
      await chat.send({ type: 'insert', text: '@file:src/a.ts#L3-9' });
      await chat.send({ type: 'insert', text: '@terminal' });
      const text = 'look at @file:src/a.ts#L3-9 @terminal please';
      await chat.page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, text);
      ok(await message().evaluate((box) => box === document.activeElement));
      await message().press('Enter');
      deepEqual(await chat.received('send'), { type: 'send', text });
    });

    it('keeps text from the editor that arrives before the conversation', async () => {
      await open([]);
      await chat.load();
      await chat.send({ type: 'insert', text: '@problems' });
      await chat.start([]);
      await chat.page.waitForFunction(() => document.querySelector('textarea')?.value === '@problems ');
    });

    it('breaks the line with Shift+Enter and grows', async () => {
      await open([]);
      const height = (): Promise<number> => message().evaluate((box) => box.clientHeight);
      const before = await height();
      await message().pressSequentially('a');
      for (const line of ['b', 'c', 'd']) {
        await message().press('Shift+Enter');
        await message().pressSequentially(line);
      }
      equal(await message().inputValue(), 'a\nb\nc\nd');
      ok((await height()) > before);
      deepEqual(await sent(), []);
    });

    it('leaves Enter to a composing input method', async () => {
      await open([]);
      await message().fill('に');
      await message().dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      deepEqual(await sent(), []);
    });

    it('sends no blank message', async () => {
      await open([]);
      await message().fill('  \n ');
      await message().press('Enter');
      equal(await button('Send').getAttribute('aria-disabled'), 'true');
      deepEqual(await sent(), []);
    });

    it('turns Send into Stop without losing the focus', async () => {
      await open([]);
      await message().fill('go');
      await button('Send').focus();
      await chat.page.keyboard.press('Enter');
      await chat.received('send');
      await chat.events(runStart('go'));
      await button('Stop').waitFor();
      await chat.page.keyboard.press('Enter');
      await chat.received('stop');
      await chat.events({ type: 'run-end', outcome: { type: 'aborted' } });
      await button('Send').waitFor();
      ok(await button('Send').evaluate((element) => element === document.activeElement));
      await log().getByText('Stopped.').waitFor();
    });

    it('asks the host for another model and shows its reply', async () => {
      await open([]);
      const model = await openPicker(chat.page, 'Model');
      await model.selectOption('qwen');
      deepEqual(await chat.received('pick'), { type: 'pick', picker: 'model', value: 'qwen' });
      equal(await model.inputValue(), 'demo');
      const one = (value: string) => ({ value, options: [{ value, label: value }] });
      await chat.send({
        type: 'pickers',
        pickers: { model: one('qwen'), protocol: one('vcp'), mode: one('manual'), agent: one('agent') },
      });
      await chat.page
        .getByRole('combobox', { name: 'Protocol' })
        .getByRole('option', { name: 'vcp' })
        .waitFor({ state: 'attached' });
      equal(await model.inputValue(), 'qwen');
      equal(await pickedIn(chat.page, 'Mode'), 'manual');
    });

    it('takes the focus when the host asks for it', async () => {
      await open([]);
      await button('Look for models on this machine').waitFor();
      await chat.send({ type: 'focus' });
      await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
      await chat.page.keyboard.type('typed');
      equal(await message().inputValue(), 'typed');
    });
  });

  describe('conversation', () => {
    const paragraph = (index: number): AgentEvent => ({
      type: 'text',
      text: `Paragraph ${index} of many.\n\n`,
    });
    const top = (): Promise<number> => log().evaluate((element) => element.scrollTop);
    const distance = (): Promise<number> =>
      log().evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);

    it('follows a streaming reply', async () => {
      await open([runStart('go'), roundStart]);
      for (let index = 0; index < 60; index += 1) await chat.events(paragraph(index));
      await chat.page.getByText('Paragraph 59 of many.').waitFor();
      ok((await distance()) < 2);
      equal(await button('Jump to latest').count(), 0);
    });

    it('stays at the scroll position of the user, until they jump to the latest', async () => {
      await open([runStart('go'), roundStart, ...Array.from({ length: 60 }, (_, index) => paragraph(index))]);
      ok((await distance()) < 2);
      await log().hover();
      await chat.page.mouse.wheel(0, -600);
      // The browser scrolls some frames later.
      await eventually(async () => ok(Math.abs((await distance()) - 600) < 2, String(await distance())));
      await button('Jump to latest').waitFor();
      const before = await top();
      for (let index = 60; index < 80; index += 1) await chat.events(paragraph(index));
      await chat.page.getByText('Paragraph 79 of many.').waitFor({ state: 'attached' });
      equal(await top(), before);
      await button('Jump to latest').click();
      ok((await distance()) < 2);
      equal(await button('Jump to latest').count(), 0);
    });

    it('draws every entry of a run that fits on the screen', async () => {
      await open([], { height: 1600 });
      const files = ['notes.txt', 'greet.js', 'notes.txt', 'greet.js', 'notes.txt'];
      const rounds = files.flatMap((path, index): AgentEvent[] => {
        const call = { ...toolCall('read_file', { path }), id: `c${index}` };
        const said: AgentEvent = { type: 'text', text: `Reading ${path}.` };
        return [
          roundStart,
          said,
          { type: 'call-end', index: 0, call },
          replyEnd,
          // Failed calls are not folded.
          toolEnd(call, 'error', 'a plum'),
        ];
      });
      await chat.stream([
        runStart('read them all'),
        ...rounds,
        roundStart,
        { type: 'text', text: 'Done.' },
        replyEnd,
        { type: 'run-end', outcome: { type: 'done' } },
      ]);
      equal(
        await log()
          .getByText(/^Reading /)
          .count(),
        files.length,
      );
      equal(await log().locator('.away').count(), 0);
    });

    it('shows how a run ended', async () => {
      await open([]);
      await chat.events(runStart('go'), {
        type: 'run-end',
        outcome: { type: 'failed', message: 'No server at localhost.' },
      });
      equal(await chat.page.getByRole('alert').textContent(), 'No server at localhost.');
      await chat.events(runStart('on'), {
        type: 'run-end',
        outcome: { type: 'budget', message: 'Stopped after 50 rounds.' },
      });
      await log().getByText('Stopped after 50 rounds.').waitFor();
      equal(await chat.page.getByRole('alert').count(), 0);
    });

    it('collapses reasoning', async () => {
      await open([
        runStart('go'),
        roundStart,
        { type: 'reasoning', text: 'Deep **thought**' },
        { type: 'text', text: '42' },
      ]);
      equal(await log().getByText('Deep').count(), 0);
      await log().getByText('Thoughts').click();
      equal(await log().locator('strong').textContent(), 'thought');
    });
  });

  describe('Markdown', () => {
    const show = (text: string): Promise<void> =>
      open([runStart('go'), roundStart, { type: 'text', text }, replyEnd]);

    it('keeps HTML as text and loads nothing', async () => {
      await show(
        '<img src="https://evil.example/a.png" onerror="alert(1)"> ![picture](https://evil.example/b.png)\n\n<script>x</script>',
      );
      await log().getByText('<img src=').waitFor();
      equal(await log().locator('img, script').count(), 0);
      await log().getByRole('link', { name: 'picture' }).click();
      deepEqual(await chat.received('open-link'), { type: 'open-link', url: 'https://evil.example/b.png' });
    });

    it('asks the host to open a link, by click and by Enter', async () => {
      await show('See [the docs](https://example.com/a?b=1) or https://example.com/plain here.');
      const here = chat.page.url();
      await log().getByRole('link', { name: 'the docs' }).click();
      equal((await chat.received('open-link')).url, 'https://example.com/a?b=1');
      await log().getByRole('link', { name: 'https://example.com/plain' }).press('Enter');
      equal((await chat.received('open-link')).url, 'https://example.com/plain');
      equal(chat.page.url(), here);
    });

    it('makes links only of web addresses and paths', async () => {
      await show(
        '[a](command:x) [b](javascript:x) [c](file:///etc/passwd) [d](vscode:x) [e](data:text/html,x) [f](src/a.ts) <command:y>',
      );
      await log().getByText('command:y').waitFor();
      deepEqual(await log().getByRole('link').allInnerTexts(), ['f']);
      equal(await log().locator('a').count(), 1);
    });

    it('copies a code block', async () => {
      await show('```ts\nconst a = 1;\n\nconst b = 2;\n```\n');
      await log().locator('.hljs-keyword').first().waitFor();
      await button('Copy').click();
      await button('Copied').waitFor();
      equal(await chat.page.evaluate(() => navigator.clipboard.readText()), 'const a = 1;\n\nconst b = 2;');
    });

    it('sends a code block to the editor, as shown and as far as received', async () => {
      await open([runStart('go'), roundStart, { type: 'text', text: '- a\n\n```ts\nlet a;\n\u202elet b' }]);
      ok(await button('Apply to File…').isDisabled());
      await button('Insert into Editor').click();
      const code = 'let a;\n⟨U+202E⟩let b';
      deepEqual(await chat.received('insert-code'), { type: 'insert-code', code });
    });

    it('sends a code block for a file, with text that may name it', async () => {
      await open([
        runStart('go'),
        roundStart,
        {
          type: 'text',
          text: 'Change *all*\nof `src/a.ts`:\n\n```TS title="b c.ts"\nlet a;\n```\n\n```\nlet b;\n```\n',
        },
        replyEnd,
      ]);
      await button('Apply to File…').first().click();
      const [info, before] = ['TS title="b c.ts"', 'of `src/a.ts`:'];
      deepEqual(await chat.received('apply-code'), { type: 'apply-code', code: 'let a;', info, before });
      await button('Apply to File…').last().click();
      await chat.page.waitForFunction(() => JSON.stringify(Reflect.get(window, 'posted')).includes('let b;'));
      const bare = { type: 'apply-code', code: 'let b;', info: '', before: '' };
      deepEqual(await chat.received('apply-code'), bare);
    });

    const samples: readonly { readonly name: string; readonly text: string }[] = [
      { name: 'paragraphs', text: 'One\ntwo **three** four\n\nFive `six`\n#hash\n# Title\nafter\n' },
      { name: 'an underlined heading', text: 'Title\n=====\n\nsub\n---\ntext\n\n- - -\nend' },
      { name: 'lists', text: '- a\n- b\n  - c\n\n  d\n\n1. e\n2. f\n\ng\n* h\n\n      code\n' },
      { name: 'fenced code', text: 'x\n```ts\nlet a;\n``\n~~~\n```` \n```\ny\n~~~~ a b\n```\n~~~~\nz' },
      {
        name: 'indented fences',
        text: '  ```\n    a\n b\nc\n  ```\n- item\n  ```js\n  let b;\n  ```\n\nend\n',
      },
      { name: 'a fence that never ends', text: 'a\n\n```\nb\n``' },
      { name: 'a table', text: 'a\n\n| b | c |\n|:--|--:|\n| d | e |\nafter\n\nend\n' },
      { name: 'a quote', text: '> a\nb\n> ```\n> c\n\nd' },
      {
        name: 'link definitions',
        text: '[a]: https://example.com/long\n\nUse [a] and [b].\n\n[b]: https://example.com/b\n\nThen [b].\n',
      },
      { name: 'Windows line ends', text: 'a\r\n\r\n```\r\nb\r\n```\r\n\r\nc\r\n- d\r\n' },
      { name: 'wide and hidden characters', text: 'a 😀👩‍💻 \u202e b\n\n```\n😀\u200b\n```\n' },
      { name: 'blank lines', text: '\n\n  \n```\n\n\n```\n\n\n\na\n\n' },
    ];
    for (const { name, text } of samples) {
      it(`looks the same streamed and at once: ${name}`, async () => {
        await show(text);
        const html = (): Promise<string> =>
          log()
            .locator('.markdown')
            .evaluate((element) => element.innerHTML.replaceAll('<span class="hljs', '\n<span class="hljs'));
        const whole = await html();
        await chat.start([runStart('go'), roundStart]);
        await chat.stream([
          ...Array.from(text, (piece): AgentEvent => ({ type: 'text', text: piece })),
          replyEnd,
        ]);
        equal(await html(), whole);
      });
    }

    it('keeps long code in small pieces while it streams', async () => {
      await open([runStart('go'), roundStart, { type: 'text', text: '```js\n' }]);
      for (let index = 0; index < 40; index += 1) {
        await chat.events({ type: 'text', text: `${'const a = 1;\n'.repeat(10)}${'x'.repeat(500)}` });
      }
      ok((await log().locator('.line').count()) > 400);
      const sizes = await log()
        .locator('.markdown')
        .evaluate((root) => ({
          text: Math.max(...[...root.querySelectorAll('.line')].map((line) => line.textContent.length)),
          lines: Math.max(...[...root.querySelectorAll('.line-box')].map((box) => box.childElementCount)),
        }));
      ok(sizes.text <= 2000 && sizes.lines <= 50, JSON.stringify(sizes));
    });
  });

  describe('tool calls', () => {
    it('shows the arguments of a call, with hidden characters made visible', async () => {
      const command = `echo a\u202eb${' '.repeat(100)}; rm x`;
      const call = toolCall('run_shell_command', { command });
      const preview = {
        type: 'command',
        command,
        cwd: '/ws',
        commands: [
          ['echo', 'a b'],
          ['rm', 'x'],
        ],
      } as const;
      await open(runWithWaitingCall(call, { preview, effect: 'execute' }));
      const text = await card('run_shell_command').innerText();
      match(text, /echo a⟨U\+202E⟩b ⟨100 blanks⟩ ; rm x/);
      match(text, /in \/ws/);
      match(text, /echo 'a b'/);
    });

    it('runs, with one message that names the call', async () => {
      await open(runWithWaitingCall(toolCall('write_file', { path: 'a.txt', content: 'one\ntwo' })));
      await card('write_file').getByRole('button', { name: 'Run' }).click();
      deepEqual(await chat.received('decide'), { type: 'decide', callId: 'c1', answer: { type: 'run' } });
      ok(await card('write_file').getByRole('button', { name: 'Run' }).isDisabled());
      ok(await card('write_file').getByRole('button', { name: 'Reject' }).isDisabled());
      // Nothing else waits, so the user can write on.
      ok(await message().evaluate((element) => element === document.activeElement));
    });

    it('rejects with one click', async () => {
      await open(runWithWaitingCall(toolCall('delete_path', { path: 'a.txt' })));
      await card('delete_path').getByRole('button', { name: 'Reject' }).click();
      deepEqual((await chat.received('decide')).answer, { type: 'reject', reason: '' });
    });

    it('rejects with a reason, by keyboard', async () => {
      await open(runWithWaitingCall(toolCall('delete_path', { path: 'a.txt' })));
      await button('Give a reason…').press('Enter');
      await chat.page.getByRole('textbox', { name: 'Reason' }).press('Escape');
      await chat.page.keyboard.press('Enter');
      await chat.page.keyboard.type('keep it');
      await chat.page.keyboard.press('Enter');
      deepEqual((await chat.received('decide')).answer, { type: 'reject', reason: 'keep it' });
    });

    it('offers to allow edits in this session only if that may be granted', async () => {
      const call = toolCall('edit_file', { path: 'a.txt', old: 'a', new: 'b' });
      await open(runWithWaitingCall(call, { grants: [{ type: 'edits-in-session' }] }));
      await button('Allow edits in this session').click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'edits-in-session' });
      await chat.start(runWithWaitingCall(toolCall('edit_file', { path: 'other.txt', old: 'a', new: 'b' })));
      await card('edit_file').getByText('other.txt').first().waitFor();
      equal(await button('Allow edits in this session').count(), 0);
    });

    it('shows the change of an edit and opens its diff', async () => {
      const before = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
      const preview = {
        type: 'diff',
        path: 'a.txt',
        before,
        after: before.replace('line 9\n', 'nine\nand more\n'),
        runsCode: true,
      } as const;
      await open(runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' }), { preview }));
      const lines = await card('edit_file').locator('.diff-line').allInnerTexts();
      deepEqual(
        lines.map((line) => line.trim()),
        ['⋯', 'line 7', 'line 8', '−line 9', '+nine', '+and more', 'line 10', 'line 11', '⋯'],
      );
      await card('edit_file').getByText('Runs code', { exact: true }).waitFor();
      await button('Open diff').click();
      deepEqual(await chat.received('show-diff'), { type: 'show-diff', callId: 'c1' });
    });

    it('keeps the focus while the user types, and announces the call', async () => {
      await open([runStart('go')]);
      await message().pressSequentially('I am typ');
      await chat.events(...runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' })).slice(1));
      await button('Run').and(chat.page.locator(':enabled')).waitFor();
      await chat.page.keyboard.type('ing');
      equal(await message().inputValue(), 'I am typing');
      match((await chat.page.getByRole('status').textContent()) ?? '', /edit_file, A title/);
      for (let presses = 0; presses < 10; presses += 1) {
        await chat.page.keyboard.press('Shift+Tab');
        if (await button('Run').evaluate((element) => element === document.activeElement)) return;
      }
      throw new Error('Run was not reached by keyboard.');
    });

    it('ignores the second click of a double click', async () => {
      await open(runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' })));
      const run = await button('Run').boundingBox();
      ok(run);
      await chat.page.locator('.buttons button:enabled').first().waitFor();
      await chat.page.evaluate(() => document.querySelector('.buttons')?.setAttribute('hidden', ''));
      await chat.page.mouse.move(run.x + 5, run.y + 5);
      await chat.page.mouse.down();
      await chat.page.mouse.up();
      await chat.page.evaluate(() => document.querySelector('.buttons')?.removeAttribute('hidden'));
      await chat.page.mouse.down({ clickCount: 2 });
      await chat.page.mouse.up({ clickCount: 2 });
      equal((await chat.posted()).filter(({ type }) => type === 'decide').length, 0);
    });

    it('shows output while a call runs, and its result collapsed', async () => {
      const call = toolCall('run_shell_command', { command: 'npm test' });
      await open([...runWithCall(call), { type: 'tool-start', callId: 'c1', title: 'Run npm test' }]);
      await chat.events({ type: 'tool-output', callId: 'c1', text: 'first\nsecond\n' });
      await card('run_shell_command').getByText('second').waitFor();
      await chat.events(toolEnd(call, 'success', 'line\n'.repeat(1000)));
      await card('run_shell_command').getByText('12 ms').waitFor();
      equal(await card('run_shell_command').locator('.line').count(), 0);
      const { height } = (await card('run_shell_command').boundingBox()) ?? { height: 0 };
      ok(height <= 32, `more than a line: ${height}`);
      await card('run_shell_command').locator('summary').click();
      match(await card('run_shell_command').innerText(), /1,000 lines, 5\.0 KB/);
      await card('run_shell_command').locator('.line').nth(99).waitFor();
      equal(await card('run_shell_command').locator('.line').count(), 100);
      await card('run_shell_command').getByRole('button', { name: 'Show all' }).click();
      await card('run_shell_command').locator('.line').nth(999).waitFor();
    });

    it('says why a call failed, was rejected or could not be read', async () => {
      const call = toolCall('read_file', { path: 'a.txt' });
      const malformed = {
        id: 'm1',
        name: 'edit_file',
        diagnostic: { ...note('It ends in the middle.'), level: 'error' },
      } as const;
      await open([
        runStart('go'),
        roundStart,
        { type: 'call-end', index: 0, call },
        { type: 'malformed', index: 1, malformed },
        replyEnd,
      ]);
      await chat.events(
        { type: 'tool-start', callId: 'c1', title: 'Read' },
        toolEnd(call, 'error', 'No file at a.txt.'),
      );
      await card('read_file').getByText('No file at a.txt.').waitFor();
      await card('read_file').getByText('Failed').waitFor();
      match(await card('edit_file').innerText(), /Malformed\s+It ends in the middle\./);
      const asked = toolCall('edit_file', { path: 'a.txt' });
      await chat.start([
        ...runWithWaitingCall(asked),
        { type: 'approval-end', callId: 'c1', decision: { type: 'reject', by: 'user', reason: 'not now' } },
        toolEnd(asked, 'denied', 'Rejected.'),
      ]);
      await card('edit_file').getByText('You rejected it: not now').waitFor();
    });

    it('marks a call that was repaired', async () => {
      const call = {
        ...toolCall('read_file', { path: 'a.txt' }),
        mark: 'repaired',
        notes: [note('A tag was added.')],
      } as const;
      await open(runWithCall(call));
      match(await card('read_file').innerText(), /Repaired\s+A tag was added\./);
    });

    it('shows arguments as they stream in', async () => {
      await open([runStart('go'), roundStart, { type: 'call-start', index: 0, name: 'write_file' }]);
      await chat.events({ type: 'call-delta', index: 0, key: 'path', text: 'a.txt' });
      for (let index = 0; index < 30; index += 1) {
        await chat.events({ type: 'call-delta', index: 0, key: 'content', text: `line ${index}\n` });
      }
      const box = card('write_file').getByRole('group', { name: 'content' });
      await box.getByText('line 29').waitFor();
      equal(await box.locator('.line').count(), 30);
      const below = await box.evaluate(
        (element) => element.scrollHeight - element.clientHeight - element.scrollTop,
      );
      ok(below < 2, String(below));
    });
  });

  it('has no accessibility violations', async () => {
    await open(everything(), { width: 400 });
    await chat.page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    deepEqual(await violationsInAnyTheme(chat), []);
  });

  for (const width of [200, 320, 900]) {
    it(`does not overflow at ${width} px`, async () => {
      await open(everything(), { width });
      equal(await chat.page.evaluate(() => document.documentElement.scrollWidth), width);
      ok(await log().evaluate((element) => element.scrollWidth <= element.clientWidth));
      const outside = await log().evaluate((element) =>
        [...element.querySelectorAll('.call > *, .buttons > *, .call-header > *')]
          .filter((child) => child.getBoundingClientRect().right > element.getBoundingClientRect().right)
          .map((child) => child.outerHTML),
      );
      deepEqual(outside, []);
    });
  }

  async function sent(): Promise<readonly unknown[]> {
    return (await chat.posted()).filter(({ type }) => type === 'send');
  }
});

function note(message: string) {
  return { code: 'test', level: 'info', message, hint: 'Do it otherwise.', start: 0, end: 1 } as const;
}

/** A conversation with one of each kind of entry. */
function everything(): AgentEvent[] {
  const text =
    '# Title\n\nText with `code`, **bold** and a [link](https://example.com).\n\n- item\n\n> quote\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n' +
    '```ts\n// A comment that is longer than the page is wide, so that the block scrolls, whatever the width of the page\n' +
    "export function twice(value: number): string {\n  return `${value * 2}` + 'x' + true;\n}\n```\n\n```yaml\nkey: 1\n```\n";
  const done = { ...toolCall('read_file', { path: 'notes.txt', start_line: 3 }), id: 'd1' };
  const failed = {
    ...toolCall('search_text', { query: 'x' }),
    id: 'd2',
    mark: 'recovered',
    notes: [note('Read as another dialect.')],
  } as const;
  const command = { ...toolCall('run_shell_command', { command: 'npm test' }), id: 'd3' };
  const edit = {
    ...toolCall('edit_file', {
      path: 'a/long/path/to/some/file/that/does/not/fit/notes.txt',
      old: 'a',
      new: 'b',
    }),
    id: 'd4',
  };
  return [
    runStart('Do everything, please'),
    roundStart,
    { type: 'reasoning', text: 'Let me think.' },
    { type: 'text', text },
    { type: 'call-end', index: 0, call: done },
    { type: 'call-end', index: 1, call: failed },
    {
      type: 'malformed',
      index: 2,
      malformed: {
        id: 'm1',
        name: 'write_file',
        diagnostic: { ...note('It ends too early.'), level: 'error' },
      },
    },
    { type: 'warning', diagnostic: { ...note('A call in the reasoning was ignored.'), level: 'warning' } },
    replyEnd,
    { type: 'tool-start', callId: 'd1', title: 'Read' },
    toolEnd(done, 'success', 'a\nb\nc'),
    { type: 'tool-start', callId: 'd2', title: 'Search' },
    toolEnd(failed, 'error', 'The folder is gone.'),
    {
      type: 'run-end',
      outcome: { type: 'failed', message: 'The endpoint did not answer: check its address.' },
    },
    runStart('again'),
    roundStart,
    { type: 'call-end', index: 0, call: command },
    { type: 'call-end', index: 1, call: edit },
    replyEnd,
    { type: 'tool-start', callId: 'd3', title: 'Run' },
    { type: 'tool-output', callId: 'd3', text: 'ok\n'.repeat(50) },
    {
      type: 'approval-request',
      reason: 'edits ask first',
      grants: [{ type: 'edits-in-session' }],
      request: {
        call: edit,
        effect: 'write',
        title: 'Edit notes.txt',
        accesses: [
          {
            effect: 'write',
            target: '/elsewhere/notes.txt',
            kind: 'edit',
            verdict: { decision: 'ask', reason: 'outside' },
          },
        ],
        preview: { type: 'diff', path: 'notes.txt', before: 'one\ntwo\n', after: 'one\n2\n' },
      },
    },
  ];
}
