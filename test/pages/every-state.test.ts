import { deepEqual, ok } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { violations } from '../support/accessibility';
import type { ChatHarness } from '../support/chat-harness';
import { pageStates } from '../support/page-states';
import { showState } from '../support/show-state';

describe('every state of the chat page', () => {
  let browser: Browser;

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
  });
  after(() => browser.close());

  for (const state of pageStates) {
    it(`is reached by keyboard alone: ${state.name}`, async () => {
      const chat = await showState(browser, state, { width: 320, height: 900 });
      try {
        const wanted = await operable(chat);
        ok(wanted.length > 0);
        const walked = await walk(chat, wanted.length + 20);
        deepEqual(
          wanted.filter((each) => !walked.some(({ name }) => name === each)),
          [],
          'not reached',
        );
        deepEqual(
          walked.filter(({ isMarked }) => !isMarked).map(({ name }) => name),
          [],
          'not to be seen when it has the focus',
        );
        deepEqual(chat.complaints, []);
      } finally {
        await chat.close();
      }
    });

    for (const theme of ['light', 'dark', 'hc-light', 'hc-dark'] as const) {
      it(`has nothing that axe objects to: ${state.name} (${theme})`, async () => {
        const chat = await showState(browser, state, { theme, width: 320, height: 900 });
        try {
          deepEqual(await violations(chat), []);
        } finally {
          await chat.close();
        }
      });
    }
  }
});

/** What a mouse can operate here, each under a name of its own. */
async function operable(chat: ChatHarness): Promise<readonly string[]> {
  return chat.page.evaluate(() => {
    const selector = 'button, select, textarea, input, summary, a[href], [tabindex="0"]';
    const found = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) =>
        !element.matches(':disabled, [tabindex="-1"]') &&
        element.checkVisibility({ visibilityProperty: true }),
    );
    return found.map((element, index) => {
      const label = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
      element.dataset['walk'] = `${index} ${element.localName} ${label}`;
      return element.dataset['walk'];
    });
  });
}

interface Step {
  readonly name: string;
  /** It looks otherwise than without the focus. */
  readonly isMarked: boolean;
}

/** Presses Tab from the beginning of the page on, so many times. */
async function walk(chat: ChatHarness, steps: number): Promise<readonly Step[]> {
  await chat.page.evaluate(() => {
    const start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
  });
  const walked: Step[] = [];
  for (let step = 0; step < steps; step++) {
    await chat.page.keyboard.press('Tab');
    const at = await chat.page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement)) return undefined;
      const name = element.dataset['walk'];
      if (name === undefined) return undefined;
      const around = [element, element.parentElement, element.closest('.composer-box')].flatMap(
        (each) => each ?? [],
      );
      const look = (): string =>
        around
          .map((each) => getComputedStyle(each))
          .map((style) => [style.outline, style.borderColor, style.boxShadow, style.backgroundColor].join())
          .join();
      const focused = look();
      element.blur();
      const without = look();
      element.focus({ focusVisible: true });
      return { name, isMarked: focused !== without };
    });
    if (at) walked.push(at);
  }
  return walked;
}
