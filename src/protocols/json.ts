import { isJsonList, isJsonObject, type Json } from '../base/json';
import type { ToolResult } from '../core/messages';
import type { Reading } from './cursor';
import { invalidJson, jsonCall, repairNotes } from './json-calls';
import { beginsObject, itemEnds, takeObject } from './json-candidate';
import { signature } from './json-prompt';
import { readJson } from '../base/json-reader';
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
    block: readBlock,
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

function* readBlock(reply: ReplyWriter, _opener: string, fence: OpenFence | undefined): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const { text, isComplete } = yield* takeObject(cursor);
  const end = cursor.position;
  const isMeant = /"tool_calls"\s*[:：]/.test(text);
  if (!isMeant || (fence && isComplete && !(yield* fence.isDecoration()))) {
    reply.text((fence?.text ?? '') + text);
    return false;
  }
  const read = readJson(text);
  if (!read.ok) {
    const index = reply.begin('');
    reply.reject({ index, name: '', start, end }, isComplete ? invalidJson(read.message) : UNFINISHED);
    return true;
  }
  const calls = isJsonObject(read.value) ? read.value['tool_calls'] : undefined;
  if (calls === undefined || !isJsonList(calls) || calls.length === 0) {
    reply.text((fence?.text ?? '') + text);
    return false;
  }
  const ends = itemEnds(text);
  calls.forEach((item, number) => {
    // The block is cut behind each of its items; what stands around them belongs to the first and the last.
    const from = number === 0 ? start : start + (ends[number - 1] ?? text.length);
    const to = number === calls.length - 1 ? end : start + (ends[number] ?? text.length);
    finishItem(reply, item, { start: from, end: to }, read.repairs);
  });
  return true;
}

export function finishItem(
  reply: ReplyWriter,
  item: Json,
  span: { readonly start: number; readonly end: number },
  repairs: readonly string[],
): void {
  const call = jsonCall(item);
  const index = reply.begin(call.name);
  if (!call.ok) {
    reply.reject({ ...span, index, name: call.name }, call.problem);
    return;
  }
  const notes = repairNotes(span, [...repairs, ...call.repairs]);
  const { id, name } = call;
  reply.finish({ ...span, index, id, name, arguments: call.arguments, notes, repaired: notes.length > 0 });
}

export const UNFINISHED = {
  code: 'unfinished',
  message: 'The call was not finished before the reply ended.',
  hint: 'Send the whole object again; write long files in several steps.',
};
