import { deepEqual, ok } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { everyState, type ShownPage } from '../support/pages/every-state';

describe('every state of every page', () => {
  let browser: Browser;

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
  });
  after(() => browser.close());

  for (const state of everyState) {
    describe(state.name, () => {
      let shown: ShownPage;
      before(async () => (shown = await state.show(browser, { width: 320, height: 900 })));
      after(() => shown.close());

      it('has no accessibility violations in any theme', async () => {
        deepEqual(await violationsInAnyTheme(shown), []);
      });

      it('is reachable by keyboard only', async () => {
        const wanted = await operable(shown);
        ok(wanted.length > 0);
        const walked = await walk(shown, wanted.length + 20);
        deepEqual(
          wanted.filter((each) => !walked.some(({ name }) => name === each)),
          [],
          'not reached',
        );
        deepEqual(
          walked.filter(({ isMarked }) => !isMarked).map(({ name }) => name),
          [],
          'not visibly different with the focus',
        );
        deepEqual(shown.complaints, []);
      });
    });
  }
});

/** Returns everything that a mouse can operate here, each under a unique name. */
async function operable({ page }: ShownPage): Promise<readonly string[]> {
  return page.evaluate(() => {
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
  /** Whether it looks different with the focus. */
  readonly isMarked: boolean;
}

/** Presses Tab this many times, from the start of the page. */
async function walk({ page }: ShownPage, steps: number): Promise<readonly Step[]> {
  await page.evaluate(() => {
    const start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
  });
  const walked: Step[] = [];
  for (let step = 0; step < steps; step++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
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
