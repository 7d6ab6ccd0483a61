import { isJsonObject } from '../base/json';
import { readJson } from '../base/json-reader';
import type { ToolResult } from '../core/messages';
import type { Cursor, Reading } from './cursor';
import { dropInvented, isInvented } from './invented-result';
import { callsOf, finishCalls, invalidJson, UNFINISHED } from './json-calls';
import { beginsObject, takeObject } from './json-candidate';
import { signature } from './json-prompt';
import type { OpenFence, ReplyWriter } from './text-parser';
import { textProtocol } from './text-protocol';
import type { PromptParts } from './tool-prompt';

/** An object with `tool_calls` in the open or in a fence, and results as user messages: the JSON_Strict strategy. */
export const json = textProtocol({
  id: 'json',
  label: 'JSON',
  description: 'A strict {"tool_calls": […]} object; for models that write JSON well.',
  describeTool: signature,
  prompt,
  renderCall: ({ id, name, arguments: args }) =>
    JSON.stringify({ tool_calls: [{ id, name, arguments: args }] }),
  renderResults: (results) => results.map(renderResult).join('\n'),
  stop: ['{"tool_call_result"'],
  grammar: () => ({
    id: 'json',
    openers: ['{'],
    resultOpeners: [],
    mayBeFenced: true,
    begins: beginsObject,
    block: (reply, _opener, fence) => readBlock(reply, fence),
  }),
});

function renderResult({ requestId, toolName, status, result }: ToolResult): string {
  return JSON.stringify({ tool_call_result: { toolCallId: requestId, name: toolName, status, result } });
}

function prompt({ tools, example }: PromptParts): string {
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n${tools.join('\n')}`,
    `To call tools, write one JSON object with the key "tool_calls":\n${JSON.stringify({ tool_calls: [example] })}`,
    `Rules:
- Strict JSON: line breaks in a text are written \\n, quotes \\" and backslashes \\\\. No code fence around it.
- Several calls go into the one list. You may write a sentence before the object; write nothing behind it.
- Each result comes back in a user message as {"tool_call_result": {"toolCallId": …, "result": …}}. Never write results yourself.
- When nothing is left to do, answer in plain text without such an object.`,
  ].join('\n\n');
}

function* readBlock(reply: ReplyWriter, fence: OpenFence | undefined): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const { text, isComplete } = yield* takeObject(cursor);
  if (!fence && isInvented(reply, 'tool_call_result', text)) return yield* dropInvented(reply, start);
  const asText = (): false => {
    reply.text((fence?.text ?? '') + text);
    return false;
  };
  if (!CALLS.test(text) || (fence && isComplete && !(yield* fence.isDecoration()))) return asText();
  const read = readJson(text);
  if (!read.ok) {
    const block = fence || read.isCutOff ? text : firstBlock(text, cursor);
    if (!CALLS.test(block)) {
      reply.text(block);
      return false;
    }
    const problem = read.isCutOff ? UNFINISHED : invalidJson(read.message);
    reply.reject({ index: reply.begin(''), name: '', start, end: cursor.position }, problem);
    return true;
  }
  const repairs = [...read.repairs];
  const calls = isJsonObject(read.value) ? callsOf(read.value['tool_calls'], repairs) : [];
  if (calls.length === 0) return asText();
  finishCalls(reply, calls, { text, start }, repairs);
  return true;
}

/** A sign that an object is meant for calls, where it cannot be read. */
const CALLS = /["'“]tool_calls["'”]\s*[:：]/;
const NEXT_BLOCK = /\n[ \t]*\{\s*["'“]tool_calls["'”]/;

/** What cannot be read may have swallowed the next object, which begins on a line of its own; that one is read anew. */
function firstBlock(text: string, cursor: Cursor): string {
  const next = text.search(NEXT_BLOCK);
  return next > 0 && cursor.putBack(text.slice(next)) ? text.slice(0, next) : text;
}
