// What the chat page costs in a real Chromium, each figure compared with another way to do the same in the same run.
// The bars: an answer of 200 KB 0.8 and one block of code 0.02 of rendering the last block again, the last tenth 1.5
// times the second; 2,000 messages compared with drawing all of them: a streamed frame 0.25, a resize 0.1, nodes
// 0.03.
import type { Browser, Page } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { replyEnd, roundStart, runStart } from '../support/agent/chat-events';
import { ChatHarness } from '../support/pages/chat-harness';
import { codeAnswer, mixedAnswer } from './sample-answers';
import { compare, exponent } from './measure';
import { openAnswer, PageCounters, pageThatDrawsAll, type AnswerWay } from './ui-pages';

const WIDTH = 400;
const SIZE = 200 * 1024;
/** The text that a fast endpoint sends during one frame. */
const PIECE = 16;
const PLACES = 50;
const AT_ONE_PLACE = 60;
const MESSAGES = 2_000;
const FRAMES = 40;

async function main(): Promise<void> {
  const browser = await launchChromium(['--disable-frame-rate-limit']);
  try {
    const mixed = await answer(browser, mixedAnswer(SIZE));
    console.log(`mixed answer, 200 KB          ${mixed}`);
    const code = await answer(browser, codeAnswer(SIZE));
    console.log(`one block of code, 200 KB     ${code}`);
    await conversations(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Streams a text into our answer, into one that renders its last block again, into one element with separate layout
 * (the least work of a browser for a piece), and into the whole chat. All of it in pieces would take many minutes:
 * the cost of a piece is measured at many places, and the text between them arrives at once. Painting is left out,
 * because it costs the same everywhere.
 */
async function answer(browser: Browser, text: string): Promise<string> {
  const stretches = stretchesOf(text);
  let costs: readonly number[] = [];
  const longTasks: number[] = [];
  const streamed = async (page: Page, stream: (pieces: readonly string[]) => Promise<void>) => {
    const counters = await PageCounters.of(page);
    const each: number[] = [];
    for (const { between, pieces } of stretches) {
      await stream([between]);
      each.push((await counters.work(() => stream(pieces))) / pieces.length);
    }
    return each;
  };
  const alone = async (way: AnswerWay): Promise<readonly number[]> => {
    const page = await openAnswer(browser, way, WIDTH);
    try {
      return await streamed(page, (pieces) => page.evaluate(streamByPost, pieces));
    } finally {
      await page.close();
    }
  };
  const inChat = async (): Promise<number> => {
    const chat = await ChatHarness.open(browser, { width: WIDTH });
    await chat.start([runStart('go'), roundStart]);
    await countLongTasks(chat.page);
    const each = await streamed(chat.page, (pieces) =>
      chat.stream(pieces.map((piece) => ({ type: 'text', text: piece }))),
    );
    longTasks.push(...(await longTasksOf(chat.page)));
    await chat.close();
    return mean(each);
  };
  const { ratio, ...times } = await compare(1, {
    own: async () => {
      costs = await alone('our-stream');
      return mean(costs);
    },
    bare: async () => mean(await alone('last-block')),
  });
  const floor = mean(await alone('floor'));
  const chat = await inChat();
  const tenth = costs.length / 10;
  const growth = mean(costs.slice(-tenth)) / mean(costs.slice(tenth, 2 * tenth));
  return (
    `${ratio.toFixed(3)} of rendering the last block again (${times.own.toFixed(2)} / ${times.bare.toFixed(2)} ms for a piece, of which any way takes ${floor.toFixed(2)}), ` +
    `last tenth ${growth.toFixed(2)} of the second; with the whole chat around it ${chat.toFixed(2)} ms, ` +
    `${longTasks.length} long tasks, longest ${Math.max(0, ...longTasks).toFixed(0)} ms`
  );
}

interface Stretch {
  /** The text before the pieces, since the last measured place. */
  readonly between: string;
  readonly pieces: readonly string[];
}

function stretchesOf(text: string): readonly Stretch[] {
  const length = Math.floor(text.length / PLACES);
  return Array.from({ length: PLACES }, (_, place): Stretch => {
    const stretch = text.slice(place * length, (place + 1) * length);
    const measured = stretch.slice(-PIECE * AT_ONE_PLACE);
    return {
      between: stretch.slice(0, -measured.length),
      pieces: Array.from({ length: AT_ONE_PLACE }, (_, at) => measured.slice(at * PIECE, (at + 1) * PIECE)),
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function conversations(browser: Browser): Promise<void> {
  const all = await pageThatDrawsAll();
  const sides = {
    own: await Conversation.open(browser, MESSAGES),
    bare: await Conversation.open(browser, MESSAGES, all),
  };
  // A separate pair, because a longer answer costs more.
  const sizes = {
    own: await Conversation.open(browser, MESSAGES),
    bare: await Conversation.open(browser, MESSAGES / 10),
  };
  for (const step of ['frame', 'width', 'key'] as const) {
    const toAll = await compare(5, { own: () => sides.own[step](), bare: () => sides.bare[step]() });
    const toFew = await compare(5, { own: () => sizes.own[step](), bare: () => sizes.bare[step]() });
    console.log(
      `2,000 messages, ${step.padEnd(14)}${toAll.ratio.toFixed(3)} of all in the page ` +
        `(${toAll.own.toFixed(2)} / ${toAll.bare.toFixed(2)} ms), ${toFew.ratio.toFixed(2)} of 200 messages`,
    );
  }
  for (const count of ['nodes', 'memory'] as const) {
    const [own, bare, few] = [await sides.own[count](), await sides.bare[count](), await sizes.bare[count]()];
    console.log(
      `2,000 messages, ${count.padEnd(14)}${(own / bare).toFixed(3)} of all in the page (${own} / ${bare}), ${(own / few).toFixed(2)} of 200 messages`,
    );
  }
  const points: [number, number][] = [
    [MESSAGES / 10, sizes.bare.opening],
    [MESSAGES, sides.own.opening],
  ];
  console.log(
    `2,000 messages, opening       ${(sides.own.opening / sides.bare.opening).toFixed(3)} of all in the page ` +
      `(${sides.own.opening.toFixed(0)} / ${sides.bare.opening.toFixed(0)} ms), grows with exponent ${exponent(points).toFixed(2)}`,
  );
}

/** An open conversation whose last answer streams in. Each step returns the milliseconds in which the page was busy. */
class Conversation {
  private constructor(
    private readonly chat: ChatHarness,
    private readonly counters: PageCounters,
    readonly opening: number,
  ) {}

  static async open(browser: Browser, messages: number, script?: string): Promise<Conversation> {
    const chat = await ChatHarness.open(browser, { width: WIDTH, ...(script !== undefined && { script }) });
    const counters = await PageCounters.of(chat.page);
    const opening = await counters.busy(async () => {
      await chat.start(conversation(messages));
      await chat.page.getByText('The end.').waitFor();
      await twoFrames(chat.page);
    });
    return new Conversation(chat, counters, opening);
  }

  async frame(): Promise<number> {
    const pieces = Array.from({ length: FRAMES }, (): AgentEvent => ({
      type: 'text',
      text: 'some more words ',
    }));
    return (await this.counters.busy(() => this.chat.stream(pieces))) / FRAMES;
  }

  async width(): Promise<number> {
    const widths = [WIDTH + 100, WIDTH];
    const time = await this.counters.busy(async () => {
      for (const width of widths) {
        await this.chat.page.setViewportSize({ width, height: 700 });
        await twoFrames(this.chat.page);
      }
    });
    return time / widths.length;
  }

  async key(): Promise<number> {
    const box = this.chat.page.getByRole('textbox', { name: 'Message' });
    await box.focus();
    const time = await this.counters.busy(() => box.pressSequentially('a few words'));
    await box.fill('');
    return time / 'a few words'.length;
  }

  nodes(): Promise<number> {
    return this.counters.nodes();
  }

  memory(): Promise<number> {
    return this.counters.memory();
  }
}

async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Runs in the page. */
async function streamByPost(pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    window.postMessage(piece, '*');
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}

/** Tasks of more than 50 ms, during which the page did not respond. */
async function countLongTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const longTasks: number[] = [];
    Object.assign(window, { longTasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
}

async function longTasksOf(page: Page): Promise<readonly number[]> {
  // SAFETY: `countLongTasks` has set it.
  return page.evaluate(() => (window as unknown as { longTasks: readonly number[] }).longTasks);
}

/** A question, an answer, a question …, and an answer that is still streaming. */
function conversation(messages: number): AgentEvent[] {
  const runs = Array.from({ length: messages / 2 - 1 }, (_, run): AgentEvent[] => [
    runStart(`Question ${run}.`),
    roundStart,
    { type: 'text', text: mixedAnswer(300 + (run % 7) * 100) },
    replyEnd,
    { type: 'run-end', outcome: { type: 'done' } },
  ]);
  return [...runs.flat(), runStart('Last question.'), roundStart, { type: 'text', text: 'The end.\n\n' }];
}

void main();
