import type { ToolResult } from '../core/words/messages';
import { textProtocol, type ResultLabel } from './engine/text-protocol';
import { listForm } from './grammar/call-grammar';
import { callsSchema, stepSchema } from './grammar/strict-schema';
import { readCallsObject } from './json/calls-object';
import { FINISH_STEP } from './json/step-object';
import { beginsObject } from './json/json-calls';
import { ONE_CALL, rules, STRICT_JSON, signature, type PromptParts } from './prompt/tool-prompt';

const RESULT = { key: 'tool_call_result', close: '{"end":"tool_call_result"}' };

/** An object with `tool_calls`, alone or in a fence, and results as user messages: the JSON_Strict strategy. */
export const json = textProtocol({
  id: 'json',
  label: 'JSON',
  description: 'A strict {"tool_calls": […]} object; for models that write JSON well.',
  sign: /"tool_calls"\s*:/,
  suits: {
    fallback:
      /^(?:gpt-|gpt-?oss|chatgpt|o\d|claude|gemini|mi(?:ni)?stral|mixtral|devstral|magistral|codestral|llama-?3|(?:llama-)?xlam|nemotron-nano.*v2|hunyuan-a13b|apriel|jamba|phi-?4|sarashina)/,
  },
  describeTool: signature,
  prompt,
  renderCall: ({ id = '', name, arguments: args }) =>
    JSON.stringify({ tool_calls: [{ ...(id !== '' && { id }), name, arguments: args }] }),
  markers: ['{"tool_calls"', '{"tool_call_result"', RESULT.close],
  renderResult,
  stop: ['{"tool_call_result"'],
  schema: (tools, { steps } = {}) =>
    steps === 'one'
      ? stepSchema(tools, FINISH_STEP)
      : callsSchema(tools, (calls) => ({ say: { type: 'string' }, tool_calls: calls })),
  calls: listForm('{"tool_calls":[', ']}'),
  reader: (tools) => ({
    id: 'json',
    openers: ['{'],
    resultOpeners: [],
    mayBeFenced: true,
    begins: beginsObject,
    block: (reply, _opener, fence) => readCallsObject(reply, fence, tools, RESULT),
  }),
});

function renderResult({ result }: ToolResult, label: ResultLabel): string {
  return `${JSON.stringify({ [RESULT.key]: label })}\n${result}\n${RESULT.close}`;
}

function prompt(parts: PromptParts): string {
  const { tools, example, formType, steps } = parts;
  const isObject = formType === 'schema';
  if (isObject && steps === 'one') return stepPrompt(parts);
  const calls = { ...(isObject && { say: '' }), tool_calls: [example] };
  const count = steps === 'one' ? ONE_CALL : 'Several calls go into one list.';
  return [
    `You can call tools. Their signatures, one JSON object per line:\n${tools.join('\n')}`,
    `To call tools, write one JSON object with the key "tool_calls":\n${JSON.stringify(calls)}`,
    rules(
      formType,
      { free: `${STRICT_JSON.free} No code fence around it.` },
      isObject
        ? `${count} Text for the user goes into "say".`
        : `${count} You may write a sentence before the object; write nothing after it.`,
      'The results come back in the next message, each as plain text after {"tool_call_result": …}. Never write results yourself.',
      isObject
        ? 'When nothing is left to do, answer in "say", with an empty list.'
        : 'When nothing is left to do, answer in plain text without such an object.',
    ),
  ].join('\n\n');
}

/** The prompt for one step a reply, which only servers enforce that take a schema. */
function stepPrompt({ tools, example, formType }: PromptParts): string {
  const step = { thought: 'what you do next and why', tool: example.name, arguments: example.arguments };
  const finish = {
    thought: 'why this is the answer',
    tool: FINISH_STEP.name,
    arguments: { answer: 'the answer' },
  };
  return [
    `You can call tools. Their signatures, one JSON object per line:\n${tools.join('\n')}`,
    `Every reply is one step: one JSON object with your thought, one tool and its required arguments:\n${JSON.stringify(step)}`,
    `When nothing is left to do, answer the user:\n${JSON.stringify(finish)}`,
    rules(
      formType,
      'The result comes back in the next message, as plain text after {"tool_call_result": …}. Never write results yourself.',
    ),
  ].join('\n\n');
}
