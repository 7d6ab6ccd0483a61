import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { violations } from '../support/pages/accessibility';
import { runWithWaitingCall, replyEnd, roundStart, runStart, toolCall } from '../support/agent/chat-events';
import { ChatHarness } from '../support/pages/chat-harness';
import { eventually } from '../support/eventually';

const RUNS = 300;

describe('long conversation', () => {
  let browser: Browser;
  let chat: ChatHarness;
  const log = (): Locator => chat.page.getByRole('log', { name: 'Conversation' });
  const entries = (): Locator => log().getByRole('article');
  const question = (run: number): Locator => log().getByText(`Question ${run}.`, { exact: true });
  const drawnRuns = (): Promise<number> =>
    log()
      .getByText(/^Question \d+\.$/)
      .count();
  const scrollTo = (share: number): Promise<void> =>
    log().evaluate((box, part) => void (box.scrollTop = box.scrollHeight * part), share);
  const jump = (): Locator => chat.page.getByRole('button', { name: 'Jump to latest' });
  const distance = (): Promise<number> =>
    log().evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
  /** Returns the first question below the upper edge of the view, and its distance. */
  const inSight = (): Promise<{ readonly text: string; readonly top: number }> =>
    log().evaluate((box) => {
      const edge = box.getBoundingClientRect().top;
      const found = [...box.querySelectorAll('.user-message .text')]
        .map((each) => ({ text: each.textContent, top: each.getBoundingClientRect().top - edge }))
        .find(({ top }) => top >= 0);
      return found ?? { text: '', top: 0 };
    });

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    chat = await ChatHarness.open(browser);
  });
  after(async () => {
    await browser.close();
  });
  beforeEach(async () => {
    await chat.load();
    await chat.start(conversation(RUNS));
    await question(RUNS - 1).waitFor();
    ok((await distance()) < 2);
  });
  afterEach(() => deepEqual(chat.complaints, []));

  it('draws nearby entries and exposes their position in the whole', async () => {
    ok((await drawnRuns()) < 40);
    equal(await entries().last().getAttribute('aria-posinset'), String(2 * RUNS));
    equal(await entries().last().getAttribute('aria-setsize'), String(2 * RUNS));
    await scrollTo(0.5);
    match((await inSight()).text, /1[0-9][0-9]/);
    ok((await drawnRuns()) < 40);
    await scrollTo(0);
    await question(0).waitFor();
    equal(await entries().first().getAttribute('aria-posinset'), '1');
    deepEqual(await violations(chat), []);
  });

  it('returns to the end', async () => {
    await scrollTo(0.3);
    await jump().click();
    ok((await distance()) < 2);
    equal(await jump().count(), 0);
    await question(RUNS - 1).waitFor();
    await chat.events(runStart('Once more'), roundStart, { type: 'text', text: 'line\n\n'.repeat(50) });
    await log().getByText('Once more').waitFor();
    ok((await distance()) < 2);
    equal(await jump().count(), 0);
  });

  it('keeps the visible part in place, whatever the heights above turn out to be', async () => {
    await scrollTo(0.5);
    notEqual((await inSight()).text, '');
    await log().hover();
    for (let step = 0; step < 30; step++) {
      const before = await inSight();
      await chat.page.mouse.wheel(0, -150);
      // The browser scrolls some frames later.
      await eventually(async () => {
        const after = await log()
          .locator('.user-message .text', { hasText: before.text })
          .evaluate((each) => each.getBoundingClientRect().top);
        const edge = await log().evaluate((box) => box.getBoundingClientRect().top);
        const moved = after - edge - before.top;
        ok(Math.abs(moved - 150) < 3, `step ${step} moved by ${moved}`);
      });
    }
  });

  it('keeps the scroll position while an answer streams in', async () => {
    await chat.events(runStart('More'), roundStart);
    await log().getByText('More', { exact: true }).waitFor();
    await scrollTo(0.5);
    const before = await inSight();
    notEqual(before.text, '');
    await chat.stream(
      Array.from({ length: 20 }, (_, index): AgentEvent => ({ type: 'text', text: `Line ${index}\n\n` })),
    );
    deepEqual(await inSight(), before);
    await jump().waitFor();
  });

  it('keeps a waiting call, and the focused entry', async () => {
    const call = toolCall('edit_file', { path: 'a.txt' });
    await chat.start([...conversation(RUNS), ...runWithWaitingCall(call)]);
    const card = log().getByRole('group', { name: 'Tool call edit_file' });
    await card.waitFor();
    await scrollTo(0);
    await question(0).waitFor();
    equal(await card.count(), 1);
    const copy = log().getByRole('button', { name: 'Copy', exact: true }).first();
    await copy.focus();
    await scrollTo(0.6);
    equal(await question(1).count(), 0);
    ok(await copy.evaluate((element) => element === document.activeElement));
    await jump().click();
    ok(await card.getByRole('button', { name: 'Run', exact: true }).isVisible());
  });

  it('keeps what the user has expanded', async () => {
    await scrollTo(0.5);
    const thoughts = log().getByText('Thoughts').first();
    // Scrolling there draws other entries, so it comes before the click.
    await thoughts.scrollIntoViewIfNeeded();
    await chat.atRest();
    await thoughts.click();
    await log().getByText('Hm.').waitFor();
    await scrollTo(0);
    await question(0).waitFor();
    equal(await log().getByText('Hm.').count(), 1);
  });

  it('keeps its place when the width changes', async () => {
    await scrollTo(0.5);
    const before = await inSight();
    notEqual(before.text, '');
    await chat.page.setViewportSize({ width: 500, height: 700 });
    const after = await inSight();
    await chat.page.setViewportSize({ width: 320, height: 700 });
    equal(after.text, before.text);
  });
});

/** Questions with answers of very different heights. */
function conversation(runs: number): AgentEvent[] {
  return Array.from({ length: runs }, (_, run): AgentEvent[] => [
    runStart(`Question ${run}.`),
    roundStart,
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: `${'A sentence of the answer. '.repeat((run * 7) % 30)}\n\n` },
    { type: 'text', text: `\`\`\`\n${'code\n'.repeat(1 + ((run * 5) % 17))}\`\`\`\n` },
    replyEnd,
    { type: 'run-end', outcome: { type: 'done' } },
  ]).flat();
}
