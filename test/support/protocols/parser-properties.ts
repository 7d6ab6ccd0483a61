import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import type { ToolSpec } from '../../../src/core/words/tool';
import { parseDeltas, parseText, type ParsedReply, type ParseOptions } from './run-parser';

/** Properties of every protocol, as listed in the specification. */
export interface ParserProperty {
  readonly name: string;
  readonly check: (run: RunLength) => void;
}

/** How long a property is tested. */
export type RunLength = { readonly numRuns: number } | { readonly milliseconds: number };

export function runParameters<Values>(run: RunLength): fc.Parameters<Values> {
  if ('numRuns' in run) return run;
  // SAFETY: the plugin uses only the clock, never the values.
  const untilThen = fc.interruptAfterTimeLimit(run.milliseconds) as fc.Plugin<Values>;
  return { numRuns: 1e9, plugins: [untilThen] };
}

export const writeTool: ToolSpec = {
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

export function writeCall(args: Record<string, string | number>, number = 1): RenderedPart {
  return { type: 'call', call: { id: `k${number}`, name: 'write_file', arguments: args } };
}

/** Calls and rejections, in a comparable form. */
export function outcomes({ calls, errors }: ParsedReply): unknown[] {
  return [
    ...calls.map((each) => [each.name, each.arguments]),
    ...errors.map((each) => [each.code, each.name]),
  ];
}

/** Pieces of all protocols' markers, for insertion at critical places. */
const FRAGMENTS = [
  ...['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>', '「始」', '「末」', 'tool_name:「始」list「末」'],
  ...['「始ESCAPE」', '「末ESCAPE」', '，', '//', 'path:', '<<<[TOOL_RESULT]>>>'],
  ...['<tool_code>', '</tool_code>', '{"name":"list","arguments":{}}', '{', '}', '[', ']', '"', "'", '\\'],
  ...['{"tool_calls":[', '{"action":"tool_call",', '{"name":', ',', ':', 'null', '/*', '*/'],
  ...[
    '<tool_call>',
    '</tool_call>',
    '<function=write_file>',
    '</function>',
    '<parameter=path>',
    '</parameter>',
  ],
  ...['write_file\n', '<arg_key>path</arg_key>', '<arg_value>', '</arg_value>', '<![CDATA[', ']]>'],
  ...[
    '<function_calls>',
    '</function_calls>',
    '<invoke name="write_file">',
    '</invoke>',
    '<minimax:tool_call>',
  ],
  ...['<parameter name="path">', '<｜DSML｜function_calls>', '<｜DSML｜invoke name="write_file">'],
  ...['[TOOL_CALLS]', '<|python_tag|>', '<|tool_call|>', '<｜tool▁calls▁begin｜>', '<|im_end|>'],
  ...['[THINK]', '[/THINK]', '<|channel>thought\n', '<channel|>', '<seed:think>', '</seed:think>'],
  ...[
    '<tool_calls>',
    '</tool_calls>',
    '<tool_call:x>',
    '<tool_sep>',
    '<seed:tool_call>',
    '<longcat_tool_call>',
  ],
  ...['<function name="write_file">', '<param name="path">', '</param>', '<write_file>', '<path>', '</path>'],
  ...[']<]minimax[>[', '<｜tool_calls_begin｜>', 'function<｜tool_sep｜>', '<atem:invoke name="write_file">'],
  ...['[write_file(', 'path=', ')]', "'''", '<|tool_call_start|>', '<|tool_call_end|>', 'r"', '\\x4'],
  ...['<|tool_call>', 'call:write_file{', '<|"|>', '<tool_call|>', '<start_function_call>', '<escape>'],
  ...[
    'Thought: ',
    'Tool: write_file\n',
    '\nPath: ',
    '\nContent:\n',
    '\n<<<END',
    '\n\\\n',
    '\\',
    '**Tool:** ',
  ],
  ...['Tool: finish\n', '\nAnswer: ', '\nResult of write_file:\n'],
  ...['```', '`', '~~~', '```json\n', '<think>', '</think>', '<tool_response>', '<tool_result>'],
  ...['\n', '\r\n', '\ufeff', '\u200b', ' ', '\t', 'x', '😀', '\ud83d', '&lt;'],
];

export const arbitraryNoise = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 5 })), { maxLength: 24 })
  .map((all) => all.join(''));

/** Text without markers of any protocol. */
export const arbitraryPlainText = fc
  .string({ unit: 'binary' })
  .filter((text) => !/[<「`{[]|think/.test(text) && !/^\r?\n|\r?\n$|^\s|\s$/.test(text));

const plainArguments = fc.record(
  { path: arbitraryPlainText, content: arbitraryPlainText, mode: fc.integer({ min: -1000, max: 1000 }) },
  { noNullPrototype: true },
);

const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });

const options = fc.record<ParseOptions>(
  {
    strictness: fc.constantFrom('strict', 'repair', 'lenient'),
    recover: fc.boolean(),
    reason: fc.constantFrom('stop', 'length', 'cut'),
  },
  { requiredKeys: [] },
);

export function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.map((each) => each % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}

/** Properties of text protocols. */
export function textProperties(protocol: Protocol): readonly ParserProperty[] {
  const render = (parts: readonly RenderedPart[]): string =>
    protocol
      .renderReply(parts)
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('');
  const parse = (text: string, tools?: readonly ToolSpec[]): ParsedReply =>
    parseText(protocol, [text], tools);

  const properties: ParserProperty[] = [
    {
      name: 'pieces of any size give the same result as the whole, and nothing throws',
      check: (run) =>
        fc.assert(
          fc.property(arbitraryNoise, cuts, options, fc.boolean(), (text, places, how, withTools) => {
            const tools = withTools ? [writeTool] : undefined;
            assert.deepEqual(
              parseText(protocol, cutAt(text, places), tools, how),
              parseText(protocol, [text], tools, how),
            );
            assert.deepEqual(
              parseText(protocol, text.split(''), tools, how),
              parseText(protocol, [text], tools, how),
            );
          }),
          runParameters(run),
        ),
    },
    {
      name: 'a call is read exactly as rendered, whatever its values',
      check: (run) =>
        fc.assert(
          fc.property(
            fc.array(fc.record({ path: arbitraryNoise, content: arbitraryNoise }), {
              minLength: 1,
              maxLength: 3,
            }),
            (calls) => {
              const text = render(calls.map((each, index) => writeCall(each, index)));
              assert.deepEqual(
                outcomes(parse(text, [writeTool])),
                calls.map((each) => ['write_file', { ...each }]),
              );
            },
          ),
          runParameters(run),
        ),
    },
    {
      name: 'text without markers is unchanged',
      check: (run) =>
        fc.assert(
          fc.property(arbitraryPlainText, (text) => assert.equal(parse(text).text, text)),
          runParameters(run),
        ),
    },
    {
      name: 'a prefix never has a call that the whole reply does not have',
      check: (run) =>
        fc.assert(
          fc.property(
            fc.array(fc.record({ path: arbitraryNoise, content: arbitraryNoise }), {
              minLength: 1,
              maxLength: 2,
            }),
            fc.double({ min: 0, max: 1, noNaN: true }),
            (calls, part) => {
              const whole = render([
                { type: 'text', text: 'Here:' },
                ...calls.map((each) => writeCall({ ...each })),
              ]);
              const prefix = whole.slice(0, Math.floor(whole.length * part));
              const all = parse(whole, [writeTool]).calls.map((each) => JSON.stringify(each));
              const cut = parseText(protocol, [prefix], [writeTool], { reason: 'length' }).calls;
              // If a reply has ended properly, only the end of a call may be missing; then the call asks.
              const sure = parse(prefix, [writeTool]).calls.filter(({ mark }) => mark === 'clean');
              for (const each of [...cut, ...sure])
                assert.ok(all.includes(JSON.stringify(each)), JSON.stringify(each));
            },
          ),
          runParameters(run),
        ),
    },
    {
      name: 'a fenced or rehearsed copy of a call changes no call',
      check: (run) =>
        fc.assert(
          fc.property(
            plainArguments,
            plainArguments,
            fc.boolean(),
            fc.boolean(),
            (one, other, isFenced, isLast) => {
              const copy = render([writeCall(other)]);
              const quoted = isFenced ? `\`\`\`\n${copy}\n\`\`\`` : `<think>${copy}</think>`;
              const call = render([writeCall(one)]);
              const reply = isLast ? `Look.\n${call}\n${quoted}\nSo.` : `Look.\n${quoted}\nNow.\n${call}`;
              assert.deepEqual(outcomes(parse(reply, [writeTool])), [['write_file', one]]);
            },
          ),
          runParameters(run),
        ),
    },
    {
      name: 'a damaged call never loses an argument silently',
      check: (run) =>
        fc.assert(
          fc.property(
            plainArguments,
            fc.nat(),
            fc.constantFrom('delete', 'double', 'swap'),
            (args, place, damage) => {
              const reply = damaged(render([writeCall(args)]), place, damage);
              const parsed = parse(reply, [writeTool]);
              if (parsed.errors.length > 0 || parsed.warnings.length > 0) return;
              assertSameArguments(protocol, { parsed, args, reply });
            },
          ),
          runParameters(run),
        ),
    },
  ];
  // The text of an envelope is inside its block.
  return protocol.id === 'envelope' ? properties : [...properties, covering(parse)];
}

function covering(parse: (text: string) => ParsedReply): ParserProperty {
  return {
    name: 'spans do not overlap, and text and blocks cover the whole reply',
    check: (run) =>
      fc.assert(
        fc.property(arbitraryNoise, (text) => {
          // Text that is dropped on purpose, or shown elsewhere, is left out.
          fc.pre(!/think|THINK|channel|Thought|finish|Result of|```|_RESULT|<tool_res|<\|im_end/.test(text));
          const parsed = parse(text);
          let [rest, at] = ['', 0];
          for (const { start, end } of spansOf(parsed)) {
            assert.ok(start >= at && end > start && end <= text.length);
            rest += text.slice(at, start);
            at = end;
          }
          assert.equal(withoutWrappers(parsed.text), withoutWrappers(rest + text.slice(at)));
        }),
        runParameters(run),
      ),
  };
}

/** The same for calls in the API: their arguments arrive in pieces. */
export function nativeProperties(protocol: Protocol): readonly ParserProperty[] {
  const deltas = (text: string, places: readonly number[]): Parameters<typeof parseDeltas>[1] => [
    { type: 'tool-call', index: 0, id: 'k', name: 'write_file' },
    ...cutAt(text, places).map((piece) => ({ type: 'tool-call', index: 0, arguments: piece }) as const),
  ];
  return [
    {
      name: 'pieces of any size of text and arguments give the same result as the whole, and nothing throws',
      check: (run) =>
        fc.assert(
          fc.property(arbitraryNoise, arbitraryNoise, cuts, options, (text, args, places, how) => {
            const read = (at: readonly number[]): ParsedReply =>
              parseDeltas(
                protocol,
                [
                  ...cutAt(text, at).map((piece) => ({ type: 'text', text: piece }) as const),
                  ...deltas(args, at),
                ],
                [writeTool],
                how,
              );
            assert.deepEqual(read(places), read([]));
          }),
          runParameters(run),
        ),
    },
    {
      name: 'a prefix of the arguments never yields a call',
      check: (run) =>
        fc.assert(
          fc.property(
            fc.record({ path: arbitraryNoise, content: arbitraryNoise }),
            fc.nat(),
            (args, place) => {
              const text = JSON.stringify(args);
              const prefix = text.slice(0, place % text.length);
              const { calls } = parseDeltas(protocol, deltas(prefix, []), [writeTool]);
              assert.deepEqual(calls, []);
            },
          ),
          runParameters(run),
        ),
    },
    {
      name: 'damaged arguments never lose one silently',
      check: (run) =>
        fc.assert(
          fc.property(
            plainArguments,
            fc.nat(),
            fc.constantFrom('delete', 'double', 'swap'),
            (args, place, damage) => {
              const reply = damaged(JSON.stringify(args), place, damage);
              const parsed = parseDeltas(protocol, deltas(reply, []), [writeTool]);
              assertSameArguments(protocol, { parsed, args, reply });
            },
          ),
          runParameters(run),
        ),
    },
  ];
}

/** Every call without a note has the arguments that were written, by name. */
function assertSameArguments(
  { id }: Protocol,
  { parsed, args, reply }: { readonly parsed: ParsedReply; readonly args: object; readonly reply: string },
): void {
  for (const call of parsed.calls) {
    if (call.notes.length > 0) continue;
    const [expected, actual] = [Object.keys(args), Object.keys(call.arguments as object)];
    const changes = [
      ...expected.filter((name) => !actual.includes(name)).map((name) => `lost the argument "${name}"`),
      ...actual.filter((name) => !expected.includes(name)).map((name) => `invented the argument "${name}"`),
    ];
    assert.ok(changes.length === 0, `The protocol ${id} ${changes.join(' and ')} without a note: ${reply}`);
  }
}

function spansOf({ calls, errors }: ParsedReply): { start: number; end: number }[] {
  return [...calls, ...errors].sort((a, b) => a.start - b.start);
}

/** Tags around calls belong to no call. */
function withoutWrappers(text: string): string {
  return text.replace(
    /<\/?(?:(?:seed:|longcat_)?tool_calls?(?::x)?|function_calls|minimax:tool_call|｜DSML｜function_calls)>|<｜tool_calls_begin｜>|function<｜tool_sep｜>|\]<\]minimax\[>\[|<\|tool_call>[\s\u200b\ufeff]*(?:<tool_call\|>)+|<start_function_call>[\s\u200b\ufeff]*(?:<end_function_call>)+|[\s\u200b\ufeff]/g,
    '',
  );
}

function damaged(text: string, place: number, damage: 'delete' | 'double' | 'swap'): string {
  const at = place % text.length;
  const [here = '', next = ''] = [text[at], text[at + 1]];
  const changed = { delete: '', double: here + here, swap: next + here }[damage];
  return text.slice(0, at) + changed + text.slice(at + (damage === 'swap' ? 2 : 1));
}
