import type { Rule } from '../../core/words/grammar';
import type { CallRules } from '../grammar/call-grammar';
import { rawWay, type RawForm } from '../grammar/raw-values';
import { sequence, type GrammarBuilder } from '../grammar/rules';
import type { JsonObject } from '../../base/json';
import type { ToolSpec } from '../../core/words/tool';
import { describeParameters, argumentText } from '../prompt/describe';
import { guarded } from '../engine/raw-value';
import { TOOL_CALL } from './marks';
import { FAMILY, toolCallReader } from './tool-call-family';
import { textProtocol } from '../engine/text-protocol';
import { afterCalls, rules, type PromptParts } from '../prompt/tool-prompt';

/**
 * Tags with raw values inside `<tool_call>`: what Qwen3-Coder and Qwen3.5 were trained on; well suited to file
 * contents.
 */
export const qwen3Coder = textProtocol({
  id: 'qwen3-coder',
  label: 'Qwen3-Coder',
  description: 'Tags with raw values inside <tool_call>; Qwen3-Coder models are trained on it.',
  suits: {
    fallback:
      /^(?:qwen-?3-?coder|qwen-?3\.(?:[5-9]|\d\d)|nemotron-?3|step-?3\.[5-9]|k-exaone|mimo|intern-?s2|seed-?oss|ornith)/,
  },
  describeTool,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  ...FAMILY,
  calls: { open: `${TOOL_CALL.open}\n<function=`, close: `</function>\n${TOOL_CALL.close}`, call: callRule },
  reader: (tools) => toolCallReader('qwen3-coder', tools),
});

/** What a value must not contain unescaped. */
const TAGS = ['</parameter>', '<parameter=', TOOL_CALL.close];

function render(name: string, args: JsonObject): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>\n${written(argumentText(value))}\n</parameter>`,
  );
  return [TOOL_CALL.open, `<function=${name}>`, ...parameters, '</function>', TOOL_CALL.close].join('\n');
}

function written(text: string): string {
  return guarded(text, TAGS);
}

function rawForm(build: GrammarBuilder): RawForm {
  return {
    ways: [rawWay(build, { id: 'v', tokens: TAGS, begins: ['<![C'], wordsBehind: ['</parameter'] })],
    written,
    pair: (key, value) =>
      sequence(build.shared('o', '<parameter='), `${key}>\n`, value, build.shared('c', '\n</parameter>\n')),
  };
}

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  return sequence(`${tool.name}>\n`, ...rules.rawArguments(tool, rawForm));
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call these tools:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call one, write a block of exactly this form:\n${render(example.name, example.arguments)}`,
    rules(
      formType,
      'Values are raw text between their tags, with one line break on each side: no quotes, no escapes. Lists and objects are JSON.',
      ...afterCalls('block', 'between <tool_response> and </tool_response>', steps),
    ),
  ].join('\n\n');
}

function describeTool({ name, description, parameters }: ToolSpec): string {
  return [
    '<function>',
    `<name>${name}</name>`,
    `<description>${description}</description>`,
    '<parameters>',
    ...describeParameters(parameters),
    '</parameters>',
    '</function>',
  ].join('\n');
}
