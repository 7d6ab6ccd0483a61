import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Calibration, type Factors } from '../../../../src/core/context/calibration';
import { ContextBudget } from '../../../../src/core/context/context-budget';
import { emptyMemory } from '../../../../src/core/context/known-window';
import { shortfall, type Shortfall } from '../../../../src/core/context/shortfall';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import type { ModelDelta, RequestParts } from '../../../../src/core/words/model';
import { findProtocol } from '../../../../src/protocols';
import { suggestProtocol } from '../../../../src/protocols/choose';
import { callOf, testSession, testTool } from '../../../support/agent/test-session';

const factor = fc.double({ min: 0.6, max: 2.5, noNaN: true });
const tokens = fc.integer({ min: 0, max: 200_000 });
const anyParts = fc.record({
  instructions: tokens,
  tools: tokens,
  conversation: tokens,
  areToolsApart: fc.boolean(),
});

function counted(parts: RequestParts, by: Factors): number {
  return parts.instructions * by.instructions + parts.tools * by.tools + parts.conversation * by.conversation;
}

function raw({ instructions, tools: described, conversation }: RequestParts): number {
  return instructions + described + conversation;
}

function near(actual: number, expected: number, share: number): boolean {
  return Math.abs(actual - expected) <= expected * share + 1;
}

describe('a calibration', () => {
  it('keeps every factor within its bounds, whatever is counted', () => {
    const count = fc.oneof(tokens, fc.double(), fc.constantFrom(NaN, Infinity, -1));
    fc.assert(
      fc.property(fc.array(fc.tuple(anyParts, count), { maxLength: 12 }), (seen) => {
        const calibration = new Calibration();
        for (const [parts, each] of seen) calibration.learn(parts, each);
        for (const each of Object.values(calibration.factors)) assert.ok(each >= 0.5 && each <= 4, `${each}`);
      }),
    );
  });

  it('estimates the last request at what was counted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyParts, fc.double({ min: 0.55, max: 3.8, noNaN: true })), {
          minLength: 1,
          maxLength: 8,
        }),
        (seen) => {
          const calibration = new Calibration();
          for (const [parts, share] of seen) {
            calibration.learn(parts, raw(parts) * share);
            assert.ok(near(calibration.estimate(parts), raw(parts) * share, 0.001));
          }
        },
      ),
    );
  });

  it('separates the conversation from fixed parts while it grows', () => {
    const growing = fc.array(fc.integer({ min: 800, max: 4_000 }), { minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(
        growing,
        fc.record({ instructions: factor, tools: factor, conversation: factor }),
        (steps, by) => {
          const calibration = new Calibration();
          let parts = { instructions: 400, tools: 3_000, conversation: 20, areToolsApart: true };
          for (const step of steps) {
            calibration.learn(parts, counted(parts, by));
            parts = { ...parts, conversation: parts.conversation + step };
          }
          const fixed = { ...parts, conversation: 0 };
          // A conversation that costs four times as much as everything else shifts the other factors a little.
          assert.ok(near(calibration.estimate(fixed), counted(fixed, by), 0.15));
          assert.ok(near(calibration.estimate(parts), counted(parts, by), 0.04));
        },
      ),
    );
  });

  it('gives the same size for the tools throughout a run, with any conversation', () => {
    const calibration = new Calibration();
    const seen: number[] = [];
    let parts = { instructions: 400, tools: 3_000, conversation: 20, areToolsApart: true };
    let all = counted(parts, { instructions: 1.1, tools: 1.25, conversation: 1.1 });
    for (const [step, by] of [
      [1_000, 1.1],
      [1_500, 1.3],
      [900, 0.9],
      [2_000, 1.2],
      [1_200, 1.4],
    ] as const) {
      calibration.learn(parts, all);
      seen.push(calibration.factors.tools * parts.tools);
      parts = { ...parts, conversation: parts.conversation + step };
      all += step * by;
    }
    const spread = Math.max(...seen) - Math.min(...seen);
    assert.ok(spread < 0.08 * (seen[0] ?? 0), seen.map((each) => Math.round(each)).join(' '));
  });
});

describe('a count that is too small', () => {
  const small = { instructions: 100, tools: 2_850, conversation: 30, areToolsApart: true };
  const long = { instructions: 800, tools: 900, conversation: 4_000, areToolsApart: true };
  const rows: {
    name: string;
    parts: RequestParts;
    counted: number;
    learned?: number;
    window?: number;
    expect: Shortfall | undefined;
  }[] = [
    { name: 'of the messages alone', parts: small, counted: 148, expect: 'tools-missing' },
    { name: 'of everything', parts: small, counted: 2_976, expect: undefined },
    { name: 'by a template that writes tools briefly', parts: small, counted: 1_600, expect: undefined },
    {
      name: 'where the tools are part of the text',
      parts: { ...small, areToolsApart: false },
      counted: 148,
      expect: 'front-cut',
    },
    {
      name: 'of about the window',
      parts: { ...small, instructions: 3_000 },
      counted: 2_040,
      window: 2_048,
      expect: 'front-cut',
    },
    { name: 'by a tokenizer that needs less', parts: long, counted: 4_700, expect: undefined },
    {
      name: 'of the messages, where counts are known',
      parts: long,
      learned: 5_700,
      counted: 4_800,
      expect: 'tools-missing',
    },
    { name: 'of half of everything', parts: long, learned: 5_700, counted: 2_048, expect: 'front-cut' },
  ];
  for (const { name, parts, counted: count, learned, window, expect } of rows) {
    it(`${expect ?? 'is believed'}: ${name}`, () => {
      const calibration = new Calibration();
      if (learned !== undefined) calibration.learn(parts, learned);
      assert.equal(shortfall(parts, count, { calibration, window }), expect);
    });
  }

  it('is never found in a count that is as large as the estimate', () => {
    fc.assert(
      fc.property(anyParts, fc.double({ min: 1, max: 5, noNaN: true }), (parts, share) => {
        const calibration = new Calibration();
        assert.equal(shortfall(parts, raw(parts) * share, { calibration, window: undefined }), undefined);
      }),
    );
  });
});

describe('tools that a template drops', () => {
  const tool = testTool('read', 'read', async () => 'x'.repeat(400));
  const wordy = { ...tool, spec: { ...tool.spec, description: 'x'.repeat(6_000) } };
  const reply = (text: string, inputTokens: number): ModelDelta[] => [
    { type: 'text', text },
    { type: 'usage', usage: { inputTokens, outputTokens: 5 } },
    { type: 'end', reason: 'stop' },
  ];

  it('are reported with a protocol that helps, and do not change the calibration', async () => {
    const memory = emptyMemory();
    const test = testSession({
      tools: [wordy],
      memory,
      replies: [reply('I have no tools.', 20), reply('None.', 40)],
      suggestProtocol: (seen) => suggestProtocol(seen, 'smollm2'),
    });
    await test.session.send('read a.txt');
    await test.session.send('read b.txt');
    const warnings = test.events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic] : []));
    assert.deepEqual([...new Set(warnings.map(({ code }) => code))], ['tools-not-in-template']);
    assert.match(
      warnings[0]?.message ?? '',
      /did not see its tools.*20 of about 1,\d+ tokens.*text protocol/,
    );
    const advice = test.events.find((event) => event.type === 'advice');
    assert.ok(advice && advice.protocol !== 'native');
    assert.deepEqual(memory.read(), {});
  });

  it('are reported before the first request if the server says so itself', async () => {
    const test = testSession({
      tools: [wordy],
      dropsTools: true,
      replies: [reply('I have no tools.', 20)],
      suggestProtocol: (seen) => suggestProtocol(seen, 'smollm2'),
    });
    await test.session.send('read a.txt');
    const told = test.events.flatMap((event) => {
      if (event.type === 'warning') return [event.diagnostic.code];
      return event.type === 'advice' || event.type === 'text' ? [event.type] : [];
    });
    assert.deepEqual(told, ['tools-not-in-template', 'advice', 'text']);
  });

  it('are not reported if the protocol describes them in the messages', async () => {
    const vcp = findProtocol('vcp')!;
    const test = testSession({
      tools: [wordy],
      protocol: vcp,
      dropsTools: true,
      replies: [reply('Hi.', 3000)],
    });
    await test.session.send('hi');
    assert.ok(test.events.every(({ type }) => type !== 'warning' && type !== 'advice'));
  });

  it('are not suspected in a text protocol', async () => {
    const test = testSession({
      tools: [wordy],
      protocol: findProtocol('vcp')!,
      replies: [reply('Hello.', 20)],
    });
    await test.session.send('hi');
    const codes = test.events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));
    assert.deepEqual(codes, ['front-cut']);
  });

  it('are not suspected of a server that counts them', async () => {
    const test = testSession({
      tools: [wordy],
      replies: [[...findProtocol('native')!.renderReply([callOf('read', 'a')]), ...reply('', 1_600)]],
    });
    await test.session.send('hi');
    assert.ok(!test.events.some(({ type }) => type === 'warning'));
  });
});

describe('what was learned of a model', () => {
  const vcp = findProtocol('vcp')!;
  const json = findProtocol('json')!;
  const facts = { instructions: 'x'.repeat(3_000), tools: [], promptForm: 'full' } as const;
  const budget = (memory = emptyMemory()): ContextBudget =>
    new ContextBudget({ reply: 0, count: (text) => text.length }, memory);

  it('is there in the next session', () => {
    const memory = emptyMemory();
    const first = budget(memory);
    first.learn(first.request(vcp, facts, emptyTranscript), { inputTokens: 4_506, outputTokens: 1 });
    assert.ok(near(budget(memory).request(vcp, facts, emptyTranscript).total, 4_506, 0.02));
  });

  it('helps to guess in another protocol', () => {
    const measured = budget();
    measured.learn(measured.request(vcp, facts, emptyTranscript), { inputTokens: 4_506, outputTokens: 1 });
    assert.ok(near(measured.request(json, facts, emptyTranscript).total, 4_506, 0.05));
  });
});
