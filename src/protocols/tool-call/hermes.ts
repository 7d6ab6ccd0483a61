import { taggedForm } from '../grammar/call-grammar';
import { signature, taggedPrompt } from '../prompt/tool-prompt';
import { TOOL_CALL } from './marks';
import { FAMILY, toolCallReader } from './tool-call-family';
import { textProtocol } from '../engine/text-protocol';

/** JSON inside `<tool_call>`: what Hermes, Qwen2.5, Qwen3, Granite 4 and many fine-tunes were trained on. */
export const hermes = textProtocol({
  id: 'hermes',
  label: 'Hermes',
  description: 'A JSON call inside <tool_call>; Qwen and Hermes models are trained on it.',
  // Replies of the whole family: one parser reads them.
  sign: /<(?:seed:|longcat_|ifm\|)?tool_call[:>]|<function=/,
  suits: { fallback: /^(?:qwen|qwq|hermes|nous-hermes|granite-?4|ernie|reka|trinity|smollm3|ling|bielik)/ },
  describeTool: signature,
  prompt: (parts) => taggedPrompt(parts, TOOL_CALL, 'between <tool_response> and </tool_response>'),
  renderCall: ({ name, arguments: args }) =>
    `${TOOL_CALL.open}\n${JSON.stringify({ name, arguments: args })}\n${TOOL_CALL.close}`,
  ...FAMILY,
  calls: taggedForm(TOOL_CALL),
  reader: (tools) => toolCallReader('hermes', tools),
});
