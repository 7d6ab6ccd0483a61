import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { isAll } from '../../hosts/random-cases';
import type { ThemeName } from './page-server';

/** The minified file, because `axe.source` is more than twice as long and each new page has to load it. */
const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result depends on the theme. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

interface ThemedPage {
  readonly page: Page;
  setTheme(theme: ThemeName): Promise<void>;
}

/** Returns the violations that axe finds in the current page, one text each. */
export async function violations(shown: {
  readonly page: Page | Frame;
  atRest?(): Promise<void>;
}): Promise<readonly string[]> {
  await shown.atRest?.();
  return found(shown.page, {});
}

/** The last is the one in which all rules run. The short line leaves out the two with high contrast. */
const THEMES: readonly ThemeName[] = isAll ? ['light', 'hc-light', 'hc-dark', 'dark'] : ['light', 'dark'];

/** Returns the violations in the themes of this line of tests. */
export async function violationsInAnyTheme(shown: ThemedPage): Promise<readonly string[]> {
  const all: string[] = [];
  for (const theme of THEMES) {
    await shown.setTheme(theme);
    // The other rules give the same result in each theme, so they run only in the last.
    const here = await found(shown.page, theme === 'dark' ? {} : COLOURS);
    all.push(...here.map((violation) => `${theme}: ${violation}`));
  }
  return all;
}

async function found(page: Page | Frame, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const results = await page.evaluate(
    async (wanted) => {
      // SAFETY: the script above has set `window.axe`.
      const page = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      return page.axe.run(wanted);
    },
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}
