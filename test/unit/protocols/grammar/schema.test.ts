import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import { builtInSpecs } from '../../../../src/cli/built-in';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { findProtocol, protocols } from '../../../../src/protocols';
import { parseText, type ParsedReply } from '../../../support/protocols/run-parser';
import { loadXGrammar } from '../../../support/protocols/xgrammar';

const KEYWORDS = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
  '$ref',
  '$defs',
];

/** Every schema in a schema. */
function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  const { properties = {}, $defs = {}, items, anyOf = [] } = schema as Readonly<Record<string, JsonObject>>;
  for (const each of [...Object.values(properties), ...Object.values($defs), ...Object.values(anyOf)])
    yield* schemasIn(each as JsonObject);
  if (items) yield* schemasIn(items);
}

const tree: ToolSpec = {
  name: 'plant',
  description: '',
  parameters: JSON.parse(
    '{"type":"object","properties":{"root":{"$ref":"#/$defs/node"},"map":{"type":"object"}},"$defs":{"node":{"type":"object","properties":{"name":{"type":"string","maxLength":3},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name"]}}}',
  ) as JsonObject,
};

describe('the schema of a protocol', () => {
  for (const id of ['json', 'envelope']) {
    it(`lies in the strict subset: ${id}`, () => {
      const { schema, isStrict } = findProtocol(id)!.schema!(builtInSpecs());
      assert.ok(isStrict);
      for (const each of schemasIn(schema)) {
        assert.deepEqual(
          Object.keys(each).filter((key) => !KEYWORDS.includes(key)),
          [],
        );
        if (each['type'] !== 'object') continue;
        assert.equal(each['additionalProperties'], false);
        assert.deepEqual(each['required'], Object.keys(each['properties'] as JsonObject));
      }
    });

    it(`is read by the compiler of vLLM and SGLang: ${id}`, async () => {
      const { schema } = findProtocol(id)!.schema!([...builtInSpecs(), tree]);
      const xgrammar = loadXGrammar();
      const compiled = await xgrammar.Grammar.fromJSONSchema(JSON.stringify(schema));
      const call = { name: 'read_folder', arguments: { path: 'src', depth: null, include_ignored: null } };
      const reply = {
        ...(id === 'json' ? { say: '' } : { action: 'finish', content: '' }),
        tool_calls: [call],
      };
      assert.ok(await xgrammar.Testings.isGrammarAcceptString(compiled, JSON.stringify(reply)));
    });
  }

  it('reports a tool that cannot be described strictly, and includes its definitions', () => {
    const { schema, isStrict } = findProtocol('json')!.schema!([tree]);
    assert.equal(isStrict, false);
    assert.deepEqual(Object.keys(schema['$defs'] as JsonObject), ['plant.node']);
    assert.match(JSON.stringify(schema), /"\$ref":"#\/\$defs\/plant.node"/);
  });

  it('has one step a reply, with required arguments only, which the reader takes', async () => {
    const protocol = findProtocol('json')!;
    const tools = [...builtInSpecs(), tree];
    const { schema } = protocol.schema!(tools, { steps: 'one' });
    const xgrammar = loadXGrammar();
    const compiled = await xgrammar.Grammar.fromJSONSchema(JSON.stringify(schema));
    const takes = (reply: unknown): Promise<boolean> =>
      xgrammar.Testings.isGrammarAcceptString(compiled, JSON.stringify(reply));
    const thought = 'I look.';
    const read = { thought, tool: 'read_file', arguments: { path: 'a' } };
    const finish = { thought, tool: 'finish', arguments: { answer: 'Done.' } };
    for (const reply of [read, finish]) assert.ok(await takes(reply), JSON.stringify(reply));
    for (const other of [
      { ...read, thought: 'x'.repeat(301) },
      { ...read, tool: 'fly' },
      { ...read, arguments: { path: 'a', tail: 3 } },
      { tool: 'read_file', arguments: { path: 'a' } },
      { tool_calls: [] },
    ])
      assert.ok(!(await takes(other)), JSON.stringify(other));
    const parse = (reply: unknown): ParsedReply => parseText(protocol, [JSON.stringify(reply)], tools);
    const called = parse(read);
    assert.deepEqual(
      [called.text, called.calls.map(({ name, mark }) => [name, mark])],
      [thought, [['read_file', 'clean']]],
    );
    const answered = parse(finish);
    assert.deepEqual([answered.reasoning, answered.text, answered.calls], [thought, 'Done.', []]);
    assert.deepEqual(parse({ ...read, tool: 'fly' }).calls, []);
  });

  it('is there for the two whose reply is one object', () => {
    assert.deepEqual(
      protocols.filter((each) => each.schema !== undefined).map(({ id }) => id),
      ['json', 'envelope'],
    );
  });
});
