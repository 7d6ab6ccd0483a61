import assert from 'node:assert/strict';
import type { ToolSpec } from '../../../src/core/tool';
import { invoke } from '../../../src/protocols/invoke';
import { parseText, pieces } from '../../support/parse';
import { summary } from '../../support/summary';

const createFile: ToolSpec = {
  name: 'create_file',
  description: '',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' }, note: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  xmlSchema: {
    tag_name: 'create-file',
    mappings: [
      { param_name: 'path', node_type: 'attribute', path: '.' },
      { param_name: 'content', node_type: 'content', path: '.' },
    ],
  },
};
const strReplace: ToolSpec = {
  name: 'str_replace',
  description: '',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, old: { type: 'string' } },
    required: ['path', 'old'],
  },
  xmlSchema: {
    tag_name: 'str-replace',
    mappings: [
      { param_name: 'path', node_type: 'attribute', path: 'file' },
      { param_name: 'old', node_type: 'element', path: 'old_str' },
    ],
  },
};
const TOOLS = [createFile, strReplace];

const B = (body: string): string => `<function_calls>${body}</function_calls>`;

const rows: { name: string; reply: string; tools?: readonly ToolSpec[]; expect: string }[] = [
  {
    name: 'reads raw values with one line break trimmed',
    reply: `Go: ${B('\n<invoke name="w">\n<parameter name="c">\n<b> & "x"\n\n</parameter>\n</invoke>\n')}`,
    expect: 'text "Go: " | w {"c":"<b> & \\"x\\"\\n"}',
  },
  {
    name: 'reads several calls of a block',
    reply: B('<invoke name="a"></invoke><invoke name=\'b\'><parameter name = "k" >v</parameter></invoke>'),
    expect: 'a {} | b {"k":"v"}',
  },
  {
    name: 'reads the spelling of MiniMax',
    reply:
      '<minimax:tool_call><invoke name="a"><parameter name="k">v</parameter></invoke></minimax:tool_call>',
    expect: 'a {"k":"v"}',
  },
  {
    name: 'reads the spelling of DeepSeek',
    reply:
      '<｜DSML｜function_calls><｜DSML｜invoke name="a"><｜DSML｜parameter name="k" string="true">v</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
    expect: 'a {"k":"v"}',
  },
  {
    name: 'accepts a bare invoke of an offered tool at the beginning of a line',
    tools: TOOLS,
    reply:
      'Now:\n<invoke name="create_file"><parameter name="path">a</parameter><parameter name="content">b</parameter></invoke>',
    expect: 'text "Now:\\n" | create_file {"path":"a","content":"b"}',
  },
  {
    name: 'leaves a bare invoke of another tool as text',
    tools: TOOLS,
    reply: '<invoke name="other"></invoke>',
    expect: 'text "<invoke name=\\"other\\"></invoke>"',
  },
  {
    name: 'leaves a word that only begins like a tag as text',
    tools: TOOLS,
    reply: '<create-files path="a">',
    expect: 'text "<create-files path=\\"a\\">"',
  },
  {
    name: 'reads a closing tag that nothing of the call follows as data',
    reply: B('<invoke name="w"><parameter name="c">a </parameter> b</parameter></invoke>'),
    expect: 'w {"c":"a </parameter> b"} repaired [mark-in-value]',
  },
  {
    name: 'reads nested parameters as data',
    reply: B('<invoke name="w"><parameter name="c"><parameter name="x">y</parameter></parameter></invoke>'),
    expect: 'w {"c":"<parameter name=\\"x\\">y</parameter>"}',
  },
  {
    name: 'rejects a value that never ends',
    reply: '<function_calls><invoke name="w"><parameter name="c">half',
    expect: 'rejects w unfinished',
  },
  {
    name: 'rejects text between parameters and keeps the next call',
    reply: B('<invoke name="w">oops</invoke><invoke name="b"></invoke>'),
    expect: 'rejects w malformed-block | b {}',
  },
  { name: 'rejects an empty block', reply: B(' '), expect: 'rejects malformed-block' },
  {
    name: 'rejects an argument given twice',
    reply: B('<invoke name="w"><parameter name="c">a</parameter><parameter name="c">b</parameter></invoke>'),
    expect: 'rejects w duplicate-argument',
  },
  {
    name: 'decodes entities in attributes only',
    tools: TOOLS,
    reply: '<create-file path="a&amp;b>c">x &amp; y</create-file>',
    expect: 'create_file {"path":"a&b>c","content":"x &amp; y"}',
  },
  {
    name: 'trims one line break of the content of a tag',
    tools: TOOLS,
    reply: "<create-file path='a'>\n  x\n\n</create-file>!",
    expect: 'text "!" | create_file {"path":"a","content":"  x\\n"}',
  },
  {
    name: 'counts tags of the same name inside',
    tools: TOOLS,
    reply: '<create-file path="a"><create-file path="b">x</create-file></create-file>',
    expect: 'create_file {"path":"a","content":"<create-file path=\\"b\\">x</create-file>"}',
  },
  {
    name: 'reads an element from its first to its last tag',
    tools: TOOLS,
    reply: '<str-replace file="a"><old_str>x</old_str>y</old_str></str-replace>',
    expect: 'str_replace {"path":"a","old":"x</old_str>y"}',
  },
  {
    name: 'rejects a tag without a required parameter',
    tools: TOOLS,
    reply: '<create-file>x</create-file>',
    expect: 'rejects create_file missing-argument',
  },
  {
    name: 'rejects a tag that is never closed',
    tools: TOOLS,
    reply: '<create-file path="a">half',
    expect: 'rejects create_file unfinished',
  },
  {
    name: 'rejects attributes that cannot be read',
    tools: TOOLS,
    reply: '<create-file path=a>x</create-file>',
    expect: 'rejects create_file malformed-block',
  },
];

describe('invoke', () => {
  for (const { name, reply, tools, expect } of rows) {
    it(name, () => {
      const whole = parseText(invoke, [reply], tools);
      assert.equal(summary(whole), expect);
      for (let at = 1; at < reply.length; at++) {
        assert.deepEqual(parseText(invoke, [reply.slice(0, at), reply.slice(at)], tools), whole);
      }
      assert.deepEqual(parseText(invoke, pieces(reply, 1), tools), whole);
    });
  }
});
