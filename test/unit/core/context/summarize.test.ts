import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { turnsOf } from '../../../../src/core/transcript/history';
import type { Summarizer } from '../../../../src/core/context/run-model';
import type { AgentEvent } from '../../../../src/core/words/events';
import type { Model, ModelDelta, ModelRequest } from '../../../../src/core/words/model';
import type { RunOutcome } from '../../../../src/core/words/outcome';
import { findProtocol } from '../../../../src/protocols';
import { nonRepeatingText } from '../../../support/non-repeating-text';
import { callOf, testSession, testTool, type TestSessionOptions } from '../../../support/agent/test-session';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

const native = findProtocol('native')!;

/** Says "SHORT" when it is asked for a summary, and otherwise the replies one after another, then "done". */
class SummaryModel implements Model {
  readonly name = 'model';
  readonly requests: ModelRequest[] = [];
  readonly summaries: ModelRequest[] = [];

  constructor(
    private readonly replies: readonly (readonly ModelDelta[])[],
    private readonly summary: readonly ModelDelta[] = [
      { type: 'text', text: 'SHORT' },
      { type: 'end', reason: 'stop' },
    ],
    /** What the server counts. */
    private readonly counted?: number,
  ) {}

  async *stream(request: ModelRequest): AsyncGenerator<ModelDelta, void, undefined> {
    if (request.messages.at(-1)?.content.includes('Summarize the earlier conversation') === true) {
      this.summaries.push(request);
      yield* this.summary;
      return;
    }
    const reply = this.replies[this.requests.length] ?? say('done');
    this.requests.push(request);
    yield* reply;
    const inputTokens = this.counted;
    if (inputTokens !== undefined) yield { type: 'usage', usage: { inputTokens, outputTokens: 1 } };
  }
}

function say(text: string): ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

function call(name: string, text: string): ModelDelta[] {
  return [...native.renderReply([callOf(name, text)]), { type: 'end', reason: 'tool-calls' }];
}

const read = testTool('read', 'read', async (text) => text.repeat(1_000));

interface Talk extends TestSessionOptions {
  readonly model: SummaryModel;
}

function talk(options: Talk): ReturnType<typeof testSession> {
  return testSession({ tools: [read], window: { tokens: 2_000, reply: 100 }, ...options });
}

function lastOutcome({ session }: ReturnType<typeof testSession>): RunOutcome | undefined {
  const entry = session.transcript.entries.findLast(({ type }) => type === 'outcome');
  return entry?.type === 'outcome' ? entry.outcome : undefined;
}

function contents(request: ModelRequest | undefined): string[] {
  return request?.messages.map(({ content }) => content) ?? [];
}

/** Worth summarizing. */
const LONG = 'The first file is green. '.repeat(40);

describe('a summary of older messages', () => {
  it('replaces older messages when the next request would not fit, and keeps the newest', async () => {
    const model = new SummaryModel([
      say(nonRepeatingText(2_600, 'a')),
      say(nonRepeatingText(2_600, 'b')),
      say(nonRepeatingText(2_600, 'c')),
    ]);
    const test = talk({ model });
    for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
    assert.equal(model.summaries.length, 1);
    const [system, first, ...rest] = contents(model.requests.at(-1));
    assert.equal(system, 'Be good.');
    assert.match(first ?? '', /^\[The beginning.*replaced.*\]\n\nThe user asked:\n- one\n[^]*SHORT/);
    assert.equal(rest.at(-1), 'four');
    const compaction = test.events.find(({ type }) => type === 'compaction');
    assert.ok(compaction?.type === 'compaction' && compaction.after < compaction.before);
  });

  describe('by another model', () => {
    const count = (text: string): number => Math.ceil(text.length / 4);

    /** Has a summary written if this model is available for it. */
    async function summarizedBy(opened: Awaited<ReturnType<Summarizer['open']>>) {
      const model = new SummaryModel(['a', 'b', 'c'].map((letter) => say(nonRepeatingText(2_600, letter))));
      const why: string[] = [];
      const summarizer = { open: async () => opened, onUnused: (text: string) => why.push(text) };
      const test = talk({ model, summarizer });
      for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
      const compaction = test.events.find(({ type }) => type === 'compaction');
      assert.ok(compaction?.type === 'compaction');
      return { compaction, why, own: model.summaries };
    }

    const usage = { inputTokens: 7, outputTokens: 3, cost: 0.5 };
    const other = (...deltas: readonly ModelDelta[]) => {
      const model = new SummaryModel(
        [],
        [...deltas, { type: 'usage', usage }, { type: 'end', reason: 'stop' }],
      );
      return {
        model: Object.assign(model, { name: 'small' }),
        protocol: native,
        window: { reply: 100, count },
      };
    };

    it('is asked for without tools or instructions, and counts its cost', async () => {
      const opened = other({ type: 'text', text: 'BY ANOTHER' });
      const { compaction, why, own } = await summarizedBy(opened);
      assert.match(compaction.summary, /BY ANOTHER/);
      assert.deepEqual([compaction.writtenBy, compaction.usage], ['small', usage]);
      assert.deepEqual([why, own], [[], []]);
      const [request] = opened.model.summaries;
      assert.deepEqual([request?.messages.length, request?.tools], [1, undefined]);
    });

    it('counts in what the run may cost', async () => {
      const model = new SummaryModel(
        Array.from({ length: 8 }, (_, at) => call('read', 'abcdefgh'.charAt(at))),
      );
      const summarizer = {
        open: async () => other({ type: 'text', text: 'S' }),
        onUnused: (why: string) => assert.equal(why, ''),
      };
      const test = talk({ model, summarizer, budget: { cost: 0.4 } });
      await test.session.send('read them all');
      const outcome = lastOutcome(test);
      assert.ok(outcome?.type === 'budget');
      assert.match(outcome.message, /\$0\.50/);
    });

    for (const { name, opened, expected } of [
      {
        name: 'cannot be used',
        opened: { problem: 'There is no such model.' },
        expected: /^There is no such model\.$/,
      },
      { name: 'says nothing', opened: other(), expected: /"small" in "parley.summaryModel" gave no summary/ },
      {
        name: 'fails',
        opened: other(
          { type: 'text', text: 'half' },
          { type: 'failure', failure: { code: 'server-error', message: 'It broke.' } },
        ),
        expected: /gave no summary/,
      },
      {
        name: 'has too small a window',
        opened: { ...other({ type: 'text', text: 'no' }), window: { tokens: 300, reply: 100, count } },
        expected: /does not fit into the context window of "small"/,
      },
    ]) {
      it(`is written by the model of the conversation if the other ${name}`, async () => {
        const { compaction, why, own } = await summarizedBy(opened);
        assert.match(compaction.summary, /SHORT/);
        assert.deepEqual([compaction.writtenBy, own.length, why.length], [undefined, 1, 1]);
        assert.match(why[0] ?? '', expected);
      });
    }
  });

  it('never separates a call from its result, even inside one run', async () => {
    const model = new SummaryModel(
      Array.from({ length: 8 }, (_, index) => call('read', String.fromCharCode(97 + index))),
    );
    const test = talk({ model });
    await test.session.send('read them all');
    assert.ok(model.summaries.length > 0);
    for (const { messages } of model.requests) {
      const calls = messages.flatMap((each) =>
        ('toolCalls' in each ? (each.toolCalls ?? []) : []).map(({ id }) => id),
      );
      const results = messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : []));
      assert.deepEqual(results, calls);
      // The user's request is never lost.
      assert.ok(messages.some(({ content }) => content.includes('read them all')));
    }
    assert.equal(test.session.transcript.entries.at(-1)?.type, 'reply');
  });

  it('can be undone, and then the user is asked before the next one', async () => {
    const model = new SummaryModel([
      say(nonRepeatingText(2_600, 'a')),
      say(nonRepeatingText(2_600, 'b')),
      say(nonRepeatingText(2_600, 'c')),
    ]);
    const test = talk({ model });
    for (const text of ['one', 'two', 'three', 'four']) await test.session.send(text);
    test.session.undoSummary();
    assert.equal(turnsOf(test.session.transcript).filter(({ type }) => type === 'user').length, 4);
    await test.session.send('five');
    const outcome = lastOutcome(test);
    assert.ok(outcome?.type === 'budget' && outcome.canContinue && outcome.compactFirst);
    assert.match(outcome.message, /no longer fits/);
    assert.equal(model.requests.length, 4);
    await test.session.resume();
    assert.equal(model.summaries.length, 2);
    assert.equal(contents(model.requests.at(-1)).at(-1), 'five');
  });

  it('states the facts if the model gives no summary', async () => {
    const failure: ModelDelta = { type: 'failure', failure: { code: 'server-error', message: 'no' } };
    const model = new SummaryModel(
      [call('read', 'q'), say(nonRepeatingText(3_000, 'b')), say(nonRepeatingText(3_600, 'c'))],
      [failure],
    );
    const test = talk({ model });
    for (const text of ['one', 'two', 'three']) await test.session.send(text);
    const [, summary] = contents(model.requests.at(-1));
    assert.match(summary ?? '', /The user asked:\n- one[^]*Calls so far:\n- read \{"text":"q"\}: success/);
  });

  it('includes the summary before it and gets no longer with each', async () => {
    const model = new SummaryModel(
      Array.from({ length: 20 }, (_, index) => say(nonRepeatingText(2_100, `${index}`))),
    );
    const test = talk({ model });
    for (let index = 0; index < 20; index++) await test.session.send(`question ${index}`);
    assert.ok(model.summaries.length > 3);
    assert.ok(contents(model.summaries.at(-1))[1]?.includes('SHORT'));
    for (const request of model.requests) {
      const tokens = contents(request).join('').length / 4;
      assert.ok(tokens < 1_900, `${tokens}`);
    }
    assert.match(contents(model.requests.at(-1))[1] ?? '', /- question 0\n/);
  });

  it('happens when the user asks for it, in a conversation of any size', async () => {
    const model = new SummaryModel([say(LONG), say('second')]);
    const test = talk({ model, window: {} });
    await test.session.summarize();
    const nothing = lastOutcome(test);
    assert.ok(nothing?.type === 'failed');
    assert.match(nothing.message, /nothing to summarize/);
    await test.session.send('one');
    await test.session.send('two');
    await test.session.summarize();
    assert.equal(model.summaries.length, 1);
    assert.equal(model.requests.length, 2);
    await test.session.send('three');
    assert.match(contents(model.requests.at(-1))[1] ?? '', /SHORT/);
  });

  it('comes by itself after an endpoint has refused a request as too long', async () => {
    const failure: ModelDelta = {
      type: 'failure',
      failure: { code: 'too-long', message: 'It is too long.' },
    };
    const model = new SummaryModel([say(LONG), [failure]]);
    const test = talk({ model, window: {} });
    await test.session.send('one');
    await test.session.send('two');
    assert.equal(model.summaries.length, 1);
    assert.match(contents(model.requests.at(-1)).at(-1) ?? '', /\n\ntwo$/);
    assert.ok(!contents(model.requests.at(-1)).includes(LONG));
  });

  it('is not used if a refused conversation would not get shorter', async () => {
    const failure: ModelDelta = {
      type: 'failure',
      failure: { code: 'too-long', message: 'It is too long.' },
    };
    const model = new SummaryModel([say('first'), [failure]]);
    const test = talk({ model, window: {} });
    await test.session.send('one');
    await test.session.send('two');
    assert.ok(!test.events.some(({ type }) => type === 'compaction'));
    assert.equal(model.requests.length, 2);
    assert.equal(test.session.transcript.isSummarizing, false);
    const outcome = lastOutcome(test);
    assert.ok(outcome && 'message' in outcome);
    assert.doesNotMatch(outcome.message, /summary of the older/);
  });

  it('allows a file whose text was summarized to be shown again', async () => {
    const text = Array.from({ length: 500 }, (_, at) => `line ${at + 1}\n`).join('');
    const scratch = await ScratchWorkspace.create({ 'long.txt': text });
    const reading = (id: string): ModelDelta[] => {
      const call = { id, name: 'read_file', arguments: { path: 'long.txt' } };
      return [...native.renderReply([{ type: 'call', call }]), { type: 'end', reason: 'tool-calls' }];
    };
    const model = new SummaryModel([reading('a'), say('read'), say('two'), reading('b'), say('done')]);
    const tools = [scratch.registry.resolve('read_file')!];
    const { session } = talk({ model, tools, window: { tokens: 100_000, reply: 100 } });
    const sent = (): string => JSON.stringify(turnsOf(session.transcript));
    await session.send('one');
    await session.send('two');
    await session.summarize();
    assert.doesNotMatch(sent(), /line 499/);
    await session.send('three');
    assert.match(sent(), /line 499/);
    await scratch.dispose();
  });

  it('ends with the run when the user stops it', async () => {
    const controller: { stop?: () => void } = {};
    const model: Model = {
      name: 'slow',
      async *stream(request, signal) {
        if (request.messages.at(-1)?.content.includes('Summarize the earlier') !== true)
          return yield* say(nonRepeatingText(4_000, 'a'));
        controller.stop?.();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const test = testSession({ model, window: { tokens: 2_000, reply: 100 } });
    controller.stop = () => setImmediate(() => test.session.stop());
    await test.session.send('one');
    await test.session.send('two');
    await test.session.send('three');
    assert.deepEqual(lastOutcome(test), { type: 'aborted' });
    assert.ok(!test.events.some(({ type }) => type === 'compaction'));
    assert.equal(test.session.transcript.isSummarizing, false);
  });
});

describe('a summary', () => {
  it('holds the current request word for word, and its attachments by name', async () => {
    const model = new SummaryModel(
      Array.from({ length: 8 }, (_, index) => call('read', String.fromCharCode(97 + index))),
    );
    const test = talk({ model, window: { tokens: 2_000, reply: 100 } });
    const task = `Do this:\n${Array.from({ length: 15 }, (_, index) => `  ${index}. step number ${index}`).join('\n')}`;
    const file = { type: 'text', source: 'file', label: 'src/a.ts', text: 'const a = 1;' } as const;
    await test.session.send(task, [file]);
    assert.ok(model.summaries.length > 0);
    assert.ok(contents(model.summaries[0])[1]?.includes('With src/a.ts:\nconst a = 1;'));
    const summary = contents(model.requests.at(-1))[1] ?? '';
    assert.ok(summary.includes(`Current user request, verbatim:\n${task}\n(With: src/a.ts)`), summary);
  });

  it('says that the model gave no summary', async () => {
    const failure: ModelDelta = { type: 'failure', failure: { code: 'unauthorized', message: 'no' } };
    const model = new SummaryModel([say(LONG), say('two')], [failure]);
    const test = talk({ model, window: {} });
    for (const text of ['one', 'two']) await test.session.send(text);
    await test.session.summarize();
    const compaction = test.events.find((event) => event.type === 'compaction');
    assert.equal(compaction?.isList, true);
  });

  it('that is not shorter than the messages it replaces is not used', async () => {
    const model = new SummaryModel(
      [say(LONG), say('two')],
      say('This is far more than was ever said here.'.repeat(100)),
    );
    const test = talk({ model, window: {} });
    for (const text of ['one', 'two']) await test.session.send(text);
    await test.session.summarize();
    const compaction = test.events.find((event) => event.type === 'compaction');
    assert.equal(compaction?.isList, true);
    assert.doesNotMatch(compaction.summary, /far more/);
  });

  const endless: readonly { name: string; piece: ModelDelta; pauseMs: number }[] = [
    { name: 'text', piece: { type: 'text', text: 'It was red. ' }, pauseMs: 0 },
    { name: 'thoughts', piece: { type: 'reasoning', text: 'Or was it blue? '.repeat(20) }, pauseMs: 0 },
    { name: 'very slow text', piece: { type: 'text', text: 'a ' }, pauseMs: 10_000 },
  ];
  for (const { name, piece, pauseMs } of endless) {
    it(`that never ends is stopped: ${name}`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        let pieces = 0;
        const model: Model = {
          name: 'endless',
          async *stream(request, signal) {
            if (request.messages.at(-1)?.content.includes('Summarize the earlier') !== true)
              return yield* say(nonRepeatingText(4_000, 'a'));
            for (; !signal.aborted && pieces < 5_000; pieces++) {
              yield piece;
              mock.timers.tick(pauseMs);
            }
          },
        };
        const { session, events } = testSession({ model });
        for (const text of ['one', 'two', 'three']) await session.send(text);
        await session.summarize();
        assert.ok(pieces > 1 && pieces < 2_000, `${pieces}`);
        const compaction = events.find((event) => event.type === 'compaction');
        assert.equal(compaction?.isList ?? false, piece.type === 'reasoning');
      } finally {
        mock.timers.reset();
      }
    });
  }

  it('tells why it takes longer', async () => {
    const retry = { type: 'retry', attempt: 2, of: 5, waitMs: 10, message: 'Too many requests.' } as const;
    const model = new SummaryModel([say('one'), say('two')], [retry, ...say('SHORT')]);
    const test = talk({ model, window: {} });
    for (const text of ['one', 'two']) await test.session.send(text);
    await test.session.summarize();
    const notes = test.events.flatMap((event) => (event.type === 'compaction-start' ? [event.note] : []));
    assert.deepEqual(notes, [undefined, 'Too many requests.']);
  });

  it('that holds a call makes the same call of the model ask', async () => {
    const { vcp } = await import('../../../../src/protocols/vcp/vcp');
    const [block] = vcp.renderReply([callOf('read', 'secret')]);
    assert.ok(block?.type === 'text');
    const past: AgentEvent[] = [
      { type: 'run-start', text: 'one', time: 0 },
      { type: 'run-end', outcome: { type: 'done' } },
      { type: 'compaction', entries: 1, summary: `Then: ${block.text}`, before: 90, after: 50 },
    ];
    const model = new SummaryModel([[block, { type: 'end', reason: 'stop' }]]);
    const test = talk({ model, window: {}, protocol: vcp, past });
    test.session.onEvent((event) => {
      if (event.type === 'approval-request')
        test.session.decide(event.request.call.id, { type: 'reject', reason: '' });
    });
    await test.session.send('three');
    const parsed = test.events.findLast((event) => event.type === 'call-end');
    assert.equal(parsed?.call.mark, 'echoed');
  });
});

describe('the room for the history', () => {
  it('is found even if the profile says more than the server accepts', async () => {
    const failure: ModelDelta = {
      type: 'failure',
      failure: { code: 'too-long', message: 'It is too long.' },
    };
    const model = new SummaryModel([
      say(nonRepeatingText(4_000, 'a')),
      say(nonRepeatingText(4_000, 'b')),
      [failure],
    ]);
    const test = talk({ model, window: { tokens: 128_000, reply: 1_000 } });
    for (const text of ['one', 'two', 'three']) await test.session.send(text);
    await test.session.resume();
    assert.equal(model.summaries.length, 1);
    assert.match(contents(model.requests.at(-1)).at(-1) ?? '', /three$/);
    assert.deepEqual(test.session.transcript.entries.at(-1)?.type, 'reply');
  });

  it('is made even if a summary from a larger window is too long', async () => {
    const summary = 'x'.repeat(20_000);
    const past: AgentEvent[] = [
      { type: 'run-start', text: 'one', time: 0 },
      { type: 'run-end', outcome: { type: 'done' } },
      { type: 'compaction', entries: 1, summary, before: 9_000, after: 5_000 },
    ];
    const model = new SummaryModel([]);
    const test = talk({ model, past });
    await test.session.send('two');
    assert.equal(model.requests.length, 1);
    assert.ok(contents(model.requests[0]).join('').length < 8_000);
    assert.match(contents(model.requests[0]).at(-1) ?? '', /two$/);
  });

  it('is made by shortening the newest results further if they alone are too long', async () => {
    const large = { ...read, spec: { ...read.spec, name: 'large', description: 'x'.repeat(5_600) } };
    const model = new SummaryModel([
      [
        ...native.renderReply([callOf('read', 'a'), callOf('read', 'b')]),
        { type: 'end', reason: 'tool-calls' },
      ],
    ]);
    const test = talk({ model, tools: [read, large], window: { tokens: 2_000, reply: 100 } });
    await test.session.send('read them');
    assert.equal(test.session.transcript.entries.at(-1)?.type, 'reply', JSON.stringify(lastOutcome(test)));
    assert.match(contents(model.requests.at(-1)).join(), /characters omitted/);
  });
});

describe('the floor', () => {
  it('refuses a request whose tools do not fit, sends nothing and says what could be left out', async () => {
    const model = new SummaryModel([]);
    const large = { ...read, spec: { ...read.spec, name: 'large', description: 'x'.repeat(8_000) } };
    const test = talk({ model, tools: [read, large] });
    await test.session.send('hi');
    assert.equal(model.requests.length, 0);
    const outcome = lastOutcome(test);
    assert.ok(outcome?.type === 'budget');
    assert.match(
      outcome.message,
      /take about 2,\d+ tokens \(the tools 2,\d+\), \d+ too many: the model takes 2,000, 100 of them for its reply\. Leave out tools/,
    );
    assert.deepEqual(
      outcome.dropTools?.map(({ tool }) => tool),
      ['large', 'read'],
    );
  });

  it('refuses a message that is too long for the window', async () => {
    const model = new SummaryModel([]);
    const test = talk({ model });
    await test.session.send('x'.repeat(9_000));
    assert.equal(model.requests.length, 0);
    const outcome = lastOutcome(test);
    assert.ok(outcome?.type === 'budget');
    assert.match(outcome.message, /last message.*2,\d+ tokens.*Send less/);
  });
});

describe('a server that cuts off the beginning', () => {
  it('is named once in a run', async () => {
    const model = new SummaryModel([call('read', 'abc'), call('read', 'def')], undefined, 300);
    const test = talk({ model, window: { tokens: 100_000 } });
    await test.session.send('x'.repeat(8_000));
    const warnings = test.events.filter((event) => event.type === 'warning');
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0]?.diagnostic.message ?? '',
      /read 300 of about 2,\d+ tokens.*probably cut off the beginning/,
    );
  });

  it('is not suspected if the counts agree', async () => {
    const model = new SummaryModel([call('read', 'abc')], undefined, 2_000);
    const test = talk({ model, window: { tokens: 100_000 } });
    await test.session.send('x'.repeat(8_000));
    assert.ok(!test.events.some(({ type }) => type === 'warning'));
  });
});
