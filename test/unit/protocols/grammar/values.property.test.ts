import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/base/json';
import type { JsonSchema } from '../../../../src/core/words/schema';
import type { ToolSpec } from '../../../../src/core/words/tool';
import type { Protocol } from '../../../../src/core/words/protocol';
import { protocols } from '../../../../src/protocols';
import { matchGrammar } from '../../../../src/protocols/grammar/match';
import { caseCount } from '../../../hosts/random-cases';
import { parseText } from '../../../support/protocols/run-parser';
import { seededNumbers, sampleGrammar } from '../../../support/protocols/sample-grammar';

/** What people and programs write that looks like a part of some form. */
const PARTS = [
  ...['彼は「はい」と言った', '「末尾」', '「始めに」', '始まり', '名前は〈名〉です', '　段落', '‹x›', '«y»'],
  ...[
    '/// <param name="x">The x.</param>',
    'List<int> a = b < c ? d : e;',
    '#include <vector>',
    'Func<T, U>',
  ],
  ...[
    '<html>\n<body class="a">\n</body></html>',
    '<input>',
    '<param',
    '<parameter',
    '<parameters>',
    '<invoice>',
  ],
  ...[
    '<function>',
    '<functional/>',
    '<tool_use>',
    '<tool_call',
    '<args>',
    '<![CDATA[x]]>',
    '<!DOCTYPE html>',
  ],
  ...[
    '"',
    "'",
    '\\',
    '`',
    '```',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '',
    '{',
    '}',
    '[',
    ']',
    '{"a": 1}',
    '\u0007',
    '\u007f',
  ],
];
const MARKS = protocols.flatMap(({ markers }) => markers);

const anyText = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PARTS) }, fc.constantFrom(...MARKS), fc.string()),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const anyPath = fc
  .array(fc.constantFrom('a', 'src/', '名', '「', '」', '‹', '`', '<', '>', ' ', '.ts', '始', '末', '"'), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''));
const double = fc.double({ noNaN: true, noDefaultInfinity: true });

function taking(key: string, schema: JsonSchema): ToolSpec {
  const parameters: JsonSchema = { type: 'object', properties: { [key]: schema }, required: [key] };
  return { name: 'put', description: '', parameters };
}

const KINDS: readonly { name: string; tool: ToolSpec; key: string; values: fc.Arbitrary<Json> }[] = [
  { name: 'a text', key: 'note', tool: taking('note', { type: 'string' }), values: anyText },
  {
    name: 'a text of many lines',
    key: 'content',
    tool: taking('content', { type: 'string' }),
    values: anyText,
  },
  { name: 'a path', key: 'path', tool: taking('path', { type: 'string' }), values: anyPath },
  {
    name: 'a list of texts',
    key: 'notes',
    tool: taking('notes', { type: 'array', items: { type: 'string' } }),
    values: fc.array(anyText, { maxLength: 3 }),
  },
  {
    name: 'an integer',
    key: 'count',
    tool: taking('count', { type: 'integer' }),
    values: fc.maxSafeInteger(),
  },
  {
    name: 'a number',
    key: 'size',
    tool: taking('size', { type: 'number' }),
    // Between these, doubles have more digits than are certain.
    values: fc
      .oneof(double, fc.float({ noNaN: true, noDefaultInfinity: true }), fc.integer())
      .filter(isSayable),
  },
];

function isSayable(value: number): boolean {
  return !Object.is(value, -0) && (Math.abs(value) <= Number.MAX_SAFE_INTEGER || /e/.test(String(value)));
}

/** The call as history renders it. */
function written(protocol: Protocol, args: JsonObject): string {
  const call = { id: '', name: 'put', arguments: args };
  const [delta] = protocol.renderReply([
    { type: 'text', text: 'So.' },
    { type: 'call', call },
  ]);
  return delta?.type === 'text' ? delta.text : '';
}

for (const protocol of protocols.filter((each) => each.grammar !== undefined)) {
  describe(`values in the grammar of ${protocol.id}`, () => {
    for (const { name, tool, key, values } of KINDS) {
      it(`hold ${name} that the form can carry`, () => {
        const grammar = protocol.grammar!([tool]);
        let count = 0;
        fc.assert(
          fc.property(values, (value) => {
            const reply = written(protocol, { [key]: value });
            const { calls, errors, warnings } = parseText(protocol, [reply], [tool]);
            assert.deepEqual(errors, [], reply);
            assert.deepEqual(calls[0]?.arguments, { [key]: value }, reply);
            // A mark of the form itself is carried in a section, which counts as repaired.
            if (calls.some(({ mark }) => mark !== 'clean') || warnings.includes('control-character')) return;
            // In a list, VCP's marks are written with JSON's escapes.
            if (Array.isArray(value) && /:「始\w+」/.test(reply)) return;
            count++;
            const { isWhole, leavesAt } = matchGrammar(grammar, reply);
            assert.ok(isWhole, `${reply}\nleft at: ${reply.slice(leavesAt)}`);
          }),
          { numRuns: caseCount(300) },
        );
        assert.ok(count > 0);
      });
    }

    it('are read as what they say', () => {
      const all = KINDS.map(({ tool, name }) => ({ ...tool, name: name.replaceAll(' ', '_') }));
      const grammar = protocol.grammar!(all, { isNeeded: true });
      fc.assert(
        fc.property(fc.nat(2 ** 31 - 2), (seed) => {
          const reply = sampleGrammar(grammar, seededNumbers(seed));
          const { calls, errors, warnings } = parseText(protocol, [reply], all);
          assert.deepEqual([errors, warnings.filter((code) => code !== 'call-in-code')], [[], []], reply);
          for (const { mark, arguments: args, name } of calls) {
            assert.equal(mark, 'clean', reply);
            const again = parseText(
              protocol,
              [written(protocol, args as JsonObject).replaceAll('put', name)],
              all,
            );
            assert.deepEqual(again.calls[0]?.arguments, args, reply);
          }
        }),
        { numRuns: caseCount(300) },
      );
    });
  });
}
