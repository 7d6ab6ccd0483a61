import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextBudget } from '../../../../src/core/context/context-budget';
import type { ContextWindow } from '../../../../src/core/context/known-window';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { turnsOf } from '../../../../src/core/transcript/history';
import { emptyTranscript, type Transcript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import { resultImages, type ToolResult } from '../../../../src/core/words/messages';
import { LOAD_TOOLS } from '../../../../src/core/words/tool';
import { findProtocol } from '../../../../src/protocols';

const native = findProtocol('native')!;
const vcp = findProtocol('vcp')!;
const FACTS = { instructions: 'x'.repeat(400), tools: [], promptForm: 'full' } as const;

/** One token per character, so sizes are easy to check. */
function budget(facts: Partial<ContextWindow> = {}): ContextBudget {
  return new ContextBudget({ reply: 0, count: (text) => text.length, ...facts });
}

function conversation(...results: readonly (string | Pick<ToolResult, 'result' | 'images'>)[]): Transcript {
  const events: AgentEvent[] = [
    { type: 'run-start', text: 'go', time: 0 },
    { type: 'round-start', round: 1, maxRounds: 5, protocol: 'native', model: 'm' },
  ];
  for (const [index, result] of results.entries()) {
    const call = {
      id: `c${index}`,
      name: 'read',
      arguments: {},
      start: 0,
      end: 1,
      notes: [],
      mark: 'clean',
    } as const;
    const output = typeof result === 'string' ? { result } : result;
    const ended: ToolResult = {
      requestId: call.id,
      toolName: 'read',
      status: 'success',
      ...output,
      durationMs: 1,
    };
    events.push(
      { type: 'call-end', index, call },
      { type: 'tool-start', callId: call.id, title: 'Read' },
      { type: 'tool-end', callId: call.id, result: ended },
    );
  }
  return events.reduce(foldTranscript, emptyTranscript);
}

function resultsIn(turns: ReturnType<typeof turnsOf>): string[] {
  return turns.flatMap((turn) => (turn.type === 'results' ? turn.results.map(({ result }) => result) : []));
}

function userMessage(
  text: string,
  extra: Partial<Extract<AgentEvent, { type: 'run-start' }>> = {},
): Transcript {
  return foldTranscript(emptyTranscript, { type: 'run-start', text, time: 0, ...extra });
}

describe('the size of a request', () => {
  it('is the sum of the instructions, the tools and the history', () => {
    const spec = { name: 'read', description: 'Reads.', parameters: { type: 'object' } } as const;
    const measured = budget();
    const without = measured.request(native, FACTS, userMessage('abc'));
    const described = native.describeTool(spec).length;
    assert.deepEqual(without, {
      total: 411,
      tools: 0,
      fixed: 404,
      raw: 411,
      isRough: false,
      parts: {
        ...{ instructions: 404, tools: 0, conversation: 7, areToolsApart: false },
        shares: { definitions: 0, list: 0, calls: 0, results: 0 },
      },
    });
    assert.deepEqual(measured.request(native, { ...FACTS, tools: [spec] }, userMessage('abc')), {
      total: 411 + described,
      tools: described,
      fixed: 404 + described,
      raw: 411 + described,
      isRough: false,
      parts: {
        ...{ instructions: 404, tools: described, conversation: 7, areToolsApart: true },
        shares: { definitions: described, list: 0, calls: 0, results: 0 },
      },
    });
  });

  for (const protocol of [native, vcp]) {
    it(`says how much of it definitions, the list of other tools, calls and results take, in ${protocol.id}`, () => {
      const [read, list] = ['read', LOAD_TOOLS].map((name) => {
        return { name, description: 'Is there.', parameters: { type: 'object' } } as const;
      });
      assert.ok(read && list);
      const { parts, raw } = budget().request(
        protocol,
        { ...FACTS, tools: [read, list] },
        conversation('one', 'three'),
      );
      assert.deepEqual(parts?.shares, {
        definitions: protocol.describeTool(read).length,
        list: protocol.describeTool(list).length,
        calls: 2 * ('read {}'.length + 4),
        results: 'one'.length + 4 + 'three'.length + 4,
      });
      assert.equal(raw, parts.instructions + parts.tools + parts.conversation);
      // The user's "go", and the reply as a message.
      assert.equal(parts.conversation, parts.shares.calls + parts.shares.results + 'go'.length + 4 + 4);
    });
  }

  it('follows what the server counts', () => {
    const { size, learn } = conversationOf(2_000);
    assert.equal(learn(4_000), undefined);
    assert.equal(size(), 4_000);
    assert.equal(learn(3_000), undefined);
    assert.equal(size(), 3_000);
  });

  it('is the same with any number of concurrent learners from one count', () => {
    const { budget: measured, history, size } = conversationOf(2_000);
    const asked = Array.from({ length: 4 }, () => measured.request(native, FACTS, history));
    for (const each of asked) measured.learn(each, { inputTokens: 2_600, outputTokens: 1 });
    assert.equal(size(), 2_600);
  });

  it("learns nothing from a short request, where the template's tokens count for more", () => {
    const { size, learn } = conversationOf(900);
    assert.equal(learn(2_700), undefined);
    assert.equal(size(), 900);
  });

  it('trusts a server whose count matches, whatever was learned before', () => {
    const { size, learn } = conversationOf(2_000);
    learn(8_000);
    assert.equal(learn(1_900), undefined);
    assert.equal(size(), 1_900);
  });

  it('trusts a server whose count keeps growing', () => {
    const { learn } = conversationOf(4_000);
    assert.equal(learn(1_800), 'front-cut');
    assert.equal(learn(1_850), 'front-cut');
    assert.equal(learn(2_400), undefined);
  });

  it('learns nothing from images, which models count in their own ways', () => {
    const measured = budget();
    const image = { type: 'image', label: 'a.png', image: { mediaType: 'image/png', data: 'AA' } } as const;
    const size = measured.request(native, FACTS, userMessage('abc', { attachments: [image] }));
    assert.equal(size.isRough, true);
    assert.equal(measured.learn(size, { inputTokens: 1, outputTokens: 1 }), undefined);
    assert.deepEqual(measured.request(native, FACTS, userMessage('abc')).total, 411);
  });

  it('counts the images of results, and learns nothing from them either', () => {
    const measured = budget();
    const image = { mediaType: 'image/png', data: 'AA' } as const;
    const [without, withImages] = [{}, { images: [image, image] }].map((shown) =>
      measured.request(native, FACTS, conversation({ result: 'an image', ...shown })),
    );
    assert.equal((withImages?.total ?? 0) - (without?.total ?? 0), 2_000);
    assert.deepEqual([withImages?.isRough, without?.isRough], [true, false]);
  });

  describe('with images of results', () => {
    const image = { mediaType: 'image/png', data: 'AA' } as const;
    const sent = (measured: ContextBudget, transcript: Transcript): number =>
      measured
        .turns(transcript)
        .flatMap((turn) => (turn.type === 'results' ? resultImages(turn.results) : [])).length;

    it('sends the newest, and counts no others', () => {
      const measured = budget();
      const many = Array.from({ length: 12 }, () => ({ result: 'one', images: [image] }));
      const turns = measured.turns(conversation(...many));
      assert.equal(sent(measured, conversation(...many)), 10);
      assert.match(resultsIn(turns)[0] ?? '', /^one\n\[Image omitted\./);
      assert.equal(resultsIn(turns).at(-1), 'one');
      const texts = conversation(...many.map(({ result }) => result));
      const [withThem, without] = [conversation(...many), texts].map(
        (each) => measured.request(native, FACTS, each).raw,
      );
      assert.equal((withThem ?? 0) - (without ?? 0), 10_000);
    });

    it('can be made to take less room', () => {
      const measured = budget({ tokens: 12_000 });
      const talk = conversation(...Array.from({ length: 5 }, () => ({ result: 'one', images: [image] })));
      const last = talk.entries.at(-1)!;
      measured.truncateResults(last, 1_000);
      assert.ok(measured.entry(last) <= 1_000, String(measured.entry(last)));
      assert.equal(sent(measured, talk), 0);
    });
  });

  const counts: { name: string; sent: number; learned?: number; counted: number; isCut: boolean }[] = [
    { name: 'all of it', sent: 4_000, counted: 4_000, isCut: false },
    { name: 'another tokenizer', sent: 4_000, counted: 2_100, isCut: false },
    { name: 'half of it is missing', sent: 4_000, counted: 1_900, isCut: true },
    { name: 'little is missing of little', sent: 600, counted: 200, isCut: false },
    {
      name: 'a third is missing of what was known',
      sent: 4_000,
      learned: 4_000,
      counted: 2_600,
      isCut: true,
    },
    { name: 'as before', sent: 4_000, learned: 4_000, counted: 3_000, isCut: false },
    { name: 'a server that counts nothing', sent: 4_000, counted: 0, isCut: false },
  ];
  for (const { name, sent, learned, counted, isCut } of counts) {
    it(`tells whether the front was cut off: ${name}`, () => {
      const { size, learn } = conversationOf(sent);
      assert.equal(size(), sent);
      if (learned !== undefined) learn(learned);
      assert.equal(learn(counted), isCut ? 'front-cut' : undefined);
      // A truncated request says nothing about sizes.
      if (isCut) assert.equal(size(), sent);
    });
  }
});

/** A conversation whose requests have these token counts. */
function conversationOf(tokens: number): {
  readonly budget: ContextBudget;
  readonly history: Transcript;
  readonly size: () => number;
  readonly learn: (counted: number) => ReturnType<ContextBudget['learn']>;
} {
  const measured = budget();
  const history = userMessage('x'.repeat(tokens - 408));
  const ask = (): ReturnType<ContextBudget['request']> => measured.request(native, FACTS, history);
  return {
    budget: measured,
    history,
    size: () => ask().total,
    learn: (inputTokens) => measured.learn(ask(), { inputTokens, outputTokens: 1 }),
  };
}

/** A budget that has seen what every request begins with. */
function begun(tokens: number): ContextBudget {
  const measured = budget({ tokens });
  measured.request(native, FACTS, emptyTranscript);
  return measured;
}

describe('the history for a model', () => {
  it('is the whole history if the window is unknown', () => {
    const transcript = conversation('a'.repeat(100_000), 'b');
    assert.deepEqual(budget().turns(transcript), turnsOf(transcript));
  });

  it('leaves out the middle of results that the window has no room for, and says so', () => {
    const transcript = conversation(`a${'x'.repeat(5_000)}z`, 'b');
    const [long = '', short] = resultsIn(begun(3_000).turns(transcript));
    assert.match(long, /^ax+\n\[\d+ characters omitted: .* Request less at once\.\]\nx+z$/);
    assert.ok(long.length < 700, `${long.length}`);
    assert.equal(short, 'b');
  });

  it('never exceeds the share for the results of one reply, and stays the same as counts are learned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2_000 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1_000, max: 5_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (results, tokens, counted) => {
          const measured = begun(tokens);
          const transcript = conversation(...results);
          const before = measured.turns(transcript);
          assert.ok(withoutNotes(before).length <= 0.4 * (tokens - 404) + results.length);
          measured.learn(measured.request(native, FACTS, transcript), {
            inputTokens: counted,
            outputTokens: 1,
          });
          assert.deepEqual(measured.turns(transcript), before);
          // Another object with the same entries gives the same result.
          assert.deepEqual(begun(tokens).turns(conversation(...results)), before);
        },
      ),
    );
  });

  it('can lose more of the newest results, down to nothing', () => {
    const transcript = conversation('x'.repeat(5_000), 'y'.repeat(5_000));
    for (const tokens of [1_000, 300, 0]) {
      const measured = begun(20_000);
      const newest = transcript.entries.at(-1);
      assert.ok(newest);
      measured.truncateResults(newest, tokens);
      assert.ok(withoutNotes(measured.turns(transcript)).length <= tokens);
      assert.ok(measured.entry(newest) <= tokens + 300, `${measured.entry(newest)}`);
    }
  });
});

function withoutNotes(turns: ReturnType<typeof turnsOf>): string {
  return resultsIn(turns)
    .map((text) => text.replace(/\n\[\d+ characters omitted.*\]\n/, ''))
    .join('');
}
