import type { Rule } from '../../core/words/grammar';
import type { CallRules } from '../grammar/call-grammar';
import { rawWay, type RawForm } from '../grammar/raw-values';
import { sequence, type GrammarBuilder } from '../grammar/rules';
import type { JsonObject } from '../../base/json';
import type { ToolResult } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { argumentText, BRIEFLY, describeBriefly } from '../prompt/describe';
import { CALL_MARKERS } from './dialects';
import { invokeReader } from './invoke-block';
import { guarded, padded } from '../engine/raw-value';
import { encodeEntities } from '../engine/tags';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import { afterCalls, rules, type PromptParts } from '../prompt/tool-prompt';

const BLOCK = { open: '<function_calls>\n<invoke name="', close: '</invoke>\n</function_calls>' };

/**
 * `<function_calls>` with raw parameter values, as Anthropic's and AgentPress' models write it, also in the spellings
 * of MiniMax and DeepSeek, and the tags that tools declare.
 */
export const invoke = textProtocol({
  id: 'invoke',
  label: 'Invoke',
  description:
    '<function_calls> with raw values; MiniMax and DeepSeek models write it, and it suits file contents.',
  sign: /function_calls>|<minimax:tool_call>|<(?:[\w:]*|[|｜]+[DG][SC]ML[|｜]+)invoke |[|｜]tool_calls>|dots_function_call>|minimax\[>\[|<function\s?name=/,
  suits: {
    // Reasoning distills and old or small models were never trained on tools; raw values suit them for files.
    first:
      /^(?:deepseek-r1.*distill|r1-distill|tinyllama|vicuna|codellama|starcoder|codegemma|deepseek-coder|llama-?2|phi-?[123](?!\d))/,
    // From Kimi on: their own forms consist of special tokens, which cannot be prompted for. Raw values suit those
    // models, too.
    fallback:
      /^(?:deepseek|minimax|gigachat|muse|dots|minicpm-?5|step-?3(?![.\d])|kimi|command-|north-|apertus|inkling|solar-open|intern|plamo|beam)/,
  },
  describeTool: describeBriefly,
  prompt,
  renderCall: ({ name, arguments: args }) => render(name, args),
  markers: [...CALL_MARKERS, '<function_results>', '</function_results>', '<result', '</result>'],
  renderResult,
  aroundResults: (results) => `<function_results>\n${results}\n</function_results>`,
  stop: ['<function_results>'],
  calls: { ...BLOCK, call: callRule },
  reader: invokeReader,
});

function render(name: string, args: JsonObject): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `${parameterTag(key)}${written(argumentText(value))}</parameter>`,
  );
  return [`${BLOCK.open}${encodeEntities(name)}">`, ...parameters, BLOCK.close].join('\n');
}

const PARAMETER = '<parameter name="';

function parameterTag(key: string): string {
  return `${PARAMETER}${encodeEntities(key)}">`;
}

function written(text: string): string {
  return padded(guarded(text, TAGS));
}

/** What a value must not contain unescaped. */
const TAGS = ['</parameter>', '<parameter ', '</invoke>'];

function rawForm(build: GrammarBuilder): RawForm {
  return {
    ways: [rawWay(build, { id: 'v', tokens: TAGS, begins: ['<![C'], wordsBehind: ['</parameter'] })],
    written,
    pair: (key, value) =>
      sequence(
        build.shared('o', PARAMETER),
        `${encodeEntities(key)}">`,
        value,
        build.shared('c', '</parameter>\n'),
      ),
  };
}

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  return sequence(`${encodeEntities(tool.name)}">\n`, ...rules.rawArguments(tool, rawForm));
}

function renderResult({ result }: ToolResult, label: ResultLabel): string {
  const facts = Object.entries(label).map(([key, value]) => ` ${key}="${value}"`);
  return facts.length === 0 ? result : `<result${facts.join('')}>\n${result}\n</result>`;
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call these tools. ${BRIEFLY}\n${tools.join('\n')}`,
    `To call one, write a block of exactly this form:\n${render(example.name, example.arguments)}`,
    rules(
      formType,
      'Values are raw text between their tags, to the last line break: no quotes, no escapes. Lists and objects are JSON.',
      ...afterCalls('block', 'between <function_results> and </function_results>', steps),
    ),
  ].join('\n\n');
}
