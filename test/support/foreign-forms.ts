import type { ToolSpec } from '../../src/core/words/tool';
import { findProtocol, protocols } from '../../src/protocols';
import { parseText } from './parse';

export const READ: ToolSpec = {
  name: 'read',
  description: 'Reads.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  xmlSchema: {
    tag_name: 'read-file',
    mappings: [{ param_name: 'path', node_type: 'attribute', path: '.' }],
  },
};

interface ForeignForm {
  readonly form: string;
  readonly block: string;
}

const blocks: readonly ForeignForm[] = [
  {
    form: 'vcp',
    block: '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>',
  },
  { form: 'xml', block: '<tool_code>{"name":"read","arguments":{"path":"a"}}</tool_code>' },
  { form: 'invoke', block: '<invoke name="read"><parameter name="path">a</parameter></invoke>' },
  {
    form: 'invoke',
    block:
      '<｜DSML｜function_calls><｜DSML｜invoke name="read"><｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
  },
  { form: 'invoke', block: '<read-file path="a"/>' },
  { form: 'hermes', block: '<tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>' },
  {
    form: 'qwen3-coder',
    block: '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  },
  { form: 'qwen3-coder', block: '<function=read>\n<parameter=path>\na\n</parameter>\n</function>' },
  { form: 'glm', block: '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>' },
  { form: 'json', block: '{"tool_calls":[{"name":"read","arguments":{"path":"a"}}]}' },
  { form: 'json', block: '{"name": "read", "parameters": {"path": "a"}}' },
  { form: 'llama', block: '<|python_tag|>{"name": "read", "parameters": {"path": "a"}}' },
  { form: 'granite', block: '<|tool_call|>[{"name":"read","arguments":{"path":"a"}}]' },
  { form: 'mistral', block: '[TOOL_CALLS] [{"name":"read","arguments":{"path":"a"},"id":"123456789"}]' },
  { form: 'mistral', block: '[TOOL_CALLS]read[CALL_ID]123456789[ARGS]{"path":"a"}' },
  {
    form: 'deepseek',
    block:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    form: 'deepseek',
    block:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    form: 'kimi',
    block:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
  },
  {
    form: 'harmony',
    block: '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a"}<|call|>',
  },
];

/**
 * A whole call of `read` with the path `a`, in the forms that models write whatever they were told. A form without a
 * protocol of its name has that of the protocol that reads it, if there is one by now.
 */
export const FOREIGN_FORMS: readonly ForeignForm[] = blocks.map(({ form, block }) => {
  const reader = protocols.find((protocol) => parseText(protocol, [block], [READ]).calls.length > 0);
  return { form: findProtocol(form)?.id ?? reader?.id ?? form, block };
});
