import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** `axe.source` is more than twice as long, and each new page has to read it. */
const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page as it is now, a text each. */
export async function violations({ page }: { readonly page: Page | Frame }): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const results = await page.evaluate(async () => {
    // SAFETY: the script above has put axe into the window.
    const page = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return page.axe.run({ resultTypes: ['violations'] });
  });
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}
