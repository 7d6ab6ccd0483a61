import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { JsonObject } from '../../src/base/json';
import type { JsonSchema } from '../../src/core/words/schema';
import { launchChromium } from '../hosts/chromium';
import { pageBundle } from '../support/pages/page-bundle';

/** Returns a schema with this many definitions, each of which refers twice to the next. */
function doubling(levels: number): object {
  const twice = (level: number): [string, object] => [
    `l${level}`,
    { allOf: [1, 2].map(() => ({ $ref: `#/$defs/l${level + 1}` })) },
  ];
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, level) => twice(level)));
  return {
    properties: { a: { $ref: '#/$defs/l0' } },
    $defs: { ...$defs, [`l${levels}`]: { type: 'string' } },
  };
}

describe('check of arguments against a third-party schema', () => {
  let browser: Browser;
  let page: Page;
  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    page = await browser.newPage();
    const file = 'src/webview/lab/check-arguments.ts';
    await page.addScriptTag({ content: await pageBundle(file, { globalName: 'checking' }) });
  });
  after(() => browser.close());

  /** Returns the paths of values that do not match. */
  const places = (values: JsonObject, schema: object): Promise<readonly string[]> =>
    page.evaluate((json) => {
      // SAFETY: the line below has serialized it.
      const given = JSON.parse(json) as { values: JsonObject; schema: JsonSchema };
      return checking.checkArguments(given.values, given.schema).map(({ path }) => path.join('/'));
    }, JSON.stringify({ values, schema }));

  it('follows references, except those that would block the page', async () => {
    ok((await places({ a: 1 }, doubling(3))).includes('a'));
    deepEqual(await places({ a: 1 }, doubling(60)), []);
  });

  it('follows a recursive definition', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } };
    const schema = { properties: { a: { $ref: '#/$defs/node' } }, $defs: { node } };
    deepEqual(await places({ a: { next: { next: { name: 'x' } } } }, schema), []);
    ok((await places({ a: { next: { next: { name: 1 } } } }, schema)).includes('a/next/next/name'));
  });

  it('does not report properties that match a pattern as additional', async () => {
    const pattern = { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false };
    deepEqual(await places({ 'x-a': 'b' }, pattern), []);
    equal((await places({ b: 1 }, { additionalProperties: false })).length, 1);
  });
});

/** The global that the bundle sets in the page. */
declare const checking: typeof import('../../src/webview/lab/check-arguments');
