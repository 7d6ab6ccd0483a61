import { listForm, type CallRules } from '../grammar/call-grammar';
import { optional, sequence } from '../grammar/rules';
import { callsSchema } from '../grammar/strict-schema';
import type { Rule } from '../../core/words/grammar';
import type { ToolResult } from '../../core/words/messages';
import type { RenderedPart } from '../../core/words/protocol';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import { beginsObject } from '../json/json-calls';
import { BRIEFLY, describeBriefly } from '../prompt/describe';
import { ONE_CALL, rules, STRICT_JSON, type PromptParts } from '../prompt/tool-prompt';
import { readEnvelope } from './read-envelope';

const RESULT = { key: 'tool_result', close: '{"end":"tool_result"}' };

/** The whole reply is one object with `action`: for services that guarantee only a JSON answer. */
export const envelope = textProtocol({
  id: 'envelope',
  label: 'JSON envelope',
  description: 'The whole reply is one JSON object with an action; for services that return JSON only.',
  // If the reply is the object, it may have its calls before its action.
  sign: /(?:^\s*(?:```\w*\s*)?\{[^]*)?"action"\s*:\s*"(?:tool_call|finish)"/,
  describeTool: describeBriefly,
  prompt,
  renderWhole,
  markers: ['{"action"', '{"reasoning"', '{"tool_result"', RESULT.close],
  renderResult,
  stop: [],
  schema: (tools) =>
    callsSchema(tools, (calls) => ({
      action: { enum: ['tool_call', 'finish'] },
      content: { type: 'string' },
      tool_calls: calls,
    })),
  calls: {
    ...listForm('', ']}'),
    open: (rules) => {
      const said = optional(sequence('"content":', rules.jsonText(), ','));
      return sequence('{', reasoning(rules), '"action":"tool_call",', said, '"tool_calls":[');
    },
    answer: (rules) => sequence('{', reasoning(rules), '"action":"finish","content":', rules.jsonText(), '}'),
  },
  reader: (tools) => ({
    id: 'envelope',
    openers: ['{'],
    resultOpeners: [],
    mayBeFenced: true,
    begins: beginsObject,
    block: (reply, _opener, fence) => readEnvelope(reply, fence, tools, RESULT),
  }),
});

function reasoning(rules: CallRules): Rule {
  return optional(sequence('"reasoning":', rules.jsonText(), ','));
}

/** One object, as the prompt asks for: a history in another form would teach the model that form. */
function renderWhole(parts: readonly RenderedPart[]): string {
  const content = parts
    .flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    .filter(Boolean)
    .join('\n\n');
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []));
  if (calls.length === 0) return content === '' ? '' : JSON.stringify({ action: 'finish', content });
  return JSON.stringify({
    action: 'tool_call',
    ...(content !== '' && { content }),
    tool_calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  });
}

function renderResult({ result }: ToolResult, label: ResultLabel): string {
  return `${JSON.stringify({ [RESULT.key]: label })}\n${result}\n${RESULT.close}`;
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  const call = { reasoning: 'why this call', action: 'tool_call', tool_calls: [example] };
  return [
    `You can call these tools. ${BRIEFLY}\n${tools.join('\n')}`,
    `Answer with one JSON object only. To call tools:\n${JSON.stringify(call)}`,
    `When nothing is left to do:\n${JSON.stringify({ reasoning: 'why this is the answer', action: 'finish', content: 'the answer for the user' })}`,
    rules(
      formType,
      { free: STRICT_JSON.free.replace(':', ' and nothing around it:') },
      ...(steps === 'one' ? [ONE_CALL] : []),
      'The results come back in the next message, each as plain text after {"tool_result": …}. Never write results yourself.',
    ),
  ].join('\n\n');
}
