import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import type { ThemeName } from './page-server';

/** `axe.source` is more than twice as long, and each new page has to read it. */
const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that see another page when its theme is another one. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

interface ThemedPage {
  readonly page: Page;
  setTheme(theme: ThemeName): Promise<void>;
}

/** What axe finds wrong with the page as it is now, a text each. */
export async function violations({ page }: { readonly page: Page | Frame }): Promise<readonly string[]> {
  return found(page, {});
}

/** What it finds wrong in the two light and the two dark themes. */
export async function violationsInAnyTheme(shown: ThemedPage): Promise<readonly string[]> {
  const all: string[] = [];
  for (const theme of ['light', 'hc-light', 'hc-dark', 'dark'] as const) {
    await shown.setTheme(theme);
    // Everything else is the same in each, and looked for in the last.
    const here = await found(shown.page, theme === 'dark' ? {} : COLOURS);
    all.push(...here.map((violation) => `${theme}: ${violation}`));
  }
  return all;
}

async function found(page: Page | Frame, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const results = await page.evaluate(
    async (wanted) => {
      // SAFETY: the script above has put axe into the window.
      const page = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      return page.axe.run(wanted);
    },
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}
