import assert from 'node:assert/strict';
import type { Model, ModelDelta } from '../../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../../src/core/words/protocol';
import type { Tool } from '../../../../src/core/words/tool';
import { protocols } from '../../../../src/protocols';
import { testSession, testTool, type TestSession } from '../../../support/agent/test-session';

/** Past every limit: a reply of this length was not stopped. */
const ENDLESS = 40_000;
/** How far a reply may continue after its limit. */
const SOON = 2_500;

const echo = testTool('echo', 'read', async (text) => `said ${text}`);
const page: Tool = {
  ...testTool('page', 'read', async () => 'a page'),
  spec: {
    name: 'page',
    description: 'Shows lines.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['path', 'from', 'to'],
      additionalProperties: false,
    },
  },
};

const texts = protocols.filter(({ id }) => id !== 'native');
/** Protocols in which a reply holds several blocks. */
const blocks = texts.filter(({ id }) => id !== 'envelope');

function written(protocol: Protocol, name: string, args: Record<string, string | number>): string {
  const parts: RenderedPart[] = [{ type: 'call', call: { id: '', name, arguments: args } }];
  return protocol
    .renderReply(parts)
    .map((delta) => (delta.type === 'text' ? delta.text : ''))
    .join('');
}

/** Says the turns until it is stopped, in small pieces, and then "done". */
function endless(turns: (number: number) => string): { readonly model: Model; readonly sent: () => number } {
  let sent = 0;
  let requests = 0;
  async function* stream(): AsyncGenerator<ModelDelta, void, undefined> {
    if (requests++ > 0) {
      yield { type: 'text', text: 'done' };
    } else {
      for (let number = 0; sent < ENDLESS; number++) {
        for (const text of turns(number).match(/[^]{1,7}/g) ?? []) {
          sent += text.length;
          yield { type: 'text', text };
        }
      }
    }
    yield { type: 'end', reason: 'stop' };
  }
  return { model: { name: 'endless', stream }, sent: () => sent };
}

async function run(
  protocol: Protocol,
  turns: (number: number) => string,
): Promise<TestSession & { readonly sent: number }> {
  const { model, sent } = endless(turns);
  const test = testSession({ model, protocol, tools: [echo, page] });
  await test.session.send('go');
  return { ...test, sent: sent() };
}

function started({ events }: TestSession): number {
  return events.filter(({ type }) => type === 'tool-start').length;
}

function reasonsOf({ events }: TestSession): readonly string[] {
  return events.flatMap((event) => (event.type === 'reply-end' ? [event.reason] : []));
}

interface Row {
  readonly name: string;
  readonly protocols: readonly Protocol[];
  /** What is written, from 0. */
  readonly turns: (protocol: Protocol) => (number: number) => string;
  /** The most characters until it counts as a loop. */
  readonly most: number;
}

const LINE = 'the same line again and again, ';
const WORDS = 'some words of a line that is long enough to count';

const rows: readonly Row[] = [
  {
    name: 'a value without end',
    protocols: texts,
    turns: (protocol) => {
      const call = written(protocol, 'echo', { text: LINE.repeat(2) });
      const begin = call.slice(0, call.indexOf(LINE));
      return (number) => (number === 0 ? begin : LINE);
    },
    most: 8_000 + 200,
  },
  {
    name: 'a call of another protocol without end',
    protocols: texts,
    turns: (protocol) => (number) => {
      const form =
        protocol.id === 'hermes'
          ? '<<<[TOOL_REQUEST]>>>\n'
          : '<tool_call>\n{"name": "echo", "arguments": {"text": "';
      return number === 0 ? form : LINE;
    },
    most: 8_000 + 200,
  },
  {
    name: 'the same call',
    protocols: blocks,
    turns: (protocol) => () => `${written(protocol, 'echo', { text: WORDS })}\n`,
    most: 2_000,
  },
  {
    name: 'two calls in turn',
    protocols: blocks,
    turns: (protocol) => (number) =>
      `${written(protocol, 'echo', { text: number % 2 === 0 ? WORDS : `no ${WORDS}` })}\n`,
    most: 2_300,
  },
  {
    name: 'calls that count',
    protocols: blocks,
    turns: (protocol) => (number) =>
      `${written(protocol, 'page', { path: 'a', from: number, to: number })}\n`,
    most: 12 * 220,
  },
  {
    name: 'a malformed call',
    protocols: texts.filter(({ id }) => ['hermes', 'xml', 'qwen3-coder', 'glm'].includes(id)),
    turns: (protocol) => () =>
      `${protocol.markers?.[0]}${WORDS}${protocol.id === 'xml' ? '</tool_code>' : '</tool_call>'}\n`,
    most: 1_700,
  },
  ...['', '\n'].map((behind) => ({
    name: `the end of a call without its beginning${behind === '' ? '' : ', on lines'}`,
    protocols: texts.filter(({ markers = [] }) => markers.includes('</tool_call>')),
    turns: () => () => `</tool_call>${behind}`,
    most: 1_700,
  })),
  ...['<|im_end|>', '<|endoftext|>\n', '<｜end▁of▁sentence｜>'].map((token) => ({
    name: `a control token: ${token.trim()}`,
    protocols,
    turns: () => () => token,
    most: 1_700,
  })),
];

describe('a reply of calls without end', () => {
  for (const { name, protocols: those, turns, most } of rows) {
    for (const protocol of those) {
      it(`is stopped, and none of it runs: ${name} (${protocol.id})`, async () => {
        const test = await run(protocol, turns(protocol));
        assert.ok(test.sent <= most + SOON, `${test.sent} characters`);
        assert.deepEqual([reasonsOf(test)[0], started(test)], ['repetition', 0]);
      });
    }
  }

  it('has all text protocols', () => assert.ok(texts.length >= 10 && blocks.length >= 9));
});

describe('a reply of different calls without end', () => {
  for (const protocol of blocks) {
    it(`is closed at the call that is one too many, and those before it run (${protocol.id})`, async () => {
      const call = (number: number): string =>
        written(protocol, 'echo', { text: `w${(number * 7919) % 10_007}` });
      const test = await run(protocol, (number) => `${call(number)}\n`);
      const until33 = Array.from({ length: 33 }, (_, at) => call(at).length + 1).reduce(
        (sum, each) => sum + each,
      );
      assert.ok(test.sent <= until33 + 7, `${test.sent} of ${until33} characters`);
      assert.deepEqual([reasonsOf(test), started(test)], [['stop', 'stop'], 32]);
      const last = test.events.filter((event) => event.type === 'tool-end').at(-1);
      assert.match(last?.result.result ?? '', /more than 32 calls/);
    });
  }

  it('may hold thirty-two', async () => {
    for (const protocol of blocks) {
      const replies = [
        Array.from({ length: 32 }, (_, at): RenderedPart => ({
          type: 'call',
          call: {
            id: `c${at}`,
            name: 'page',
            arguments: { path: `p${(at * 7) % 11}-${at}`, from: 1, to: at },
          },
        })),
      ];
      const test = testSession({ replies, protocol, tools: [page] });
      await test.session.send('go');
      assert.deepEqual([reasonsOf(test), started(test)], [['stop', 'stop'], 32], protocol.id);
    }
  });
});

describe('calls that count', () => {
  const counted = async (args: readonly Record<string, string | number>[]): Promise<string | undefined> => {
    const calls = args.map((each, at): RenderedPart => ({
      type: 'call',
      call: { id: `c${at}`, name: 'page', arguments: each },
    }));
    const test = testSession({ replies: [calls], tools: [page] });
    await test.session.send('go');
    return reasonsOf(test)[0];
  };
  const from = (
    count: number,
    step: (at: number) => Record<string, string | number>,
  ): Record<string, string | number>[] => Array.from({ length: count }, (_, at) => step(at));

  const cases: readonly { name: string; args: readonly Record<string, string | number>[]; ends: string }[] = [
    {
      name: 'twelve pages',
      args: from(12, (at) => ({ path: 'a', from: 1 + at * 50, to: 50 + at * 50 })),
      ends: 'repetition',
    },
    {
      name: 'eleven pages',
      args: from(11, (at) => ({ path: 'a', from: 1 + at * 50, to: 50 + at * 50 })),
      ends: 'stop',
    },
    {
      name: 'twelve pages of different lengths',
      args: from(12, (at) => ({ path: 'a', from: 1, to: at * at })),
      ends: 'stop',
    },
    {
      name: 'pages of twelve files',
      args: from(12, (at) => ({ path: `a${at}`, from: at, to: at })),
      ends: 'stop',
    },
    {
      name: 'twelve pages backwards',
      args: from(12, (at) => ({ path: 'a', from: 50 - at, to: 60 - at })),
      ends: 'stop',
    },
    {
      name: 'ten pages, another file, and ten pages',
      args: [
        ...from(10, (at) => ({ path: 'a', from: at, to: at })),
        { path: 'b', from: 10, to: 10 },
        ...from(10, (at) => ({ path: 'a', from: at, to: at })),
      ],
      ends: 'stop',
    },
  ];
  for (const { name, args, ends } of cases) {
    it(`end as ${ends}: ${name}`, async () => assert.equal(await counted(args), ends));
  }
});
