import { equal } from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { pageBundle } from '../support/pages/page-bundle';

/** Markdown syntax between plain words. */
const MARKS = [
  ...[
    '*',
    '**',
    '_',
    '__',
    '`',
    '```',
    '~~',
    '#',
    '## ',
    '- ',
    '1. ',
    '12',
    '> ',
    '|',
    '| a | b |\n|---|---|\n',
  ],
  ...['[', ']', '](', ')', ']: ', '![', '<', '>', '&amp', ';', '\\', '"', '://', 'http://', 'https://a.b/c'],
  ...['\n', '\n\n', '\r\n', '  ', '    ', '  \n', '---', '===', '\u202e', '😀', '```ts\n', '\n```\n'],
];
const WORDS = [
  'word',
  'Word ',
  ' word',
  ' and more ',
  'é',
  ' 你好',
  '，',
  '。',
  '. ',
  ', ',
  '! ',
  'a',
  ' 1',
  ' ',
];

const pieces = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 2, arbitrary: fc.constantFrom(...MARKS) },
  ),
  { minLength: 2, maxLength: 30 },
);

describe('streamed Markdown', function () {
  this.timeout(300_000);
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    await page.setContent('<div id="root"></div>');
    const file = 'src/webview/shared/markdown/markdown-stream.ts';
    await page.addScriptTag({ content: await pageBundle(file, { globalName: 'growing' }) });
  });

  after(() => browser.close());

  it('looks after every piece as if all text so far had come at once', async () => {
    const examples = [
      ['- a ', 'word', ' and more ', 'word', '，', '你好', '**', 'a', '** ', 'word', ' word'],
      [' word', '\n', '```', ' word', 'a'],
      [' word', '\n\n- ~~~', ' word', 'a'],
      ['word', '\n\n', '[a]:', '\n', 'word', 'a'],
      ['- ', '```ts\n', '    ', 'word', ' and more ', 'word', '*'],
    ];
    await fc.assert(
      fc.asyncProperty(pieces, async (sample) => {
        const { streamed, atOnce } = await page.evaluate(firstDifference, sample);
        equal(streamed, atOnce);
      }),
      { numRuns: 1_500, examples: examples.map((example) => [example]) },
    );
  });

  it('does not redraw a paragraph that only gets more words', async () => {
    const kept = await page.evaluate(keptNodes, [
      'Some ',
      'words',
      ' and more',
      ' of them, ',
      'and ',
      'more. ',
      'End',
    ]);
    equal(kept, 6);
  });
});

/** Runs in the page. */
function firstDifference(sample: readonly string[]): { readonly streamed: string; readonly atOnce: string } {
  const { MarkdownStream } = growing;
  /** The container of a block is not visible. */
  const look = (element: Element): string =>
    [...element.querySelectorAll('.block-box, .open-block')]
      .map(({ innerHTML }) => innerHTML.trim())
      .join('');
  const root = document.createElement('div');
  const stream = new MarkdownStream(root);
  let [text, streamed, atOnce] = ['', '', ''];
  for (const piece of sample) {
    text += piece;
    stream.update({ more: piece, open: true });
    const other = document.createElement('div');
    new MarkdownStream(other).update({ more: text, open: true });
    [streamed, atOnce] = [`${JSON.stringify(text)} ${look(root)}`, `${JSON.stringify(text)} ${look(other)}`];
    if (streamed !== atOnce) break;
  }
  return { streamed, atOnce };
}

/** Counts how often the paragraph was still the same element after a piece. Runs in the page. */
function keptNodes(sample: readonly string[]): number {
  const root = document.createElement('div');
  const stream = new growing.MarkdownStream(root);
  let kept = 0;
  let paragraph: Element | null = null;
  for (const piece of sample) {
    stream.update({ more: piece, open: true });
    const now = root.querySelector('p');
    if (now !== null && now === paragraph) kept++;
    paragraph = now;
  }
  return kept;
}

/** The global that the bundle sets in the page. */
declare const growing: typeof import('../../src/webview/shared/markdown/markdown-stream');
