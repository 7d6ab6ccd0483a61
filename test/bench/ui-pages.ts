import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { repository } from '../hosts/repository';
import { pageBundle } from '../support/pages/page-bundle';

/** The chat page without windowing: every entry is drawn. */
export async function pageThatDrawsAll(): Promise<string> {
  const drawAll: Plugin = {
    name: 'draw-all',
    setup(build) {
      build.onLoad({ filter: /use-nearby\.ts$/ }, () => ({
        contents:
          'export const NEWEST = 4; export const useNearby = ({ count }) => ({ drawn: Array.from({ length: count }, (_, index) => index), heightOf: () => 0 });',
        loader: 'ts',
      }));
    },
  };
  return pageBundle('src/webview/chat/main.tsx', { plugins: [drawAll] });
}

export type AnswerWay = 'our-stream' | 'last-block' | 'floor';

/**
 * A page with only one answer, which grows with each posted piece: our way, by rendering its last block again, or
 * with the least work that any way needs.
 */
export async function openAnswer(browser: Browser, way: AnswerWay, width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 700 } });
  const styles = ['media/shared.css', 'media/chat.css'].map((file) =>
    readFile(path.join(repository, file), 'utf8'),
  );
  await page.setContent(
    `<style>${(await Promise.all(styles)).join('')}</style><div class="conversation"><div class="log"><div class="log-content"><div class="markdown"></div></div></div></div>`,
  );
  await page.addScriptTag({ content: await pageBundle(`test/bench/pages/${way}.ts`) });
  return page;
}

/** What the browser measures for a page, in time of its main thread alone: other load on the machine does not count. */
export class PageCounters {
  private constructor(private readonly session: CDPSession) {}

  static async of(page: Page): Promise<PageCounters> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new PageCounters(session);
  }

  /** Milliseconds that the page's main thread spent on scripts, styles, layout and painting. */
  async busy(work: () => Promise<unknown>): Promise<number> {
    const before = await this.read('TaskDuration');
    await work();
    return ((await this.read('TaskDuration')) - before) * 1000;
  }

  /** Milliseconds of scripts, styles and layout alone. */
  async work(run: () => Promise<unknown>): Promise<number> {
    const sum = async (): Promise<number> => {
      const times = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'].map((name) =>
        this.read(name),
      );
      return (await Promise.all(times)).reduce((total, time) => total + time, 0);
    };
    const before = await sum();
    await run();
    return ((await sum()) - before) * 1000;
  }

  /** Bytes that scripts hold. */
  async memory(): Promise<number> {
    await this.session.send('HeapProfiler.collectGarbage');
    return this.read('JSHeapUsedSize');
  }

  /** Including text nodes. */
  async nodes(): Promise<number> {
    await this.session.send('HeapProfiler.collectGarbage');
    return this.read('Nodes');
  }

  private async read(name: string): Promise<number> {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === name)?.value ?? NaN;
  }
}
