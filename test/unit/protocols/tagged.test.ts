import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/core/protocol';
import type { ToolSpec } from '../../../src/core/tool';
import { glm } from '../../../src/protocols/glm';
import { hermes } from '../../../src/protocols/hermes';
import { qwen3Coder } from '../../../src/protocols/qwen3-coder';
import { xml } from '../../../src/protocols/xml';
import { parseText, pieces } from '../../support/parse';
import { summary } from '../../support/summary';

const read: ToolSpec = {
  name: 'read',
  description: '',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
    required: ['path'],
    additionalProperties: false,
  },
};

interface Row {
  readonly name: string;
  readonly protocol: Protocol;
  readonly reply: string;
  readonly tools?: readonly ToolSpec[];
  readonly expect: string;
}

const CODE = (json: string): string => `<tool_code>${json}</tool_code>`;
const CALL = (body: string): string => `<tool_call>${body}</tool_call>`;

const rows: Row[] = [
  {
    name: 'reads JSON in its tag',
    protocol: xml,
    reply: `Look: ${CODE('\n{"name":"read","arguments":{"path":"a"}}\n')} ok`,
    expect: 'text "Look:  ok" | read {"path":"a"}',
  },
  {
    name: 'takes a fence around the JSON for decoration',
    protocol: xml,
    reply: CODE('\n```json\n{"name":"read","arguments":{}}\n```\n'),
    expect: 'read {}',
  },
  {
    name: 'reads a closing tag inside a string as data',
    protocol: xml,
    reply: CODE('{"name":"w","arguments":{"c":"</tool_code> {"}}'),
    expect: 'w {"c":"</tool_code> {"}',
  },
  {
    name: 'mends JSON and marks the call',
    protocol: xml,
    reply: CODE(`{'name':'read','arguments':{'ok':True,},}`),
    expect: 'read {"ok":true} repaired [repaired-json, repaired-json, repaired-json]',
  },
  {
    name: 'rejects JSON that breaks off, up to the closing tag',
    protocol: xml,
    reply: CODE('{"name":"read","arguments":{') + ' and ' + CODE('{"name":"read"}'),
    expect: 'text " and " | rejects invalid-json | read {}',
  },
  {
    name: 'reads a closing tag in single quotes and in a comment as data',
    protocol: xml,
    reply: CODE(`{'name':'</tool_code>', /* </tool_code> */ 'arguments':{}}`),
    expect: '</tool_code> {} repaired [repaired-json, repaired-json]',
  },
  {
    name: 'decodes arguments that are JSON text',
    protocol: xml,
    reply: CODE('{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}'),
    expect: 'read {"path":"a"} repaired [repaired-json]',
  },
  {
    name: 'reads parameters as arguments',
    protocol: hermes,
    reply: CALL('{"name":"read","parameters":{"path":"a"}}'),
    expect: 'read {"path":"a"} repaired [repaired-json]',
  },
  {
    name: 'reads the form of the API',
    protocol: hermes,
    reply: CALL('{"function":{"name":"read","arguments":{}}}'),
    expect: 'read {}',
  },
  {
    name: 'rejects arguments that stand beside the name',
    protocol: hermes,
    reply: CALL('{"name":"read","path":"a"}'),
    expect: 'rejects read invalid-json',
  },
  {
    name: 'rejects program code',
    protocol: xml,
    reply: `${CODE('print(read("a"))')}after`,
    expect: 'text "after" | rejects not-json',
  },
  {
    name: 'rejects a key given twice',
    protocol: hermes,
    reply: CALL('{"name":"read","arguments":{"a":1,"a":2}}'),
    expect: 'rejects invalid-json',
  },
  {
    name: 'rejects a missing closing tag',
    protocol: hermes,
    reply: '<tool_call>{"name":"read","arguments":{}}',
    expect: 'rejects unfinished',
  },
  {
    name: 'rejects a string that never ends',
    protocol: hermes,
    reply: '<tool_call>{"name":"read","arguments":{"path":"a',
    expect: 'rejects unfinished',
  },
  {
    name: 'rejects text behind the JSON and reads the next call',
    protocol: hermes,
    reply: `${CALL('{"name":"a","arguments":{}} ok')}${CALL('{"name":"b","arguments":{}}')}`,
    expect: 'rejects invalid-json | b {}',
  },
  {
    name: 'reads raw values with one line break trimmed at each end',
    protocol: qwen3Coder,
    reply: CALL('\n<function=w>\n<parameter=c>\n\n  <b>x</b> &amp;\n\n</parameter>\n</function>\n'),
    expect: 'w {"c":"\\n  <b>x</b> &amp;\\n"}',
  },
  {
    name: 'types values by the schema',
    protocol: qwen3Coder,
    tools: [read],
    reply: CALL(
      '<function=read><parameter=path>1.10</parameter><parameter=lines>[1, 2]</parameter></function>',
    ),
    expect: 'read {"path":"1.10","lines":[1,2]}',
  },
  {
    name: 'reads a closing tag that nothing of the call follows as data',
    protocol: qwen3Coder,
    reply: CALL('<function=w><parameter=c>a </parameter> b</parameter></function>'),
    expect: 'w {"c":"a </parameter> b"} repaired [mark-in-value]',
  },
  {
    name: 'reads a nested call in a value as data',
    protocol: qwen3Coder,
    reply: CALL(
      '<function=w><parameter=c><function=x><parameter=y>z</parameter></function></parameter></function>',
    ),
    expect: 'w {"c":"<function=x><parameter=y>z</parameter></function>"}',
  },
  {
    name: 'accepts a bare function of an offered tool at the beginning of a line',
    protocol: qwen3Coder,
    tools: [read],
    reply: 'Look.\n<function=read><parameter=path>a</parameter></function>\n</tool_call>',
    expect: 'text "Look.\\n\\n" | read {"path":"a"}',
  },
  {
    name: 'leaves a bare function in a sentence alone',
    protocol: qwen3Coder,
    tools: [read],
    reply: 'Use <function=read> for that.',
    expect: 'text "Use <function=read> for that."',
  },
  {
    name: 'rejects a value that never ends',
    protocol: qwen3Coder,
    reply: '<tool_call><function=w><parameter=c>half',
    expect: 'rejects w unfinished',
  },
  {
    name: 'rejects text between the arguments',
    protocol: qwen3Coder,
    reply: CALL('<function=w>oops<parameter=c>a</parameter></function>'),
    expect: 'rejects w malformed-block',
  },
  {
    name: 'rejects an argument given twice',
    protocol: qwen3Coder,
    reply: CALL('<function=w><parameter=c>a</parameter><parameter=c>b</parameter></function>'),
    expect: 'rejects w duplicate-argument',
  },
  {
    name: 'reads a name and pairs',
    protocol: glm,
    reply: CALL('read\n<arg_key>path</arg_key>\n<arg_value>a b</arg_value>\n'),
    expect: 'read {"path":"a b"}',
  },
  { name: 'reads a name without arguments', protocol: glm, reply: CALL('list'), expect: 'list {}' },
  {
    name: 'rejects prose in the tag',
    protocol: glm,
    reply: CALL('please list it'),
    expect: 'rejects please list it malformed-block',
  },
  {
    name: 'reads every body of the family under every protocol of it',
    protocol: glm,
    reply: `${CALL('{"name":"a","arguments":{}}')}${CALL('<function=b></function>')}${CALL('c')}`,
    expect: 'a {} | b {} | c {}',
  },
  {
    name: 'drops a result that the model invented',
    protocol: hermes,
    reply: `${CALL('{"name":"a","arguments":{}}')}<tool_response>fine</tool_response>`,
    expect: 'a {} | warns invented-result',
  },
];

describe('tagged protocols', () => {
  for (const { name, protocol, reply, tools, expect } of rows) {
    it(`${protocol.id} ${name}`, () => {
      const whole = parseText(protocol, [reply], tools);
      assert.equal(summary(whole), expect);
      for (let at = 1; at < reply.length; at++) {
        assert.deepEqual(parseText(protocol, [reply.slice(0, at), reply.slice(at)], tools), whole);
      }
      assert.deepEqual(parseText(protocol, pieces(reply, 1), tools), whole);
    });
  }
});
