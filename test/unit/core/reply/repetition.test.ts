import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RepetitionWatch } from '../../../../src/core/reply/repetition';
import type { ModelDelta } from '../../../../src/core/words/model';
import { turnsOf } from '../../../../src/core/transcript/history';
import { testSession } from '../../../support/agent/test-session';
import { endlessReplies, longReplies } from '../../../support/agent/endless-replies';

type Channel = 'text' | 'reasoning' | 'value';

/** How many characters came before it was stopped; `undefined` if it was not. */
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

const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => `w${(at * 7919) % 10_007}`).join(' ');
const grown = (count: number, each: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => each(number + 1)).join('');

/** How far a reply may continue after its fourth repetition. */
const SOON = 2_500;

describe('a reply that repeats itself', () => {
  it('has sixty kinds', () => assert.ok(endlessReplies.length >= 60, `${endlessReplies.length}`));

  for (const { name, text, turnEnd, isExact } of endlessReplies) {
    const most = turnEnd(4) + SOON;
    it(`is stopped soon: ${name}`, () => {
      for (const channel of ['text', 'reasoning'] as const)
        assert.equal(typeof stoppedAfter(text(most), channel), 'number', channel);
    });

    it(`is stopped at the same place however it was cut: ${name}`, () => {
      // The sizes divide the interval between checks.
      assert.deepEqual(
        [1, 4, 100].map((piece) => stoppedAfter(text(most), 'text', piece)),
        Array(3).fill(stoppedAfter(text(most), 'text', 2)),
      );
    });

    it(`may be data in a value: ${name}`, () => assert.equal(stoppedAfter(text(7_900), 'value'), undefined));

    if (isExact && text(9).trim() !== '')
      it(`is stopped in a value if nothing else comes for long: ${name}`, () => {
        const from = Math.max(turnEnd(20), turnEnd(0) + 8_000);
        assert.equal(typeof stoppedAfter(text(from + SOON), 'value', 50), 'number');
      });
  }

  it('is not detected in a value that counts, or in a value of many long turns', () => {
    const rows = grown(1_000, (n) => `    { "a": ${n}, "b": null },\n`);
    assert.equal(stoppedAfter(rows, 'value'), undefined);
    assert.equal(stoppedAfter(`${words(250)}\n`.repeat(19), 'value'), undefined);
  });

  it('is not detected in repetition inside one call, but in the same call again and again', () => {
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

  it('is not detected in two hundred normal replies', () => {
    const shown: readonly { channel: Channel; show: (text: string) => string }[] = [
      { channel: 'text', show: (text) => `Here it is:\n\n${text}\nThat is all.` },
      { channel: 'text', show: (text) => `Here it is:\n\n\`\`\`\n${text}\`\`\`\n\nThat is all.` },
      { channel: 'value', show: (text) => text },
    ];
    assert.ok(longReplies.length * shown.length >= 200);
    for (const { name, text } of longReplies) {
      assert.ok(text.length >= 2_500, `${name}: ${text.length}`);
      for (const { channel, show } of shown)
        assert.equal(stoppedAfter(show(text), channel), undefined, `${name} as ${channel}`);
    }
  });

  const files = ['src', 'l10n', 'test/unit', 'media', 'build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|css|json|md|svg|mjs)$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  for (const channel of ['text', 'value'] as const)
    it(`is not detected in Parley's files, as ${channel}`, () => {
      assert.ok(files.length > 190);
      // A file of this size is looked at as the first part of it.
      for (const file of files)
        assert.equal(
          stoppedAfter(readFileSync(file, 'utf8').slice(0, 100_000), channel, 50),
          undefined,
          file,
        );
    });
});

const PARAGRAPH =
  'I will look at the file first, then at the test that fails, and after that I will write down what I have found. ';
const looped: ModelDelta[] = [
  { type: 'text', text: 'Look. ' },
  { type: 'text', text: PARAGRAPH.repeat(40) },
  { type: 'end', reason: 'stop' },
];

describe('a run whose reply repeats itself', () => {
  it('runs no call of it, says what repeated, and can be tried again with more variety', async () => {
    const test = testSession({ replies: [looped] });
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

  it('is tried once more automatically if there is no user to ask', async () => {
    const test = testSession({ replies: [looped, looped], isAttended: false });
    await test.session.send('go');
    assert.deepEqual(
      test.model.requests.map(({ isVaried }) => isVaried),
      [undefined, true],
    );
    const outcome = test.events.find((event) => event.type === 'run-end')?.outcome;
    assert.equal(outcome?.type, 'failed');
  });

  it('keeps its text once if the user lets it continue', async () => {
    const test = testSession({ replies: [looped] });
    await test.session.send('go');
    await test.session.send('Go on.');
    const reply = turnsOf(test.session.transcript).find(({ type }) => type === 'reply');
    const [part] = reply?.type === 'reply' ? reply.parts : [];
    assert.ok(part?.type === 'text' && part.text.length < 600, JSON.stringify(part));
    assert.equal(test.model.requests.at(-1)?.isVaried, undefined);
  });
});
