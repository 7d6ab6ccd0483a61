import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import type { ToolCall } from '../../src/core/words/messages';
import type { Access } from '../../src/core/words/tool';
import type { Grant } from '../../src/core/words/verdict';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { runWithWaitingCall, replyEnd, roundStart, runStart, toolCall } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

const edits: Grant = { type: 'edits-in-session' };
const npmTest: Grant = {
  type: 'allow-commands',
  rules: [
    { text: 'npm test', runsCode: true },
    { text: 'wc', runsCode: false },
  ],
  exact: [
    { text: 'npm test -- --run', runsCode: true },
    { text: 'wc', runsCode: false },
  ],
};
const gitStatus: Grant = { type: 'allow-commands', rules: [{ text: 'git status', runsCode: false }] };

describe('approvals on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });
  const message = (): Locator => chat.page.getByRole('textbox', { name: 'Message' });
  const card = (name: string): Locator => chat.page.getByRole('group', { name: `Tool call ${name}` });
  const has = (where: Locator): Promise<boolean> =>
    where.evaluate((element) => element === document.activeElement);
  const description = (where: Locator): Promise<string> =>
    where.evaluate(
      (element) =>
        document.getElementById(element.getAttribute('aria-describedby') ?? '')?.innerText.trim() ?? '',
    );

  describe('permissions beyond the call', () => {
    it('always allows a command: shows the rules and what else they match, sends only the name', async () => {
      await open(
        command(
          'npm test | wc -l',
          [
            ['npm', 'test'],
            ['wc', '-l'],
          ],
          [npmTest],
        ),
      );
      match(
        await description(button('Always allow')),
        /without asking, always in every workspace:\s+npm test and arguments after it that are known to be harmless\s+wc exactly\s+Runs code of the project\. /,
      );
      await button('Always allow').click();
      deepEqual(await chat.received('decide'), {
        type: 'decide',
        callId: 'c1',
        answer: { type: 'run', grant: 'allow-commands' },
      });
    });

    it('lets the user choose the rule of exactly these words', async () => {
      await open(command('npm test -- --run | wc', [['npm', 'test', '--', '--run'], ['wc']], [npmTest]));
      const exactly = chat.page.getByRole('radio', { name: /^Exactly: npm test -- --run, wc$/ });
      equal(await exactly.isChecked(), false);
      await exactly.check();
      match(await description(button('Always allow')), /npm test -- --run exactly\s+wc exactly/);
      await button('Always allow').click();
      deepEqual((await chat.received('decide')).answer, {
        type: 'run',
        grant: 'allow-commands',
        isExact: true,
      });
    });

    for (const [name, scope] of [
      ['Allow in this session', 'session'],
      ['Allow in this workspace', 'workspace'],
    ] as const) {
      it(`allows less than always: ${name}`, async () => {
        await open(command('npm test -- --run | wc', [['npm', 'test', '--', '--run'], ['wc']], [npmTest]));
        await chat.page.getByRole('radio', { name: /^Exactly/ }).check();
        await button(name).click();
        deepEqual((await chat.received('decide')).answer, {
          type: 'run',
          grant: 'allow-commands',
          isExact: true,
          scope,
        });
      });
    }

    it('does not mention code if a rule runs none', async () => {
      await open(command('git status', [['git', 'status']], [gitStatus]));
      equal(
        await description(button('Always allow')),
        'A permission lets these commands run without asking, always in every workspace:\n\ngit status exactly',
      );
    });

    it('offers to read a file or a folder for the session, and says which', async () => {
      const read = toolCall('read_file', { path: '../lib/a.ts' });
      await open(
        runWithWaitingCall(read, {
          effect: 'read',
          grants: [{ type: 'read-folder-in-session', path: '/lib' }],
        }),
      );
      const folder = button('Allow reading this folder in this session');
      match(await description(folder), /\/lib and everything in it\. Hidden and secret files still ask\./);
      await folder.click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'read-folder-in-session' });

      await chat.start(
        runWithWaitingCall(read, {
          effect: 'read',
          grants: [{ type: 'read-file-in-session', path: '/ws/.env' }],
        }),
      );
      const file = button('Allow reading this file in this session');
      match(await description(file), /\/ws\/\.env/);
      await file.click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'read-file-in-session' });
    });

    it('offers to allow all tools of a server for the session, beside the one that is called', async () => {
      await open(
        runWithWaitingCall(toolCall('mcp_github_create_issue', {}), {
          grants: [
            { type: 'allow-mcp-tool', server: 'github', tool: 'create_issue', digest: 'a' },
            { type: 'mcp-server-in-session', server: 'github', digest: 'b' },
          ],
        }),
      );
      await button('Always allow').waitFor();
      const all = button('Allow all tools of this server in this session');
      match(await description(all), /Every tool of this server, until .*:\s+github/);
      await all.click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'mcp-server-in-session' });
    });

    it('offers to allow moves for the session, and says how much would be moved', async () => {
      const call = toolCall('delete_path', { path: 'lib' });
      await open(
        runWithWaitingCall(call, {
          grants: [{ type: 'moves-in-session' }],
          accesses: [
            {
              effect: 'write',
              target: 'lib',
              kind: 'move',
              verdict: { decision: 'auto', reason: 'inside the workspace' },
              notes: ['a folder with 12 files', 'its files are too many or too large to be restored'],
            },
          ],
        }),
      );
      await card('delete_path')
        .getByText('lib (a folder with 12 files; its files are too many or too large to be restored)')
        .waitFor();
      const allow = button('Allow moves and deletions in this session');
      match(await description(allow), /Protected and secret files still ask\./);
      await allow.click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'moves-in-session' });
    });

    it('offers to fetch from a site for the session, and says which', async () => {
      const call = toolCall('fetch_url', { url: 'https://example.com/a' });
      await open(
        runWithWaitingCall(call, {
          effect: 'network',
          grants: [{ type: 'fetch-origin-in-session', origin: 'https://example.com' }],
        }),
      );
      const allow = button('Allow fetching from this site in this session');
      match(await description(allow), /^Any page of: https:\/\/example\.com$/);
      await allow.click();
      deepEqual((await chat.received('decide')).answer, { type: 'run', grant: 'fetch-origin-in-session' });
    });

    it('offers only what the host offers', async () => {
      await open(command('env ls', [['env', 'ls']], []));
      await button('Run').waitFor();
      deepEqual(await card('run_shell_command').getByRole('button').allInnerTexts(), [
        'Run',
        'Reject',
        'Edit arguments',
        'Give a reason…',
      ]);
    });
  });

  describe('G11: the shown call is the one that runs', () => {
    it('shows start, end and buttons of a long command together, and contains all of it', async () => {
      const text = `echo begin\n${'# filler\n'.repeat(300)}echo end`;
      await open(
        command(
          text,
          [
            ['echo', 'begin'],
            ['echo', 'end'],
          ],
          [],
        ),
      );
      const box = card('run_shell_command').getByRole('group', { name: 'Command' });
      await card('run_shell_command').getByText('Scroll to read the whole command: 302 lines').waitFor();
      equal(await box.innerText(), text);
      const height = await box.evaluate((element) => element.clientHeight);
      ok(height <= 200, String(height));
      // The box can get the focus, and its end can be reached.
      await box.focus();
      await chat.page.keyboard.press('End');
      await chat.page.waitForFunction(
        (element) => {
          const box = element as HTMLElement;
          return box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
        },
        await box.elementHandle(),
      );
      ok(await button('Run').isVisible());
    });

    const drawn: readonly { readonly name: string; readonly text: string; readonly shown: RegExp }[] = [
      { name: 'blanks', text: `ls${' '.repeat(500)}; rm x`, shown: /^ls ⟨500 blanks⟩ ; rm x$/ },
      { name: 'empty lines', text: `ls${'\n'.repeat(200)}rm x`, shown: /^ls\n⟨199 empty lines⟩\nrm x$/ },
      { name: 'lines of blanks', text: `ls${'\n   '.repeat(200)}\nrm x`, shown: /⟨200 empty lines⟩\nrm x$/ },
      { name: 'direction', text: 'echo \u202edwssap\u202c', shown: /^echo ⟨U\+202E⟩dwssap⟨U\+202C⟩$/ },
      { name: 'zero width', text: 'r\u200bm x', shown: /^r⟨U\+200B⟩m x$/ },
      { name: 'a carriage return', text: 'rm x\rls   ', shown: /^rm x⟨U\+000D⟩ls/ },
      { name: 'an escape', text: 'ls \u001b[8m rm', shown: /⟨U\+001B⟩\[8m rm$/ },
      { name: 'tags', text: 'ls \u{e0072}\u{e006d}', shown: /⟨U\+E0072⟩⟨U\+E006D⟩/ },
      {
        name: 'a blank that is none',
        text: 'rm -rf\u00a0/tmp\u3000x',
        shown: /^rm -rf⟨U\+00A0⟩\/tmp⟨U\+3000⟩x$/,
      },
      { name: 'a filler', text: 'ls \u3164 x', shown: /⟨U\+3164⟩/ },
    ];
    for (const { name, text, shown } of drawn) {
      it(`draws ${name}`, async () => {
        await open(command(text, [], []));
        match(await card('run_shell_command').getByRole('group', { name: 'Command' }).innerText(), shown);
      });
    }

    it('makes blanks visible that push a change out of view', async () => {
      const after = `        indented\nx = 1;${' '.repeat(400)}evil()\n`;
      await open(
        runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' }), {
          preview: { type: 'diff', path: 'a.txt', before: '', after },
        }),
      );
      const lines = await card('edit_file').locator('.diff-line').allInnerTexts();
      deepEqual(lines, ['+        indented', '+x = 1; ⟨400 blanks⟩ evil()']);
    });

    it('lists every part of a command', async () => {
      const parts = Array.from({ length: 40 }, (_, index) => ['echo', String(index)]);
      await open(command(parts.map((words) => words.join(' ')).join('; '), parts, []));
      equal(await card('run_shell_command').getByRole('listitem').count(), 40);
    });

    const places: readonly {
      readonly name: string;
      readonly call: ToolCall;
      readonly target: string;
      readonly shown: boolean;
    }[] = [
      {
        name: 'the path asked for',
        call: toolCall('read_file', { path: 'a.txt' }),
        target: 'a.txt',
        shown: false,
      },
      { name: 'a link', call: toolCall('read_file', { path: 'link' }), target: 'real/a.txt', shown: true },
      {
        name: 'a link behind a decoy',
        call: toolCall('write_file', { path: 'link', content: 'real/a.txt' }),
        target: 'real/a.txt',
        shown: true,
      },
      { name: 'the whole workspace', call: toolCall('read_folder', {}), target: '.', shown: false },
    ];
    for (const { name, call, target, shown } of places) {
      it(`${shown ? 'shows' : 'does not repeat'} the resolved path: ${name}`, async () => {
        const access: Access = {
          effect: 'read',
          kind: 'path',
          target,
          verdict: { decision: 'auto', reason: 'inside the workspace' },
        };
        await open(runWithWaitingCall(call, { effect: 'read', accesses: [access] }));
        await button('Run').waitFor();
        equal(await card(call.name).locator('.accesses').count(), shown ? 1 : 0);
        if (shown) match(await card(call.name).locator('.accesses').innerText(), /real\/a\.txt/);
      });
    }

    it('makes all arguments of a call reachable', async () => {
      let deep: ToolCall['arguments'] = { end: 'bottom' };
      for (let level = 0; level < 12; level += 1) deep = { deeper: deep };
      const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`key${index}`, index]));
      await open(runWithWaitingCall(toolCall('mcp_any_tool', { deep, ...many })));
      await card('mcp_any_tool').getByText('bottom').waitFor();
      equal(await card('mcp_any_tool').getByText('key79').count(), 0);
      await button('Show 31 more').click();
      await card('mcp_any_tool').getByText('key79').waitFor();
    });
  });

  describe('one answer for one call', () => {
    const two = (): AgentEvent[] => waitingPair();
    const run = (name: string): Locator => card(name).getByRole('button', { name: 'Run' });
    const decided = async (): Promise<readonly string[]> =>
      (await chat.posted()).flatMap((each) => (each.type === 'decide' ? [each.callId] : []));

    it('answers two waiting calls in any order', async () => {
      for (const order of [
        ['read_file', 'read_folder'],
        ['read_folder', 'read_file'],
      ]) {
        await open(two());
        for (const name of order) await run(name).click();
        deepEqual(
          await decided(),
          order.map((name) => (name === 'read_file' ? 'c1' : 'c2')),
        );
      }
    });

    it('ignores clicks just after a call has appeared', async () => {
      await open([runStart('go'), roundStart]);
      const first = await chat.page.evaluateHandle(() => {
        const state: { isDisabled?: boolean } = {};
        new MutationObserver(() => {
          const button = [...document.querySelectorAll('button')].find((each) =>
            each.textContent.startsWith('Run'),
          );
          if (button) state.isDisabled ??= button.disabled;
        }).observe(document.body, { childList: true, subtree: true });
        return state;
      });
      await chat.events(...runWithWaitingCall(toolCall('read_file', { path: '.env' })).slice(2));
      await run('read_file').click();
      // Looked at by the page itself: on a slow machine the button may be enabled before a test sees it.
      equal(await first.evaluate(({ isDisabled }) => isDisabled), true);
      deepEqual(await decided(), ['c1']);
    });

    it('ignores a second click if another call has moved under the pointer', async () => {
      await open(two());
      await chat.passTime();
      await chat.stopTime();
      await run('read_file').click();
      ok(await run('read_folder').isDisabled());
      await chat.passTime();
      ok(await run('read_folder').isEnabled());
      deepEqual(await decided(), ['c1']);
    });

    it('ignores an Enter that is held down', async () => {
      await open(two());
      await chat.passTime();
      await run('read_file').focus();
      for (let presses = 0; presses < 20; presses += 1) {
        await chat.page.keyboard.down('Enter');
        await chat.passTime();
      }
      await chat.page.keyboard.up('Enter');
      deepEqual(await decided(), ['c1']);
    });

    it('sends one answer however often it is given', async () => {
      await open(runWithWaitingCall(toolCall('read_file', { path: '.env' })));
      await button('Run').and(chat.page.locator(':enabled')).waitFor();
      await run('read_file').evaluate((element) => {
        for (let clicks = 0; clicks < 5; clicks += 1) (element as HTMLElement).click();
      });
      deepEqual(await decided(), ['c1']);
    });
  });

  describe('by keyboard', () => {
    const arrive = (): Promise<void> =>
      chat.events(
        ...runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' }), { grants: [edits] }).slice(1),
      );

    it('moves to the call when it appears unless the user types, and on through the answers', async () => {
      await open([runStart('go')]);
      await message().focus();
      await arrive();
      await card('edit_file').waitFor();
      ok(await has(card('edit_file')));
      match(await description(card('edit_file')), /Needs your approval: edits ask first/);
      await button('Run').and(chat.page.locator(':enabled')).waitFor();
      const names = ['Run', 'Reject', 'Allow edits in this session', 'Edit arguments', 'Give a reason…'];
      for (let presses = 0; !(await has(button('Run'))) && presses < 5; presses += 1) {
        await chat.page.keyboard.press('Tab');
      }
      for (const name of names) {
        ok(await has(button(name)), name);
        await chat.page.keyboard.press('Tab');
      }
      await button('Run').press('Enter');
      deepEqual((await chat.received('decide')).answer, { type: 'run' });
    });

    const decisions = async () => (await chat.posted()).filter(({ type }) => type === 'decide');

    it('runs by Enter on the call itself, which shows a hint', async () => {
      await open([runStart('go')]);
      await message().focus();
      await arrive();
      await chat.passTime();
      ok(await has(card('edit_file')));
      match(await description(card('edit_file')), /Press Enter to run it\.$/);
      equal(await button('Run').getAttribute('aria-keyshortcuts'), 'Enter');
      await chat.page.keyboard.press('Space');
      deepEqual(await decisions(), []);
      await chat.page.keyboard.press('Enter');
      deepEqual((await chat.received('decide')).answer, { type: 'run' });
      equal((await decisions()).length, 1);
    });

    it('runs nothing by an Enter that is held down, comes too soon, or picks an IME candidate', async () => {
      await open([runStart('go')]);
      await message().focus();
      await chat.stopTime();
      await chat.page.keyboard.down('Enter');
      await arrive();
      await card('edit_file').waitFor();
      for (let presses = 0; presses < 20; presses += 1) {
        await chat.page.keyboard.down('Enter');
        if (presses === 10) await chat.passTime();
      }
      await chat.page.keyboard.up('Enter');
      await chat.passTime();
      ok(await has(card('edit_file')));
      await card('edit_file').evaluate((element) => {
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        );
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
        element.blur();
        element.focus();
        // This Enter was meant for the element that had the focus before.
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      });
      deepEqual(await decisions(), []);
    });

    it('runs nothing by Enter while its arguments are edited', async () => {
      await open(runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' })));
      await chat.passTime();
      await button('Edit arguments').click();
      await card('edit_file').focus();
      await chat.passTime();
      await chat.page.keyboard.press('Enter');
      deepEqual(await decisions(), []);
    });

    it('passes typed text to the message box', async () => {
      await open([runStart('go')]);
      await message().focus();
      await arrive();
      await chat.passTime();
      await chat.page.keyboard.type('stop it');
      ok(await has(message()));
      equal(await message().inputValue(), 'stop it');
      deepEqual(await decisions(), []);
    });

    it('is reached with Escape from the message box, even if it holds text', async () => {
      await open(runWithWaitingCall(toolCall('edit_file', { path: 'a.txt' })));
      await message().fill('half written');
      await message().press('Escape');
      ok(await has(card('edit_file')));
      await chat.page.keyboard.press('Tab');
      await chat.page.keyboard.press('Escape');
      ok(await has(message()));
      equal(await message().inputValue(), 'half written');
    });

    it('goes back to the message box with Escape, without an answer', async () => {
      await open([runStart('go')]);
      await message().focus();
      await arrive();
      await button('Give a reason…').press('Enter');
      await chat.page.getByRole('textbox', { name: 'Reason' }).press('Escape');
      ok(await has(button('Give a reason…')));
      await chat.page.keyboard.press('Escape');
      ok(await has(message()));
      equal((await chat.posted()).filter(({ type }) => type === 'decide').length, 0);
    });

    it('stays in a field while the user types', async () => {
      await open([runStart('go')]);
      await message().pressSequentially('half a sen');
      await arrive();
      await button('Run').waitFor();
      ok(await has(message()));
    });

    it('moves on to the next waiting call after an answer', async () => {
      await open(waitingPair());
      await card('read_file').getByRole('button', { name: 'Run' }).click();
      ok(await has(card('read_folder')));
    });

    it('moves on to the message box after the last answer, without the key', async () => {
      await open(runWithWaitingCall(toolCall('read_file', { path: '.env' })));
      await message().fill('half written');
      await card('read_file').focus();
      await chat.passTime();
      await chat.page.keyboard.down('Enter');
      for (let presses = 0; presses < 5; presses += 1) await chat.page.keyboard.down('Enter');
      await chat.page.keyboard.up('Enter');
      ok(await has(message()));
      equal(await message().inputValue(), 'half written');
      deepEqual(
        (await chat.posted()).filter(({ type }) => type === 'send'),
        [],
      );
    });

    it('leaves the focus where it is if a call is answered from elsewhere', async () => {
      await open([...runWithWaitingCall(toolCall('read_file', { path: '.env' }))]);
      await chat.page.getByRole('log', { name: 'Conversation' }).focus();
      await button('Run').and(chat.page.locator(':enabled')).waitFor();
      await button('Run').evaluate((element) => (element as HTMLElement).click());
      equal(await has(message()), false);
    });

    it('announces every waiting call', async () => {
      await open([runStart('go')]);
      await chat.events(...waitingPair().slice(1));
      await card('read_folder').waitFor();
      match(
        (await chat.page.getByRole('status').textContent()) ?? '',
        /Waiting for your approval: read_file, Read \.env; read_folder, List \/lib/,
      );
    });
  });

  describe('Restricted Mode', () => {
    it('says what is off and what to do', async () => {
      await open([]);
      equal(await chat.page.getByText('Restricted Mode').count(), 0);
      await chat.send({ type: 'trust', isTrusted: false });
      await chat.page.getByText('Parley can only read files in this workspace until you trust it.').waitFor();
      await button('Manage Workspace Trust').click();
      await chat.received('manage-trust');
      await chat.send({ type: 'trust', isTrusted: true });
      await button('Manage Workspace Trust').waitFor({ state: 'detached' });
    });
  });

  for (const [name, events] of Object.entries(states())) {
    it(`has no accessibility violations: ${name}`, async () => {
      await open(events, { width: 300 });
      await chat.send({ type: 'trust', isTrusted: false });
      await button('Reject').first().and(chat.page.locator(':enabled')).waitFor();
      deepEqual(await violationsInAnyTheme(chat), []);
      ok(await chat.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    });
  }
});

/** A waiting command. */
function command(
  text: string,
  commands: readonly (readonly string[])[],
  grants: readonly Grant[],
): AgentEvent[] {
  return runWithWaitingCall(toolCall('run_shell_command', { command: text }), {
    effect: 'execute',
    preview: { type: 'command', command: text, cwd: '/ws', commands },
    grants,
  });
}

/** Two reads of one reply that wait at the same time. */
function waitingPair(): AgentEvent[] {
  const first = toolCall('read_file', { path: '.env' });
  const second = { ...toolCall('read_folder', { path: '/lib' }), id: 'c2' };
  const ask = (call: ToolCall, title: string): AgentEvent => ({
    type: 'approval-request',
    request: { call, effect: 'read', title, accesses: [] },
    reason: 'because',
    grants: [],
  });
  return [
    runStart('go'),
    roundStart,
    { type: 'call-end', index: 0, call: first },
    { type: 'call-end', index: 1, call: second },
    replyEnd,
    ask(first, 'Read .env'),
    ask(second, 'List /lib'),
  ];
}

/** All kinds of waiting calls, each complete. */
function states(): Readonly<Record<string, AgentEvent[]>> {
  const secret: Access = {
    effect: 'read',
    kind: 'path',
    target: '.env',
    verdict: { decision: 'ask', reason: 'secret file' },
  };
  return {
    command: command(
      'npm test && git status | wc -l',
      [
        ['npm', 'test'],
        ['git', 'status'],
        ['wc', '-l'],
      ],
      [npmTest],
    ),
    'long command': command(`echo ${'long word '.repeat(300)}`, [['echo', 'x']], [gitStatus]),
    edit: runWithWaitingCall(toolCall('edit_file', { path: 'a.txt', old: 'a', new: 'b' }), {
      preview: { type: 'diff', path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n' },
      grants: [edits],
    }),
    'secret read': runWithWaitingCall(toolCall('read_file', { path: '.env' }), {
      effect: 'read',
      accesses: [secret],
      grants: [{ type: 'read-file-in-session', path: '/home/someone/project/.env' }],
    }),
    'read outside': runWithWaitingCall(toolCall('read_file', { path: '../lib/a.ts' }), {
      effect: 'read',
      accesses: [{ ...secret, target: '/home/someone/lib/a.ts' }],
      grants: [{ type: 'read-folder-in-session', path: '/home/someone/lib' }],
    }),
  };
}
