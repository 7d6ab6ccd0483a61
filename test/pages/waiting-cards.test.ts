import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { toolCall } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';
import type { PageState } from '../support/pages/chat-states';
import { showChat } from '../support/pages/show-chat';
import { approvalStates, waitingTogether, type WaitingApproval } from '../support/pages/approval-states';

/** The size of the chat in the side bar of a small window. */
const SMALL = { width: 300, height: 400 };

const read: WaitingApproval = { effect: 'read', accesses: [], reason: 'manual mode' };

function call(id: string, name: string, values = {}) {
  return { ...toolCall(name, values), id };
}

describe('waiting cards', () => {
  describe('in a small window', () => {
    let browser: Browser;
    before(async function () {
      this.timeout(300_000);
      browser = await launchChromium();
    });
    after(() => browser.close());

    for (const state of approvalStates) {
      for (const language of ['en', 'zh-cn']) {
        it(`are fully visible with all their answers, in ${language}: ${state.name}`, async () => {
          const chat = await showChat(browser, state, { ...SMALL, language });
          try {
            deepEqual(await outOfSight(chat), []);
            if (language === 'en') deepEqual(await violationsInAnyTheme(chat), []);
            deepEqual(chat.complaints, []);
          } finally {
            await chat.close();
          }
        });
      }
    }

    it('keep their answers in view while arguments are edited and a permission is read', async () => {
      const state = approvalStates.find(({ name }) => name === 'a long command') as PageState;
      const chat = await showChat(browser, state, SMALL);
      try {
        await chat.page.getByRole('button', { name: 'More answers' }).click();
        await chat.page.locator('.grant summary').click();
        await chat.page.getByText('Runs code of the project. If edits run without asking').waitFor();
        deepEqual(await outOfSight(chat), []);
        await chat.page.getByRole('button', { name: 'Edit arguments' }).click();
        await chat.page.getByRole('button', { name: 'Apply changes' }).waitFor();
        deepEqual(await outOfSight(chat), []);
      } finally {
        await chat.close();
      }
    });
  });

  describe('together', () => {
    let chat: ChatHarness;
    const open = chatSuite((opened) => (chat = opened));
    const bar = (): Locator => chat.page.getByRole('region', { name: 'Waiting calls' });
    const button = (name: string | RegExp): Locator => bar().getByRole('button', { name });
    const ready = (name: string | RegExp): Locator => button(name).and(chat.page.locator(':enabled'));
    const decided = async () =>
      (await chat.posted()).flatMap((each) =>
        each.type === 'decide' ? [`${each.answer.type} ${each.callId}`] : [],
      );
    const events = (name: string): readonly AgentEvent[] =>
      approvalStates.find((state) => state.name === name)?.events ?? [];
    const reads = (...ids: readonly string[]): AgentEvent[] =>
      waitingTogether(...ids.map((id) => [call(id, 'read_file', { path: `${id}.txt` }), read] as const));

    it('have no common bar if only one waits', async () => {
      await open(reads('r1'));
      await chat.page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      equal(await bar().count(), 0);
    });

    it('run by one click, which names them and grants nothing more', async () => {
      await open(reads('r1', 'r2', 'r3'));
      match(await bar().innerText(), /^3 calls are waiting/);
      deepEqual(await bar().getByRole('listitem').allInnerTexts(), [
        'read_file {"path":"r1.txt"}',
        'read_file {"path":"r2.txt"}',
        'read_file {"path":"r3.txt"}',
      ]);
      await ready('Run all 3 reads').click();
      deepEqual(await decided(), ['run r1', 'run r2', 'run r3']);
      deepEqual((await chat.received('decide')).answer, { type: 'run' });
    });

    it('are rejected by one click', async () => {
      await open(reads('r1', 'r2'));
      await ready('Reject all 2').click();
      deepEqual(await decided(), ['reject r1', 'reject r2']);
    });

    it('ignore clicks just after another call appears', async () => {
      const all = reads('r1', 'r2', 'r3');
      await open(all.slice(0, -1));
      await chat.passTime();
      await chat.stopTime();
      await chat.events(...all.slice(-1));
      ok(await button('Run all 3 reads').isDisabled());
    });

    it('answer only the calls that were drawn, even if another has arrived since', async () => {
      const all = reads('r1', 'r2', 'r3');
      await open(all.slice(0, -1));
      await ready('Run all 2 reads').waitFor();
      await chat.page.evaluate(
        (event) => {
          // The page has received it, but has not drawn it yet.
          window.postMessage({ type: 'events', events: [event] }, '*');
          document.querySelector<HTMLElement>('.waiting-bar .buttons button')?.click();
        },
        JSON.parse(JSON.stringify(all.at(-1))),
      );
      await bar().getByText('3 calls are waiting').waitFor();
      deepEqual(await decided(), ['run r1', 'run r2']);
    });

    it('leave out calls with a mark, and say so', async () => {
      await open(events('reads, one of them repaired'));
      await bar().getByText('The other call needs a separate answer.').waitFor();
      equal(await bar().getByRole('listitem').count(), 2);
      await ready('Run all 2 reads').click();
      equal((await decided()).length, 2);
    });

    it('are navigated by the buttons, and Enter runs the focused one', async () => {
      await open(events('three reads outside'));
      const focused = (): Promise<string> =>
        chat.page.evaluate(() => document.activeElement?.querySelector('.call-summary')?.textContent ?? '');
      const seen: string[] = [];
      for (const name of ['Next call', 'Next call', 'Next call', 'Previous call']) {
        await button(name).click();
        seen.push((await focused()).replace(/.*\//, ''));
      }
      deepEqual(seen, ['lines.ts', 'test', 'parser.ts', 'test']);
      await chat.passTime();
      await chat.page.keyboard.press('Enter');
      match((await decided()).join(), /^run w\d+$/);
      equal(await focused(), '/home/someone/lib/parser.ts');
    });

    it('have accessible names, and no violations', async () => {
      await open(events('three reads outside'), { width: 300 });
      await ready('Run all 3 reads').waitFor();
      deepEqual(await violationsInAnyTheme(chat), []);
    });
  });
});

/**
 * Returns the parts of the first waiting card that are out of view or covered: the card itself, its answers, and what
 * it asks about.
 */
function outOfSight({ page }: ChatHarness): Promise<readonly string[]> {
  return page.evaluate(() => {
    const card = document.querySelector('.call-waiting');
    const log = document.querySelector('.log')?.getBoundingClientRect();
    if (!card || !log) return ['no card'];
    const box = card.getBoundingClientRect();
    const isCut = box.top < log.top - 1 || box.bottom > log.bottom + 1 || log.bottom > innerHeight;
    const shown = card.querySelector('.asked, .question > :first-child')?.getBoundingClientRect();
    const hidden = [...card.querySelectorAll('.approval > .buttons > button, .free-answer > *')].filter(
      (answer) => {
        const { top, bottom, left, right } = answer.getBoundingClientRect();
        if (top < box.top || bottom > box.bottom || right > box.right) return true;
        return !answer.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      },
    );
    return [
      ...(isCut ? [`the card, from ${box.top} to ${box.bottom} of ${log.top} to ${log.bottom}`] : []),
      ...((shown?.height ?? 0) < 36 ? [`what it asks about, ${shown?.height} pixels`] : []),
      ...hidden.map((answer) => answer.outerHTML),
    ];
  });
}
