import type { ToolResult } from '../core/words/messages';
import { signature, taggedPrompt } from './prompt/tool-prompt';
import { readTaggedJson } from './json/tagged-json';
import { textProtocol } from './engine/text-protocol';

const TAGS = { open: '<tool_code>', close: '</tool_code>' };

/** JSON inside a tag, for models that keep thoughts and instructions apart by tags. The JSON protects the closing tag. */
export const xml = textProtocol({
  id: 'xml',
  label: 'XML tag',
  description: 'A JSON call inside <tool_code>; for models that are at home with tags.',
  sign: /<tool_code>/,
  describeTool: signature,
  prompt: (parts) => taggedPrompt(parts, TAGS, 'between <tool_result> and </tool_result>'),
  renderCall: ({ id, name, arguments: args }) =>
    `${TAGS.open}\n${JSON.stringify({ id, name, arguments: args })}\n${TAGS.close}`,
  renderResults: (results) => results.map(renderResult).join('\n'),
  stop: ['<tool_result>'],
  reader: () => ({
    id: 'xml',
    openers: [TAGS.open],
    resultOpeners: ['<tool_result>'],
    block: (reply) => readTaggedJson(reply, TAGS),
  }),
});

function renderResult({ requestId, toolName, status, result }: ToolResult): string {
  return `<tool_result>\n<id>${requestId}</id>\n<name>${toolName}</name>\n<status>${status}</status>\n<content>${result}</content>\n</tool_result>`;
}
