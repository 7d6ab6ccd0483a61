import { taggedForm } from './grammar/call-grammar';
import { signature, taggedPrompt } from './prompt/tool-prompt';
import { readTaggedJson } from './json/tagged-json';
import type { ToolResult } from '../core/words/messages';
import { textProtocol, type ResultLabel } from './engine/text-protocol';

const TAGS = { open: '<tool_code>', close: '</tool_code>' };
const RESULT = { open: '<tool_result>', close: '</tool_result>' };

/**
 * JSON inside a tag, for models that use tags to separate thoughts and instructions. The JSON protects the closing tag.
 */
export const xml = textProtocol({
  id: 'xml',
  label: 'XML tag',
  description: 'A JSON call inside <tool_code>; for models that are at home with tags.',
  sign: /<tool_code>/,
  describeTool: signature,
  prompt: (parts) => taggedPrompt(parts, TAGS, 'between <tool_result> and </tool_result>'),
  renderCall: ({ id = '', name, arguments: args }) =>
    `${TAGS.open}\n${JSON.stringify({ ...(id !== '' && { id }), name, arguments: args })}\n${TAGS.close}`,
  markers: [TAGS.open, TAGS.close, RESULT.open, RESULT.close, '</content>'],
  renderResult,
  stop: [RESULT.open],
  calls: taggedForm(TAGS),
  reader: () => ({
    id: 'xml',
    openers: [TAGS.open],
    closers: [TAGS.close],
    resultOpeners: [RESULT.open],
    block: (reply) => readTaggedJson(reply, TAGS),
  }),
});

function renderResult({ result }: ToolResult, { name, status }: ResultLabel): string {
  const facts = [
    ...(name === undefined ? [] : [`<name>${name}</name>`]),
    ...(status === undefined ? [] : [`<status>${status}</status>`]),
  ];
  return [RESULT.open, ...facts, result, RESULT.close].join('\n');
}
