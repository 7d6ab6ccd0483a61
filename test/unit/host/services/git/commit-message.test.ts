import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changesText } from '../../../../../src/host/services/git/changes-text';
import {
  messageIn,
  NoMessage,
  writeCommitMessage,
} from '../../../../../src/host/services/git/commit-message';
import type { Model, ModelDelta, ModelRequest } from '../../../../../src/core/words/model';

const words = (text: string): number => (text.match(/\S+\s*/g) ?? []).length;
const changes = (files: readonly { path: string; diff: string }[], secretFiles: readonly string[] = []) => ({
  isStaged: true,
  files,
  secretFiles,
});

function answering(deltas: readonly ModelDelta[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: 'm',
    requests,
    async *stream(request) {
      requests.push(request);
      yield* deltas;
    },
  };
}

async function written(model: Model, window = 4_000): Promise<string | undefined> {
  const { signal } = new AbortController();
  const files = changes([{ path: 'a.txt', diff: '+one' }]);
  let last: string | undefined;
  for await (const text of writeCommitMessage(files, { model, window, countTokens: words }, signal))
    last = text;
  return last;
}

describe('changes for a model', () => {
  it('never take more tokens than there is room, and name every secret file and every cut that fits', () => {
    const diff = fc
      .array(fc.stringMatching(/^[a-z ]{0,40}$/), { maxLength: 60 })
      .map((lines) => lines.join('\n'));
    const files = fc.array(fc.record({ path: fc.stringMatching(/^[a-z]{1,8}\.txt$/), diff }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(files, fc.integer({ min: 100, max: 400 }), (given, room) => {
        const text = changesText(changes(given, ['.env']), room, words);
        assert.ok(words(text) <= room, `${words(text)} of ${room}`);
        if (given.every((file) => text.includes(file.diff))) assert.doesNotMatch(text, /Cut to fit/);
        else assert.match(text, /Cut to fit: /);
      }),
    );
  });

  it('show small files whole, and say how much of a large one is shown', () => {
    const long = Array.from({ length: 500 }, (_, index) => `+line ${index}`).join('\n');
    const text = changesText(
      changes([
        { path: 'long.txt', diff: long },
        { path: 'a.txt', diff: '+small' },
      ]),
      400,
      words,
    );
    assert.match(text, /\+small/);
    assert.match(text, /Cut to fit: long\.txt \(\d+ of 500 lines\)\.$/);
  });
});

describe('a commit message in a reply', () => {
  for (const [name, reply, message] of [
    ['plain text', 'Fix it\n\nBecause.', 'Fix it\n\nBecause.'],
    ['reasoning before it', '<think>what?</think>\nFix it', 'Fix it'],
    ['reasoning that has not ended', '<think>what', ''],
    ['a fence', '```\nFix it\n```', 'Fix it'],
    ['a fence with a language', '```text\nFix it\n```\n', 'Fix it'],
    ['a fence that has just begun', '```te', ''],
    ['a fence that has not ended', '```\nFix', 'Fix'],
    ['code inside', 'Fix `a`', 'Fix `a`'],
  ] as const) {
    it(`is found in ${name}`, () => assert.equal(messageIn(reply), message));
  }
});

describe('writing a commit message', () => {
  it('asks without tools, and yields what is written', async () => {
    const model = answering([
      { type: 'text', text: 'Fix ' },
      { type: 'text', text: 'it' },
    ]);
    assert.equal(await written(model), 'Fix it');
    assert.equal(model.requests[0]?.tools, undefined);
    assert.match(JSON.stringify(model.requests[0]?.messages), /\+one/);
  });

  it('takes at most a quarter of the window', async () => {
    const model = answering([{ type: 'text', text: 'Fix it' }]);
    const { signal } = new AbortController();
    const files = changes([{ path: 'a.txt', diff: '+word '.repeat(5_000) }]);
    const writing = writeCommitMessage(files, { model, window: 1_000, countTokens: words }, signal);
    while ((await writing.next()).done !== true);
    const all = model.requests[0]?.messages.map(({ content }) => words(content)) ?? [];
    assert.ok(all.reduce((sum, each) => sum + each, 0) <= 250, all.join());
  });

  it('says why there is none', async () => {
    await assert.rejects(written(answering([])), NoMessage);
    const failure = { code: 'unreachable', message: 'No server answers.' } as const;
    await assert.rejects(written(answering([{ type: 'failure', failure }])), /No server answers/);
  });
});
