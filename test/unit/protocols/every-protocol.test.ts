import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RenderedPart } from '../../../src/core/protocol';
import type { ToolSpec } from '../../../src/core/tool';
import { protocols } from '../../../src/protocols';
import { parseDeltas, parseText, pieces, type Parsed } from '../../support/parse';

const TOOL: ToolSpec = {
  name: 'write_file',
  qualifiedName: 'files_writeFile',
  description: 'Writes a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
};

/** Pieces of every protocol's own marks, to put where they hurt. */
const FRAGMENTS = [
  ...['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>', '「始」', '「末」', 'tool_name:「始」list「末」'],
  ...['<tool_code>', '</tool_code>', '{"name":"list","arguments":{}}', '{', '}', '"', '\\', ',', ':'],
  ...['<tool_call>', '</tool_call>', '<function=list>', '</function>', '<parameter=a>', '</parameter>'],
  ...['list\n', '<arg_key>a</arg_key>', '<arg_value>', '</arg_value>'],
  ...[
    '```',
    '`',
    '<think>',
    '</think>',
    '<tool_response>',
    '<tool_result>',
    '\n',
    '\r\n',
    ' ',
    'x',
    '😀',
    '，',
  ],
];

const noise = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 5 })), { maxLength: 20 })
  .map((all) => all.join(''));

/** Text without marks of any protocol; raw values cannot hold those everywhere. */
const plain = fc
  .string({ unit: 'binary' })
  .filter((text) => !/[<「`]|think/.test(text) && !/^\r?\n|\r?\n$|^\s|\s$/.test(text));

const call = fc.record(
  { path: plain, content: plain, mode: fc.integer({ min: -1000, max: 1000 }) },
  { noNullPrototype: true },
);

function rendered(args: Record<string, string | number>, number = 1): RenderedPart {
  return { type: 'call', call: { id: `k${number}`, name: 'write_file', arguments: args } };
}

function shown({ calls, errors }: Parsed): unknown[] {
  return [
    ...calls.map((each) => [each.name, each.arguments]),
    ...errors.map((each) => [each.code, each.name]),
  ];
}

for (const protocol of protocols) {
  describe(`protocol ${protocol.id}`, () => {
    const textOf = (parts: readonly RenderedPart[]): string =>
      protocol
        .renderReply(parts)
        .map((delta) => (delta.type === 'text' ? delta.text : ''))
        .join('');

    it('reads back the calls it renders, with their types', () => {
      fc.assert(
        fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
          const parsed = parseDeltas(
            protocol,
            protocol.renderReply(calls.map((each, index) => rendered(each, index))),
            [TOOL],
          );
          assert.deepEqual(
            shown(parsed),
            calls.map((each) => ['write_file', each]),
          );
        }),
      );
    });

    it('reads back the white space around a value', () => {
      for (const content of ['', '\n', '\r\n', '\na', 'a\n', '\n\n a \n\n', '\r\na\r\n', ' ', '\t']) {
        const parsed = parseDeltas(protocol, protocol.renderReply([rendered({ path: 'a', content })]), [
          TOOL,
        ]);
        assert.deepEqual(shown(parsed), [['write_file', { path: 'a', content }]]);
      }
    });

    it('describes every tool and shows a whole example', () => {
      const { messages, tools } = protocol.request({ instructions: '', turns: [], tools: [TOOL] });
      const told = JSON.stringify(tools ?? messages);
      for (const word of ['write_file', 'Writes a file.', 'path', 'content', 'mode'])
        assert.ok(told.includes(word), word);
      if (tools) return;
      const example = protocol.describeTools([TOOL]);
      const [first] = parseText(protocol, [example.slice(example.indexOf('\n\n'))], [TOOL]).calls;
      assert.equal(first?.name, 'write_file');
    });

    it('renders requests and results of one conversation the same every time', () => {
      const turns = [
        { type: 'user', text: 'hi' },
        {
          type: 'reply',
          parts: [
            {
              type: 'call',
              call: {
                id: 'k1',
                name: 'write_file',
                arguments: { path: 'a' },
                start: 0,
                end: 0,
                notes: [],
                mark: 'clean',
              },
            },
          ],
        },
        {
          type: 'results',
          results: [
            { requestId: 'k1', toolName: 'write_file', status: 'success', result: 'Created.', durationMs: 1 },
          ],
        },
      ] as const;
      const once = protocol.request({ instructions: 'x', turns, tools: [TOOL] });
      assert.deepEqual(protocol.request({ instructions: 'x', turns, tools: [TOOL] }), once);
      assert.match(JSON.stringify(once.messages.at(-1)), /Created\./);
    });

    if (protocol.id === 'native') return;

    it('gives the same however the reply is cut, and never throws', () => {
      fc.assert(
        fc.property(noise, fc.integer({ min: 1, max: 7 }), fc.boolean(), (text, size, withTools) => {
          const tools = withTools ? [TOOL] : undefined;
          assert.deepEqual(
            parseText(protocol, pieces(text, size), tools),
            parseText(protocol, [text], tools),
          );
        }),
        { numRuns: 1_000 },
      );
    });

    it('gives back text without marks unchanged', () => {
      fc.assert(fc.property(plain, (text) => assert.equal(parseText(protocol, [text]).text, text)));
    });

    it('never reads from a prefix a call that the whole reply does not have', () => {
      fc.assert(
        fc.property(call, noise, fc.double({ min: 0, max: 1, noNaN: true }), (args, content, part) => {
          const whole = textOf([{ type: 'text', text: 'Here:' }, rendered({ ...args, content })]);
          const prefix = whole.slice(0, Math.floor(whole.length * part));
          const all = parseText(protocol, [whole]).calls.map((each) => JSON.stringify(each.arguments));
          for (const each of parseText(protocol, [prefix]).calls) {
            assert.ok(all.includes(JSON.stringify(each.arguments)), JSON.stringify(each));
          }
        }),
        { numRuns: 500 },
      );
    });

    it('leaves fenced and rehearsed calls alone', () => {
      const block = textOf([rendered({ path: 'a' })]);
      const read = (text: string): number => parseText(protocol, [text]).calls.length;
      assert.equal(read(`Look.\n${block}`), 1);
      assert.equal(read(`Look.\n\`\`\`\n${block}\n\`\`\`\nDone.`), 0);
      assert.equal(read(`<think>${block}</think>Done.`), 0);
    });

    it('keeps the good calls of a reply that also has a bad one', () => {
      const good = textOf([rendered({ path: 'a' })]);
      const bad = textOf([{ type: 'call', call: { id: 'k2', name: 'nothing', arguments: { path: 'b' } } }]);
      const parsed = parseText(protocol, [`${bad}\n${good}`], [TOOL]);
      assert.deepEqual(shown(parsed), [
        ['write_file', { path: 'a' }],
        ['unknown-tool', 'nothing'],
      ]);
    });
  });
}
