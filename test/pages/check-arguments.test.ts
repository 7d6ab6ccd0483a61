import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { JsonObject } from '../../src/base/json';
import type { JsonSchema } from '../../src/core/words/schema';
import { launchChromium } from '../hosts/chromium';
import { pageBundle } from '../support/page-bundle';

/** A schema of so many definitions, each of which refers twice to the next. */
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

describe('check of arguments against a schema of somebody else', () => {
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

  /** Where something does not fit. */
  const places = (values: JsonObject, schema: object): Promise<readonly string[]> =>
    page.evaluate((json) => {
      // SAFETY: this is what the line below has turned into text.
      const given = JSON.parse(json) as { values: JsonObject; schema: JsonSchema };
      return checking.checkArguments(given.values, given.schema).map(({ path }) => path.join('/'));
    }, JSON.stringify({ values, schema }));

  it('follows references, and none that would hold up the page', async () => {
    ok((await places({ a: 1 }, doubling(3))).includes('a'));
    deepEqual(await places({ a: 1 }, doubling(60)), []);
  });

  it('follows a definition that leads back to itself', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } };
    const schema = { properties: { a: { $ref: '#/$defs/node' } }, $defs: { node } };
    deepEqual(await places({ a: { next: { next: { name: 'x' } } } }, schema), []);
    ok((await places({ a: { next: { next: { name: 1 } } } }, schema)).includes('a/next/next/name'));
  });

  it('calls nothing additional that only a pattern allows', async () => {
    const pattern = { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false };
    deepEqual(await places({ 'x-a': 'b' }, pattern), []);
    equal((await places({ b: 1 }, { additionalProperties: false })).length, 1);
  });
});

/** What the bundle has put into the page. */
declare const checking: typeof import('../../src/webview/lab/check-arguments');
