import type { Rule } from '../../core/words/grammar';
import type { ToolSpec } from '../../core/words/tool';
import type { CallRules } from '../grammar/call-grammar';
import { rawWay, type RawForm } from '../grammar/raw-values';
import { sequence, type GrammarBuilder } from '../grammar/rules';
import type { JsonObject } from '../../base/json';
import { guarded, padded } from '../engine/raw-value';
import { textProtocol } from '../engine/text-protocol';
import { argumentText } from '../prompt/describe';
import { afterCalls, rules, signature, type PromptParts } from '../prompt/tool-prompt';
import { TOOL_CALL } from './marks';
import { FAMILY, toolCallReader } from './tool-call-family';

/**
 * A name and pairs of `<arg_key>` and `<arg_value>` inside `<tool_call>`: what GLM-4.5 and its successors were trained
 * on.
 */
export const glm = textProtocol({
  id: 'glm',
  label: 'GLM',
  description: 'A name with <arg_key> and <arg_value> pairs; GLM models are trained on it.',
  suits: { fallback: /^(?:glm|chatglm|hy-?v?3|hunyuan-?3|laguna|k2-horizon|ling-?(?:2\.6|3)|longcat)/ },
  describeTool: signature,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  ...FAMILY,
  calls: { ...TOOL_CALL, call: callRule },
  reader: (tools) => toolCallReader('glm', tools),
});

/** What a value must not contain unescaped. */
const TAGS = ['</arg_value>', '<arg_value>', TOOL_CALL.close];

function render(name: string, args: JsonObject): string {
  const pairs = Object.entries(args).map(
    ([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${written(argumentText(value))}</arg_value>`,
  );
  return [`${TOOL_CALL.open}${name}`, ...pairs, TOOL_CALL.close].join('\n');
}

function written(text: string): string {
  return padded(guarded(text, TAGS));
}

function rawForm(build: GrammarBuilder): RawForm {
  return {
    ways: [rawWay(build, { id: 'v', tokens: TAGS, begins: ['<![C'], wordsBehind: ['</arg_value'] })],
    written,
    pair: (key, value) =>
      sequence(
        build.shared('k', '<arg_key>'),
        key,
        build.shared('o', '</arg_key>\n<arg_value>'),
        value,
        build.shared('c', '</arg_value>\n'),
      ),
  };
}

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  return sequence(`${tool.name}\n`, ...rules.rawArguments(tool, rawForm));
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call tools. Their signatures, one JSON object per line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call one, write a block of exactly this form:\n${render(example.name, example.arguments)}`,
    rules(
      formType,
      'Text values are raw, without quotes and escapes; every other value is JSON.',
      ...afterCalls('block', 'between <tool_response> and </tool_response>', steps),
    ),
  ].join('\n\n');
}
