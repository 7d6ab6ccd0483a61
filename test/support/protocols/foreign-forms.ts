import type { ToolSpec } from '../../../src/core/words/tool';
import { findProtocol, protocols } from '../../../src/protocols';
import { parseText } from './run-parser';

export const readTool: ToolSpec = {
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
  /** It has no markers and counts only if nothing follows. */
  readonly standsAlone?: boolean;
}

/** A complete call of `read` with the path `a`, in the forms that models write despite their instructions. */
export const foreignForms: readonly ForeignForm[] = [
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
  { form: 'invoke', block: '<minimax:tool_call>read{"path":"a"}</minimax:tool_call>' },
  {
    form: 'invoke',
    block:
      '<tool_calls><invoke name="read"><parameter name="path" string="true">a</parameter></invoke></tool_calls>',
  },
  {
    form: 'invoke',
    block:
      '<｜DSML｜r:tool_calls><｜DSML｜r:invoke name="read"><｜DSML｜r:parameter name="path" string="true">a</｜DSML｜r:parameter></｜DSML｜r:invoke></｜DSML｜tool_calls>',
  },
  {
    form: 'invoke',
    block:
      '<｜GCML｜tool_calls><｜GCML｜invoke name="read"><｜GCML｜parameter name="path" string="true">a</｜GCML｜parameter></｜GCML｜invoke></｜GCML｜tool_calls>',
  },
  {
    form: 'invoke',
    block:
      '<atem:function_calls>\n<atem:invoke name="read">\n<atem:parameter name="path">a</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  },
  {
    form: 'invoke',
    block:
      '<dots_function_call><invoke name=read><parameter name=path>a</parameter></invoke></dots_function_call>',
  },
  {
    form: 'invoke',
    block:
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read"><steptml:parameter name="path">a</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  { form: 'invoke', block: '<function name="read"><param name="path">a</param></function>' },
  {
    form: 'invoke',
    block:
      ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  },
  { form: 'cline', block: '<read>\n<path>a</path>\n</read>' },
  {
    form: 'qwen3-coder',
    block: '<seed:tool_call>\n<function=read>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>',
  },
  { form: 'qwen3-coder', block: '<tool_call><function=read>{"path":"a"}</function></tool_call>' },
  {
    form: 'glm',
    block:
      '<tool_calls>\n<tool_call>read<tool_sep>\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>\n</tool_calls>',
  },
  {
    form: 'glm',
    block:
      '<tool_call:opensource>read<tool_sep:opensource>\n<arg_key:opensource>path</arg_key:opensource>\n<arg_value:opensource>a</arg_value:opensource>\n</tool_call:opensource>',
  },
  { form: 'glm', block: '<tool_call>read\n{"path":"a"}\n</tool_call>' },
  {
    form: 'glm',
    block:
      '<longcat_tool_call>read\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a</longcat_arg_value>\n</longcat_tool_call>',
  },
  {
    form: 'hermes',
    block: '<longcat_tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</longcat_tool_call>',
  },
  { form: 'hermes', block: '<tool_call>[{"name":"read","arguments":{"path":"a"}}]</tool_call>' },
  { form: 'json', block: '{"tool_calls":[{"name":"read","arguments":{"path":"a"}}]}', standsAlone: true },
  { form: 'json', block: '{"name": "read", "parameters": {"path": "a"}}', standsAlone: true },
  { form: 'json', block: '[{"name": "read", "arguments": {"path": "a"}}]', standsAlone: true },
  { form: 'bare', block: 'read\n{"path":"a"}', standsAlone: true },
  { form: 'bare', block: 'functions.read:0{"path":"a"}', standsAlone: true },
  { form: 'calling', block: '[Calling tool: read({"path":"a"})]', standsAlone: true },
  { form: 'llama', block: '<|python_tag|>{"name": "read", "parameters": {"path": "a"}}' },
  { form: 'llama', block: '<|python_tag|>read.call(path="a")', standsAlone: true },
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
    form: 'kimi',
    block: '<|tool_call_begin|> functions.read:0 <|tool_call_argument_begin|> {"path":"a"} <|tool_call_end|>',
  },
  {
    form: 'kimi-k3',
    block:
      '<|open|>tools<|sep|><|open|>call tool="read" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  },
  {
    form: 'harmony',
    block: '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a"}<|call|>',
  },
  {
    form: 'harmony',
    block: '<|start|>assistant to=functions.read<|channel|>analysis json <|message|>{"path":"a"}<|call|>',
  },
  { form: 'harmony', block: '=functions.read json{"path":"a"}', standsAlone: true },
  {
    form: 'inkling',
    block:
      '<|message_model|>read<|content_invoke_tool_json|>{"name":"read","args":{"path":"a"}}<|end_message|>',
  },
  {
    form: 'solar',
    block: '<|tool_call:begin|>k1<|tool_call:name|>read<|tool_call:args|>{"path":"a"}<|tool_call:end|>',
  },
  { form: 'functionary', block: '<|from|>assistant\n<|recipient|>read\n<|content|>{"path":"a"}' },
  { form: 'functionary', block: '>>>read\n{"path":"a"}', standsAlone: true },
  {
    form: 'cohere',
    block:
      '<|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "read", "parameters": {"path": "a"}}\n]<|END_ACTION|>',
  },
  {
    form: 'cohere',
    block: 'Action:\n```json\n[{"tool_name": "read", "parameters": {"path": "a"}}]\n```',
    standsAlone: true,
  },
  {
    form: 'internlm',
    block: '<|action_start|> <|plugin|>\n{"name": "read", "parameters": {"path": "a"}}<|action_end|>',
  },
  { form: 'gigachat', block: '<|function_call|>{"name": "read", "arguments": {"path": "a"}}' },
  {
    form: 'gigachat',
    block: '<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "read", "arguments": {"path": "a"}}',
  },
  {
    form: 'gigachat',
    block: 'function call\n{"name": "read", "arguments": {"path": "a"}}',
    standsAlone: true,
  },
  { form: 'apertus', block: '<|tools_prefix|>[{"read": {"path": "a"}}]<|tools_suffix|>' },
  { form: 'phi', block: 'functools[{"name":"read","arguments":{"path":"a"}}]', standsAlone: true },
  { form: 'tool-list', block: '<TOOLCALL>[{"name":"read","arguments":{"path":"a"}}]</TOOLCALL>' },
  { form: 'tool-list', block: '<tool_calls>\n{"name":"read","arguments":{"path":"a"}}\n</tool_calls>' },
  { form: 'tool-list', block: '<tools>\n{"name":"read","arguments":{"path":"a"}}\n</tools>' },
  { form: 'lfm2', block: '<|tool_call_start|>[{"name":"read","arguments":{"path":"a"}}]<|tool_call_end|>' },
  { form: 'pythonic', block: '[read(path="a")]', standsAlone: true },
  { form: 'pythonic', block: "<|tool_call_start|>[read(path='a')]<|tool_call_end|>" },
  { form: 'pythonic', block: '<|python_start|>[read(path="a")]<|python_end|>' },
  { form: 'pythonic', block: '<function_calls>read(path="a")</function_calls>' },
  { form: 'gemma4', block: '<|tool_call>call:read{path:<|"|>a<|"|>}<tool_call|>' },
  { form: 'gemma4', block: '<start_function_call>call:read{path:<escape>a<escape>}<end_function_call>' },
  { form: 'gemma4', block: '<|tool_call>call:read(path="a")<tool_call|>' },
  { form: 'gemma4', block: 'call:read{path:<|"|>a<|"|>}', standsAlone: true },
  { form: 'lm-studio', block: '[TOOL_REQUEST]{"name":"read","arguments":{"path":"a"}}[END_TOOL_REQUEST]' },
  { form: 'plain', block: 'Tool: read\nPath: a\n<<<END' },
  { form: 'minimax', block: '[TOOL_CALL]\n{tool => "read", args => {\n  --path "a"\n}}\n[/TOOL_CALL]' },
];

/** Returns the protocol of a form: the one with its name, else the one that reads it, if any. */
export function protocolOf({ form, block }: ForeignForm): string {
  const reader = protocols.find((protocol) => parseText(protocol, [block], [readTool]).calls.length > 0);
  return findProtocol(form)?.id ?? reader?.id ?? form;
}
