import type { CDPSession, Frame, Page } from 'playwright-core';
import type { ParleyWindow } from '../e2e/parley-window';

/** Milliseconds. */
export interface Stretch {
  /** Tasks of more than 50 ms that blocked everything else: in the chat page itself, and anywhere in the window. */
  readonly pageTasks: readonly number[];
  readonly windowTasks: readonly number[];
  /** The longest tasks of the window by processor time, which excludes other programs. */
  readonly worked: readonly number[];
  /** Milliseconds from each key to the frame that shows it. */
  readonly keys: readonly number[];
  /** Bytes that scripts hold. */
  readonly heap: number;
  /** What the browser spent its time on. */
  readonly busy: Readonly<Record<Work, number>>;
}

/** As the browser measures it. */
const works = ['Script', 'RecalcStyle', 'Layout', 'Task'] as const;
type Work = (typeof works)[number];

const MOST_TASKS = 100;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What a frame measures about itself. */
interface Measured {
  readonly tasks: { readonly duration: number; readonly isOwn: boolean }[];
  readonly keys: number[];
}

/** Measures the chat page inside the window of a real VS Code, and the window itself. */
export class WindowMeter {
  private constructor(
    private readonly chat: Frame,
    private readonly page: Page,
    private readonly session: CDPSession,
    private readonly tracing: CDPSession | undefined,
    /** The chat page has a separate process, and so a separate heap. */
    readonly isOwnProcess: boolean,
  ) {}

  static async of(window: ParleyWindow): Promise<WindowMeter> {
    const { page } = window.workbench;
    const chat = window.page;
    await chat.evaluate(measure);
    await page.evaluate(measure);
    const own = await page
      .context()
      .newCDPSession(chat)
      .catch(() => undefined);
    const session = own ?? (await page.context().newCDPSession(page));
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const tracing = await page.context().browser()?.newBrowserCDPSession();
    return new WindowMeter(chat, page, session, tracing, own !== undefined);
  }

  async during(work: () => Promise<unknown>): Promise<Stretch> {
    await this.take();
    const before = await this.busy();
    const worked = await this.tasksOf(work);
    const [page, window] = await this.take();
    const after = await this.busy();
    const { usedSize } = await this.usedHeap();
    const own = page.tasks.filter(({ isOwn }) => isOwn).map(({ duration }) => duration);
    return {
      pageTasks: own,
      windowTasks: window.tasks.map(({ duration }) => duration),
      worked,
      keys: page.keys,
      heap: usedSize,
      // SAFETY: both have the same keys.
      busy: Object.fromEntries(works.map((each) => [each, after[each] - before[each]])) as Stretch['busy'],
    };
  }

  /** Processor time in milliseconds of the longest tasks, the longest first. */
  private async tasksOf(work: () => Promise<unknown>): Promise<readonly number[]> {
    const { tracing } = this;
    if (!tracing) {
      await work();
      return [];
    }
    const events: TraceEvent[] = [];
    // SAFETY: trace events have this form; the protocol does not describe it.
    const collect = ({ value }: { readonly value: readonly object[] }): void =>
      void events.push(...(value as readonly TraceEvent[]));
    tracing.on('Tracing.dataCollected', collect);
    await tracing.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel'] },
    });
    await work();
    const isComplete = new Promise<void>((resolve) =>
      tracing.once('Tracing.tracingComplete', () => resolve()),
    );
    await tracing.send('Tracing.end');
    await isComplete;
    tracing.off('Tracing.dataCollected', collect);
    const name = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
    const main = new Set(
      events
        .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
        .map(name),
    );
    return events
      .filter((event) => event.name.endsWith('RunTask') && main.has(name(event)))
      .map(({ tdur = 0 }) => tdur / 1000)
      .sort((one, other) => other - one)
      .slice(0, MOST_TASKS);
  }

  private async busy(): Promise<Stretch['busy']> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    const of = (work: Work): number =>
      (metrics.find(({ name }) => name === `${work}Duration`)?.value ?? NaN) * 1000;
    // SAFETY: every kind of work has its entry.
    return Object.fromEntries(works.map((work) => [work, of(work)])) as Stretch['busy'];
  }

  /** The functions that took the time, as lines of text. */
  async profile(work: () => Promise<unknown>): Promise<readonly string[]> {
    await this.session.send('Profiler.enable');
    await this.session.send('Profiler.setSamplingInterval', { interval: 500 });
    await this.session.send('Profiler.start');
    await work();
    const { profile } = await this.session.send('Profiler.stop');
    const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    const times = new Map<string, number>();
    for (const [index, id] of (profile.samples ?? []).entries()) {
      const name = names.get(id) ?? '';
      times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas?.[index] ?? 0) / 1000);
    }
    return [...times]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 15)
      .map(([name, time]) => `${time.toFixed(0).padStart(10)} ms  ${name}`);
  }

  private async usedHeap(): Promise<{ readonly usedSize: number }> {
    await this.session.send('HeapProfiler.collectGarbage');
    return this.session.send('Runtime.getHeapUsage');
  }

  /** What both frames have measured since the last call. */
  private async take(): Promise<readonly [Measured, Measured]> {
    return [await this.chat.evaluate(takeMeasured), await this.page.evaluate(takeMeasured)];
  }
}

function nameOf({ functionName, url, lineNumber, columnNumber }: Callee): string {
  const file = url.replace(/[?#].*/s, '').replace(/^.*\//s, '');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}:${columnNumber + 1}`}`;
}

interface Callee {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Runs in the page. */
function measure(): void {
  const measured: Measured = { tasks: [], keys: [] };
  Object.assign(window, { measured });
  new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries())
      measured.tasks.push({ duration, isOwn: name === 'self' });
  }).observe({ type: 'longtask' });
  document.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      // A task after the next frame: the key is visible by then.
      requestAnimationFrame(() => setTimeout(() => measured.keys.push(performance.now() - timeStamp))),
    true,
  );
}

/** Runs in the page. */
function takeMeasured(): Measured {
  // SAFETY: `measure` has set it.
  const { measured } = window as unknown as { measured: Measured };
  return { tasks: measured.tasks.splice(0), keys: measured.keys.splice(0) };
}
