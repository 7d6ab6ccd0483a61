import type { Page } from 'playwright-core';

/** The work that a page has scheduled; in the page it is `window.work`. */
interface PageWork {
  /**
   * Resolves when the page has drawn everything and has nothing more to do before a timer ends: nothing is scheduled
   * for the next task, frame or idle moment, and a whole frame has changed nothing.
   */
  atRest(): Promise<void>;
  /**
   * Ends all timers now, and those that they start, until the page is at rest without any. Later events say that a
   * second has passed.
   */
  passTime(): Promise<void>;
  /** Timers that start from now on end only in `passTime`. */
  stopTime(): void;
}

/** Milliseconds until a page that never comes to rest fails its test. */
const PATIENCE = 60_000;

/** The ways to look once at an element. */
const LOOKS = [
  ...['allInnerTexts', 'allTextContents', 'ariaSnapshot', 'boundingBox', 'count', 'evaluate', 'evaluateAll'],
  ...['getAttribute', 'innerHTML', 'innerText', 'inputValue', 'isChecked', 'isDisabled', 'isEditable'],
  ...['isEnabled', 'isHidden', 'isVisible', 'textContent'],
] as const;

/**
 * Pages whose elements are looked at only while the page is at rest, so that a look sees the effects of everything
 * that came before it, however slow the machine is.
 */
const watched = new WeakSet<Page>();
let isPatched = false;

/** Before the page loads anything: records its work, and makes every look at an element wait until it is at rest. */
export async function watchWork(page: Page): Promise<void> {
  await page.addInitScript(recordWork, PATIENCE);
  watched.add(page);
  if (isPatched) return;
  isPatched = true;
  // SAFETY: these are methods of locators, whose class Playwright does not export.
  const locators = Object.getPrototypeOf(page.locator('html')) as Record<string, Look>;
  for (const name of LOOKS) {
    const look = locators[name];
    if (!look) throw new Error(`Locators have no ${name}.`);
    locators[name] = async function (this: { page(): Page }, ...values: unknown[]) {
      if (watched.has(this.page())) await atRest(this.page());
      return look.apply(this, values);
    };
  }
}

type Look = (this: { page(): Page }, ...values: unknown[]) => Promise<unknown>;

export function atRest(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { work: PageWork }).work.atRest());
}

export function passTime(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { work: PageWork }).work.passTime());
}

export function stopTime(page: Page): Promise<void> {
  return page.evaluate(() => (window as unknown as { work: PageWork }).work.stopTime());
}

/** Runs in the page, before its scripts. */
function recordWork(patience: number): void {
  const frame = window.requestAnimationFrame.bind(window);
  const cancelFrame = window.cancelAnimationFrame.bind(window);
  const idle = window.requestIdleCallback.bind(window);
  const cancelIdle = window.cancelIdleCallback.bind(window);
  const later = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  const never = 2 ** 31 - 1;
  const second = 1_000;

  const [frames, idles, tasks] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const timers = new Map<number, () => void>();
  let isStopped = false;
  let passed = 0;

  const timeStamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get(this: Event): number {
      return Number(timeStamp?.get?.call(this)) + passed;
    },
  });
  window.requestAnimationFrame = (callback) => {
    const id = frame((time) => {
      frames.delete(id);
      callback(time);
    });
    frames.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    frames.delete(id);
    cancelFrame(id);
  };
  window.requestIdleCallback = (callback, options) => {
    const id = idle((deadline) => {
      idles.delete(id);
      callback(deadline);
    }, options);
    idles.add(id);
    return id;
  };
  window.cancelIdleCallback = (id) => {
    idles.delete(id);
    cancelIdle(id);
  };
  const setTimer = (callback: (...values: unknown[]) => void, delay = 0, ...values: unknown[]): number => {
    const run = (): void => {
      tasks.delete(id);
      timers.delete(id);
      callback(...values);
    };
    const id = later(run, delay > 0 && isStopped ? never : delay);
    if (delay > 0) timers.set(id, run);
    else tasks.add(id);
    return id;
  };
  const clearTimer = (id = 0): void => {
    tasks.delete(id);
    timers.delete(id);
    cancel(id);
  };
  Object.assign(window, { setTimeout: setTimer, clearTimeout: clearTimer });

  const atRest = async (): Promise<void> => {
    const end = performance.now() + patience;
    let changes = 0;
    const count = (): void => void (changes += 1);
    const observer = new MutationObserver(count);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener('scroll', count, true);
    try {
      for (let before = -1; before < changes || frames.size + idles.size + tasks.size > 0;) {
        if (performance.now() > end) {
          const left = `${frames.size} frames, ${idles.size} idle callbacks, ${tasks.size} tasks`;
          throw new Error(`The page does not come to rest: ${left}, ${changes} changes.`);
        }
        before = changes;
        await new Promise<void>((resolve) => frame(() => later(resolve)));
      }
    } finally {
      observer.disconnect();
      removeEventListener('scroll', count, true);
    }
  };

  const work: PageWork = {
    atRest,
    async passTime() {
      await atRest();
      const end = performance.now() + patience;
      while (timers.size > 0) {
        if (performance.now() > end) throw new Error('The page always starts another timer.');
        for (const [id, run] of [...timers]) {
          // An earlier one may have cancelled it.
          if (!timers.has(id)) continue;
          cancel(id);
          run();
        }
        await atRest();
      }
      passed += second;
    },
    stopTime() {
      isStopped = true;
    },
  };
  Object.assign(window, { work });
}
