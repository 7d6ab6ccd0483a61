import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RepetitionWatch } from '../../../../src/core/run/repetition';
import type { ModelDelta } from '../../../../src/core/words/model';
import { turnsOf } from '../../../../src/core/transcript/history';
import { testSession } from '../../../support/agent';

type Channel = 'text' | 'reasoning' | 'value';

/** How many characters came until it was stopped; nothing where it was not. */
function stoppedAfter(text: string, channel: Channel, piece = 7): number | undefined {
  const watch = new RepetitionWatch();
  for (let at = 0; at < text.length; at += piece) {
    const part = text.slice(at, at + piece);
    const event =
      channel === 'value'
        ? ({ type: 'call-delta', index: 0, key: 'content', text: part } as const)
        : ({ type: channel, text: part } as const);
    if (watch.look(event) !== undefined) return at + part.length;
  }
  return undefined;
}

const PARAGRAPH =
  'I will look at the file first, then at the test that fails, and after that I will write down what I have found. ';
const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => `w${(at * 7919) % 10_007}`).join(' ');
const grown = (count: number, each: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => each(number + 1)).join('');

/** Each goes on for ever; `from` is where the fourth turn ends, or what else makes it a loop. */
const loops: readonly { name: string; text: string; from: number; channels?: readonly Channel[] }[] = [
  ...[
    ['one character', 'a'],
    ['a short word', 'ha '],
    ['a mark', '.'],
    ['a token of a template', '<|im_start|>'],
    ['a line break and a dash', '\n-'],
    ['no letters of ASCII', '好的。'],
    ['an emoji', '🙂'],
  ].map(([name = '', text = '']) => ({ name, text: text.repeat(6_000 / text.length), from: 1_500 })),
  ...[
    ['a sentence', 'The file is empty, so I will read the file. '],
    ['a paragraph', PARAGRAPH],
    ['a paragraph with breaks', `${PARAGRAPH}\n\n`],
    ['several paragraphs', `${PARAGRAPH}\n\n${words(90)}\n\n`],
    ['a long list', `${grown(20, (n) => `- ${words(3)} and ${n * n}\n`)}\n`],
    ['a code block', '```ts\nconst a = 1;\nexport function f(): number {\n  return a + 1;\n}\n```\n'],
    ['a block of a foreign form', '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>\n'],
    ['a page', `${words(330)}. `],
  ].map(([name = '', text = '']) => ({
    name,
    text: text.repeat(Math.ceil(16_000 / text.length)),
    from: Math.max(1_500, 4 * text.length),
  })),
  ...[
    ['a line', '- check the file again\n'],
    ['a line and an empty one', 'Let me check that once more.\n\n'],
    ['an indented line', '    return undefined; // nothing\n'],
    ['a row of a table', '| the same | the same |\n'],
  ].map(([name = '', text = '']) => ({
    name,
    text: text.repeat(200),
    from: Math.max(300, 12 * text.length),
  })),
  { name: 'a counted line', text: grown(200, (n) => `Step ${n}: check it again.\n`), from: 400 },
  { name: 'a counted paragraph', text: grown(80, (n) => `Try ${n}. ${PARAGRAPH}`), from: 1_500 },
  {
    name: 'a line counted by tens',
    text: grown(200, (n) => `At line ${10 * n} there is nothing\n`),
    from: 450,
  },
  {
    name: 'blanks of every kind',
    text: grown(900, (n) => '\n'.repeat((n % 3) + 1) + ' '.repeat(n % 5)),
    from: 2_000,
  },
  { name: 'blanks', text: ' '.repeat(6_000), from: 2_000 },
];

/** Nothing of this is a loop. */
const honest: readonly { name: string; text: string }[] = [
  {
    name: 'a table of CSV',
    text: `id,name,amount,day\n${grown(600, (n) => `${n},item ${(n * 31) % 97},${(n * 17) % 1000},2026-${1 + (n % 12)}-${1 + (n % 28)}\n`)}`,
  },
  {
    name: 'a hex dump',
    text: grown(
      500,
      (n) => `${(n * 16).toString(16).padStart(8, '0')}: ${'0000 '.repeat(8)} ................\n`,
    ),
  },
  { name: 'a multiplication table', text: grown(30, (a) => grown(10, (b) => `${a} x ${b} = ${a * b}\n`)) },
  {
    name: 'a poem with a refrain',
    text: grown(12, (n) => `${words(30 + n)}\nAnd the plum tree stands,\nand the plum tree stands.\n\n`),
  },
  {
    name: 'tests that look alike',
    text: grown(
      60,
      (n) => `it('adds ${n} and ${n * 3}', () => {\n  assert.equal(add(${n}, ${n * 3}), ${n * 4});\n});\n\n`,
    ),
  },
  {
    name: 'a licence in front of each of three files',
    text: grown(
      3,
      (n) => `// file ${'abc'[n - 1] ?? ''}.ts\n${readFileSync('LICENSE', 'utf8')}\nexport {};\n`,
    ),
  },
  { name: 'a ruler', text: `Title\n${'='.repeat(80)}\n${words(400)}\n${'-'.repeat(80)}\n${words(200)}` },
  {
    name: 'rows of an HTML table',
    text: grown(200, (n) => `<tr><td>${words(2)} ${(n * n) % 83}</td><td>${(n * 7) % 31}</td></tr>\n`),
  },
  {
    name: 'closing brackets',
    text: grown(40, (n) => `${' '.repeat(n % 9)}}\n${' '.repeat(n % 7)}});\n${words(n % 5)}\n`),
  },
  { name: 'a matrix', text: grown(40, (n) => `[${grown(12, (m) => `${(n * n * m + m * m) % 83}, `)}]\n`) },
];

describe('a reply that repeats itself', () => {
  for (const { name, text, from } of loops) {
    for (const channel of ['text', 'reasoning'] as const)
      it(`is stopped soon: ${name}, as ${channel}`, () => {
        const after = stoppedAfter(text, channel);
        assert.ok(after !== undefined && after <= from + 2_500, `${after} of ${from}`);
      });
    it(`is stopped at the same place however it was cut: ${name}`, () => {
      // Pieces divide the places that are looked at.
      assert.deepEqual(
        [1, 4, 100].map((piece) => stoppedAfter(text, 'text', piece)),
        Array(3).fill(stoppedAfter(text, 'text', 2)),
      );
    });
  }

  const data = [...loops.filter(({ name }) => !name.includes('blanks'))];
  for (const { name, text } of data) {
    const once = text.slice(0, 7_900);
    it(`may be data in a value: ${name}`, () => assert.equal(stoppedAfter(once, 'value'), undefined));
  }

  it('is stopped in a value where nothing else comes for long', () => {
    assert.equal(typeof stoppedAfter('    { "a": 1, "b": null },\n'.repeat(1_000), 'value'), 'number');
    assert.equal(
      stoppedAfter(
        grown(1_000, (n) => `    { "a": ${n}, "b": null },\n`),
        'value',
      ),
      undefined,
    );
    const page = `${words(250)}\n`;
    assert.equal(stoppedAfter(page.repeat(19), 'value'), undefined);
    assert.equal(typeof stoppedAfter(page.repeat(23), 'value'), 'number');
  });

  it('is none where one call holds what repeats itself, and one where the same call comes again and again', () => {
    const watch = new RepetitionWatch();
    const end = (text: string, index: number): string | undefined =>
      watch.look({
        type: 'call-end',
        index,
        call: {
          ...{ id: `c${index}`, name: 'run', arguments: { text }, start: 0, end: 1 },
          ...{ notes: [], mark: 'clean' },
        },
      });
    const long = `echo ${'word '.repeat(400)}`;
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => typeof end(long, at)),
      ['undefined', 'undefined', 'undefined', 'string'],
    );
    for (let at = 0; at < 30; at++) assert.equal(end(`chapter-${at}.md ${'x'.repeat(100)}`, at), undefined);
  });

  const files = ['src', 'l10n', 'test/unit', 'media', 'build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|css|json|md|svg|mjs)$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  for (const channel of ['text', 'value'] as const) {
    it(`is none of the honest ones, as ${channel}`, () => {
      for (const { name, text } of honest)
        for (const shown of [text, `Here it is:\n\`\`\`\n${text}\`\`\`\n`])
          assert.equal(stoppedAfter(shown, channel), undefined, name);
      assert.ok(files.length > 190);
      // A file of this size is looked at as the first part of it.
      for (const file of files)
        assert.equal(
          stoppedAfter(readFileSync(file, 'utf8').slice(0, 100_000), channel, 50),
          undefined,
          file,
        );
    });
  }
});

const endless: ModelDelta[] = [
  { type: 'text', text: 'Look. ' },
  { type: 'text', text: PARAGRAPH.repeat(40) },
  { type: 'end', reason: 'stop' },
];

describe('a run whose reply repeats itself', () => {
  it('runs no call of it, says what repeated, and can be tried again with more variety', async () => {
    const test = testSession({ replies: [endless] });
    await test.session.send('go');
    const end = test.events.find((event) => event.type === 'reply-end');
    assert.equal(end?.reason, 'repetition');
    assert.ok((end.repeated?.length ?? 0) > 0 && (end.repeated?.length ?? 0) <= 200);
    const warning = test.events.find((event) => event.type === 'warning');
    assert.equal(warning?.diagnostic.code, 'repetition');
    const outcome = test.events.find((event) => event.type === 'run-end')?.outcome;
    assert.ok(outcome?.type === 'failed' && outcome.code === 'repetition' && outcome.canContinue);
    await test.session.resume();
    const [first, second] = test.model.requests;
    assert.deepEqual([first?.isVaried, second?.isVaried], [undefined, true]);
    assert.deepEqual(second?.messages, first?.messages);
  });

  it('is tried once more by itself where nobody is there to ask', async () => {
    const test = testSession({ replies: [endless, endless], isAttended: false });
    await test.session.send('go');
    assert.deepEqual(
      test.model.requests.map(({ isVaried }) => isVaried),
      [undefined, true],
    );
    const outcome = test.events.find((event) => event.type === 'run-end')?.outcome;
    assert.equal(outcome?.type, 'failed');
  });

  it('keeps its text once where the user wants it to go on', async () => {
    const test = testSession({ replies: [endless] });
    await test.session.send('go');
    await test.session.send('Go on.');
    const reply = turnsOf(test.session.transcript).find(({ type }) => type === 'reply');
    const [part] = reply?.type === 'reply' ? reply.parts : [];
    assert.ok(part?.type === 'text' && part.text.length < 600, JSON.stringify(part));
    assert.equal(test.model.requests.at(-1)?.isVaried, undefined);
  });
});
