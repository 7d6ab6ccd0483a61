import { nonRepeatingText } from '../../../../support/non-repeating-text';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyMemory, KnownWindow } from '../../../../../src/core/context/known-window';
import type { Model, ModelDelta, ModelRequest } from '../../../../../src/core/words/model';
import { findProtocol } from '../../../../../src/protocols';
import { callOf, testSession, testTool, type TestSession } from '../../../../support/agent/test-session';

const native = findProtocol('native')!;
const count = (text: string): number => Math.ceil(text.length / 4);

/** A server that enforces and reports its window, like llama.cpp. */
class StrictServer implements Model {
  readonly name = 'strict';
  readonly requests: ModelRequest[] = [];
  refusals = 0;

  constructor(
    private readonly window: number,
    private readonly reply: (round: number) => readonly ModelDelta[],
    private readonly says: 'figures' | 'words' | 'nothing' = 'figures',
  ) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelDelta, void, undefined> {
    const { messages, tools = [] } = request;
    const prompt = count(messages.map(({ content }) => content).join('') + JSON.stringify(tools));
    if (prompt > this.window) {
      this.refusals++;
      if (this.says === 'nothing') {
        yield { type: 'end', reason: 'stop' };
        return;
      }
      const figures = this.says === 'figures' && { figures: { prompt, window: this.window } };
      yield { type: 'failure', failure: { code: 'too-long', message: 'Too long.', ...figures } };
      return;
    }
    if (messages.at(-1)?.content.includes('Summarize the earlier conversation') === true) {
      yield* say('SHORT');
      return;
    }
    this.requests.push(request);
    yield* this.reply(this.requests.length);
    yield { type: 'usage', usage: { inputTokens: prompt, outputTokens: 10 } };
  }
}

function say(text: string): ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

function codes({ events }: TestSession): string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));
}

function outcomes({ events }: TestSession): string[] {
  return events.flatMap((event) => (event.type === 'run-end' ? [event.outcome.type] : []));
}

function lastMessage({ events }: TestSession): string {
  const end = events.findLast((event) => event.type === 'run-end');
  return end && 'message' in end.outcome ? end.outcome.message : '';
}

describe('a request that the server refuses as too long', () => {
  for (const says of ['figures', 'words'] as const) {
    it(`is made shorter and sent again by itself, once (${says})`, async () => {
      const server = new StrictServer(2_000, () => say(nonRepeatingText(2_800)), says);
      const test = testSession({ model: server });
      for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
      assert.equal(server.refusals, 1);
      assert.deepEqual(outcomes(test), ['done', 'done', 'done', 'done']);
      assert.match(server.requests.at(-1)?.messages.at(-1)?.content ?? '', /four$/);
    });
  }

  it('shows the window, which counts from then on', async () => {
    const server = new StrictServer(2_000, () => say(nonRepeatingText(2_800)));
    const test = testSession({ model: server });
    for (let index = 0; index < 12; index++) await test.session.send(`question ${index}`);
    assert.equal(server.refusals, 1);
    assert.deepEqual(codes(test), ['window-learned']);
    const window = test.events.findLast((event) => event.type === 'round-start')?.window;
    assert.equal(window, 2_000);
  });

  it('shows it for other sessions too if it is stored', async () => {
    const memory = emptyMemory();
    const first = new StrictServer(2_000, () => say(nonRepeatingText(2_800)));
    const test = testSession({ model: first, memory });
    for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
    const second = new StrictServer(2_000, () => say(nonRepeatingText(2_800)));
    const later = testSession({ model: second, memory });
    for (const text of ['one', 'two', 'three', 'four', 'five']) await later.session.send(text);
    assert.equal(second.refusals, 0);
  });

  it('in the middle of a run loses no round', async () => {
    const read = testTool('read', 'read', async (text) => text.repeat(1_200));
    const server = new StrictServer(2_000, (round) =>
      round > 9
        ? say('all read')
        : [...native.renderReply([callOf('read', String(round))]), { type: 'end', reason: 'tool-calls' }],
    );
    const test = testSession({ model: server, tools: [read], config: { maxIterations: 40 } });
    await test.session.send('read them all');
    assert.deepEqual(outcomes(test), ['done']);
    assert.equal(server.refusals, 1);
  });

  it('is not summarized unasked after the user has taken the summary back', async () => {
    const server = new StrictServer(2_000, () => say(nonRepeatingText(2_800)));
    const test = testSession({ model: server });
    for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
    test.session.undoSummary();
    await test.session.send('five');
    assert.equal(outcomes(test).at(-1), 'budget');
    assert.match(lastMessage(test), /no longer fits/);
  });

  it('is reported if it is refused again', async () => {
    const failure: ModelDelta = { type: 'failure', failure: { code: 'too-long', message: 'Too long.' } };
    const replies = [say('first'), [failure], say('SHORT'), [failure], say('never')];
    const test = testSession({ replies });
    await test.session.send('one');
    await test.session.send('two');
    assert.equal(outcomes(test).at(-1), 'budget');
    assert.equal(test.model.requests.length, 4);
  });

  it('counts as refused if it gets an empty reply near the end of a known window', async () => {
    const server = new StrictServer(1_990, () => say(nonRepeatingText(2_800)), 'nothing');
    const test = testSession({ model: server, window: { tokens: 2_100, reply: 0 } });
    for (const text of ['one', 'two', 'three', 'four', 'five']) await test.session.send(text.repeat(30));
    assert.deepEqual([...new Set(outcomes(test))], ['done']);
    assert.ok(!codes(test).includes('asked-again'));
  });
});

describe('a first message that does not fit', () => {
  const tool = testTool('read', 'read', async () => '');
  const wordy = { ...tool, spec: { ...tool.spec, description: 'x'.repeat(8_000) } };

  it('is answered with what is too long, by how much, and what helps', async () => {
    const server = new StrictServer(2_000, () => say('hi'));
    const test = testSession({ model: server, tools: [wordy] });
    await test.session.send('hi');
    assert.deepEqual(outcomes(test), ['budget']);
    assert.match(
      lastMessage(test),
      /instructions and the tools alone take about 2,\d+ tokens.*too many.*Leave out tools.*-c;/,
    );
    assert.doesNotMatch(lastMessage(test), /older messages/);
    const end = test.events.at(-1);
    assert.ok(
      end?.type === 'run-end' && end.outcome.type === 'budget' && end.outcome.dropTools?.[0]?.tool === 'read',
    );
  });

  it('is never answered with a summary of older messages, even if the server gives no figures', async () => {
    const server = new StrictServer(2_000, () => say('hi'), 'words');
    const test = testSession({ model: server, tools: [wordy] });
    await test.session.send('hi');
    assert.deepEqual(outcomes(test), ['budget']);
    assert.match(lastMessage(test), /no older messages to leave out/);
    assert.ok(!test.events.some(({ type }) => type === 'compaction' || type === 'compaction-start'));
  });

  const explained = {
    ...tool,
    spec: {
      ...tool.spec,
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', description: 'x'.repeat(8_000) } },
      } as const,
    },
  };
  const windows: readonly [string, ConstructorParameters<typeof StrictServer>[2], number | undefined][] = [
    ['before anything is sent', 'figures', 2_000],
    ['after a refusal with figures', 'figures', undefined],
    ['after a refusal without', 'words', undefined],
  ];
  for (const [when, says, tokens] of windows) {
    it(`gets short tool descriptions if that is enough: ${when}`, async () => {
      const server = new StrictServer(2_000, () => say('hi'), says);
      const test = testSession({ model: server, tools: [explained], window: { tokens, reply: 100 } });
      for (const text of ['hi', 'again']) await test.session.send(text);
      assert.deepEqual(outcomes(test), ['done', 'done'], lastMessage(test));
      assert.equal(codes(test).filter((code) => code === 'short-prompt').length, 1);
      assert.equal(server.refusals, tokens === undefined ? 1 : 0);
    });

    it(`but not if the profile wants them in full, which is reported: ${when}`, async () => {
      const server = new StrictServer(2_000, () => say('hi'), says);
      const window = { tokens, reply: 100 };
      const test = testSession({ model: server, tools: [explained], window, isFormChosen: true });
      await test.session.send('hi');
      assert.deepEqual([outcomes(test), codes(test).includes('short-prompt')], [['budget'], false]);
      assert.match(
        lastMessage(test),
        /asks for full tool descriptions; short ones take \d\d tokens: set "prompt" in the profile to "auto"\.$/,
      );
    });
  }
});

describe('a reply that ends at a limit', () => {
  function ended(inputTokens: number, outputTokens: number, window?: number): Promise<TestSession> {
    const reply: ModelDelta[] = [
      { type: 'text', text: 'and so on' },
      { type: 'usage', usage: { inputTokens, outputTokens } },
      { type: 'end', reason: 'length' },
    ];
    const test = testSession({ replies: [reply], window: { tokens: window } });
    return test.session.send('go').then(() => test);
  }
  const rows: [string, number, number, number | undefined, RegExp, string[]][] = [
    ['the end of a known window', 3_000, 1_095, 4_096, /context window is full \(4,096/, []],
    [
      'the end of an unknown window',
      3_000,
      1_096 - 1,
      undefined,
      /context window is full \(4,096/,
      ['window-learned'],
    ],
    ['a limit of the output', 3_000, 1_000, undefined, /output limit/, []],
    ['a limit of the output that meets a multiple', 3_072, 1_024, undefined, /output limit/, []],
    ['a limit within a known window', 3_000, 900, 32_768, /output limit/, []],
  ];
  for (const [name, input, output, window, message, warned] of rows) {
    it(`says so: ${name}`, async () => {
      const test = await ended(input, output, window);
      assert.match(lastMessage(test), message);
      assert.deepEqual(codes(test), warned);
    });
  }
});

describe('a known window', () => {
  const said = { reply: 100, count };

  it('only gets smaller, until more has fitted', () => {
    const window = new KnownWindow(said, emptyMemory());
    assert.deepEqual([window.tokens, window.room], [undefined, Infinity]);
    assert.equal(window.learn(8_192), true);
    assert.equal(window.learn(16_384), false);
    assert.equal(window.learn(4_096), true);
    assert.deepEqual([window.tokens, window.room], [4_096, 3_996]);
    window.hasHeld(4_096);
    assert.equal(window.tokens, 4_096);
    window.hasHeld(5_000);
    assert.equal(window.tokens, undefined);
  });

  it('forgets what was learned once the profile or the server says something else', () => {
    const memory = emptyMemory();
    new KnownWindow({ ...said, tokens: 8_192 }, memory).learn(4_096);
    assert.equal(new KnownWindow({ ...said, tokens: 8_192 }, memory).tokens, 4_096);
    assert.equal(new KnownWindow({ ...said, tokens: 32_768 }, memory).tokens, 32_768);
    assert.equal(new KnownWindow(said, memory).tokens, undefined);
  });

  it('keeps a quarter free for the reply, unless the profile says how long that may be', () => {
    for (const [isReplyAsked, expected] of [
      [false, 2_048],
      [true, 4_096],
    ] as const) {
      const window = new KnownWindow({ reply: 4_096, isReplyAsked, count }, emptyMemory());
      window.learn(8_192);
      assert.equal(window.reply, expected);
    }
  });

  it('keeps room for a request, whatever was learned', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 100_000 }), (tokens, reply) => {
        const window = new KnownWindow({ reply, count }, emptyMemory());
        if (window.learn(tokens)) assert.ok(window.room > 0 && window.room < tokens + 1);
        else assert.equal(window.tokens, undefined);
      }),
    );
  });
});
