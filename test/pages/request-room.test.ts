import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { runWithWaitingCall, toolCall } from '../support/agent/chat-events';
import { approvalStates } from '../support/pages/approval-states';
import { ChatHarness } from '../support/pages/chat-harness';
import { showChat } from '../support/pages/show-chat';

const SIZES = [150, 200, 290, 410, 500]
  .flatMap((height) => [250, 300, 400, 600].map((width) => ({ name: `${width} x ${height}`, width, height })))
  .concat(
    { name: '400 x 700 at 200 %', width: 200, height: 350 },
    { name: '400 x 700 at 300 %', width: 133, height: 233 },
  );

const COMMAND = Array.from({ length: 30 }, (_, line) => `echo line ${line} of the command`).join('\n');
const ARGUMENTS = {
  owner: 'octo',
  body: 'Steps to see it, and what was expected.\n'.repeat(30),
  labels: ['bug', 'parser'],
};
const grants = [
  { type: 'allow-commands', rules: [{ text: 'echo', runsCode: false }] },
  { type: 'edits-in-session' },
] as const;

const requests = {
  'a long command': runWithWaitingCall(toolCall('run_shell_command', { command: COMMAND }), {
    effect: 'execute',
    preview: { type: 'command', command: COMMAND, cwd: '/ws', commands: [] },
    grants,
  }),
  'a call with long arguments': runWithWaitingCall(toolCall('mcp_github_create_issue', ARGUMENTS), {
    effect: 'network',
    grants,
  }),
  'a long path': runWithWaitingCall(toolCall('read_file', { path: `${'deeper/'.repeat(24)}end.txt` }), {
    effect: 'read',
    grants,
  }),
  'a change': approvalStates.find(({ name }) => name === 'a long edit')?.events ?? [],
  'a marked change': runWithWaitingCall(
    { ...toolCall('edit_file', { path: 'a.txt' }), mark: 'repaired' },
    {
      preview: {
        type: 'diff',
        path: `${'a long folder/'.repeat(6)}a.txt`,
        before: 'one\ntwo\nthree\nfour\nfive\n',
        after: '1\n2\n3\n4\n5\n',
        runsCode: true,
      },
      grants,
    },
  ),
};

describe('a waiting request', () => {
  let browser: Browser;
  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
  });
  after(() => browser.close());

  for (const { name: size, width, height } of SIZES) {
    it(`has room, and runs once it was seen, at ${size}`, async () => {
      const chat = await ChatHarness.open(browser, { width, height });
      const { page } = chat;
      const run = page.getByRole('button', { name: 'Run', exact: true });
      try {
        for (const [name, events] of Object.entries(requests)) {
          await chat.start(events);
          await chat.passTime();
          if (await run.isEnabled()) ok(await isAllInView(chat), `${name} can run, but not all was seen`);
          const lines = await linesInView(chat);
          ok(lines >= 4, `${name}: ${lines} lines`);
          await readToEnd(chat);
          ok(await run.isEnabled(), name);
          for (const button of [run, page.getByRole('button', { name: 'Reject' })]) {
            await button.scrollIntoViewIfNeeded();
            ok(await isHit(button), name);
          }
          ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        }
        deepEqual(chat.complaints, []);
      } finally {
        await chat.close();
      }
    });
  }

  it('is read by keyboard on the card, and Enter runs nothing before', async () => {
    const chat = await showChat(
      browser,
      { name: '', events: requests['a long command'] },
      { width: 300, height: 400 },
    );
    const { page } = chat;
    const run = page.getByRole('button', { name: 'Run', exact: true });
    const decided = async (): Promise<number> =>
      (await chat.posted()).filter(({ type }) => type === 'decide').length;
    try {
      await page.getByRole('group', { name: 'Tool call run_shell_command' }).focus();
      await chat.passTime();
      await page.keyboard.press('Enter');
      equal(await decided(), 0);
      ok(await page.getByText('Scroll to the end of the request to run it.').isVisible());
      for (let presses = 0; presses < 40 && !(await run.isEnabled()); presses += 1)
        await page.keyboard.press('PageDown');
      await page.keyboard.press('Enter');
      equal(await decided(), 1);
    } finally {
      await chat.close();
    }
  });

  it('keeps its other answers behind one button in a low chat', async () => {
    const chat = await showChat(
      browser,
      { name: '', events: requests['a long path'] },
      { width: 300, height: 290 },
    );
    const { page } = chat;
    const allow = page.getByRole('button', { name: 'Always allow' });
    try {
      equal(await allow.isVisible(), false);
      await page.getByRole('button', { name: '… More answers' }).click();
      await allow.scrollIntoViewIfNeeded();
      ok(await isHit(allow));
      ok((await linesInView(chat)) >= 4);
    } finally {
      await chat.close();
    }
  });
});

/** The lines of the request that can be read at once, where it has more than four; else four. */
function linesInView({ page }: ChatHarness): Promise<number> {
  return page.evaluate(() => {
    const request = document.querySelector(
      '.command-text, .diff-lines, .asked > .arguments .text-box, .asked > .arguments',
    );
    if (!(request instanceof HTMLElement)) return 0;
    const { lineHeight } = getComputedStyle(request);
    const line = Number.parseFloat(lineHeight);
    // From its top, as far as it can be scrolled to: the page may have to be scrolled for it.
    request.scrollIntoView({ block: 'start' });
    let { top, bottom } = request.getBoundingClientRect();
    for (let box = request.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowY === 'visible') continue;
      const around = box.getBoundingClientRect();
      top = Math.max(top, around.top);
      bottom = Math.min(bottom, around.bottom);
    }
    const seen = (Math.min(bottom, innerHeight) - Math.max(top, 0)) / line;
    return request.scrollHeight <= request.clientHeight && seen * line >= request.clientHeight - 1
      ? Math.max(4, seen)
      : Math.round(seen * 10) / 10;
  });
}

/** Whether the end of everything that must be read can be pointed at, without any scrolling. */
function isAllInView({ page }: ChatHarness): Promise<boolean> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.asked [data-must-be-seen]')].every((element) => {
      const { left, bottom } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + 1, bottom - 2);
      return (
        hit !== null && (element.contains(hit) || hit.contains(element)) && hit.closest('.asked') !== null
      );
    }),
  );
}

/** Unfolds and scrolls whatever can be scrolled, as a reader would. */
async function readToEnd(chat: ChatHarness): Promise<void> {
  const { page } = chat;
  const rest = page.locator('.asked [data-hides-rest]');
  while ((await rest.count()) > 0) await rest.first().click();
  const marks = await page.locator('.asked [data-must-be-seen]').all();
  for (const mark of marks) {
    await mark.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await chat.atRest();
  }
}

function isHit(button: Locator): Promise<boolean> {
  return button.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  });
}
