import { isJsonList, isJsonObject, type Json } from '../base/json';
import type { ToolResult } from '../core/messages';
import type { ToolSpec } from '../core/tool';
import type { Reading } from './cursor';
import { exampleArguments, exampleTool } from './describe';
import { invalidJson, jsonCall, repairNotes } from './json-calls';
import { beginsObject, isExample, leaveBroken, takeObject } from './json-candidate';
import { signatures } from './json-prompt';
import type { OpenFence, ReplyWriter } from './text-parser';
import { textProtocol } from './text-protocol';

/** An object with `tool_calls` in the open or in a fence, and results as user messages: the JSON_Strict strategy. */
export const json = textProtocol({
  id: 'json',
  label: 'JSON',
  description: 'A strict {"tool_calls": […]} object; for models that write JSON well.',
  describeTools,
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

function describeTools(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  const tool = exampleTool(tools);
  const example = { tool_calls: [{ name: tool.name, arguments: exampleArguments(tool) }] };
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n${signatures(tools)}`,
    `To call tools, write one JSON object with the key "tool_calls":\n${JSON.stringify(example)}`,
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
  const seen = { calls: false };
  const { stream, text, itemEnds } = yield* takeObject(cursor, {
    onKey: (key) => (seen.calls ||= key === 'tool_calls'),
    mayBeText: ({ list }) => fence !== undefined || !(seen.calls && list === 'tool_calls'),
  });
  // Also in what was misread: a quote too many, and the key stands outside of what seemed to be strings.
  const isMeant = seen.calls || /"tool_calls"\s*[:：]/.test(text);
  if (!isMeant || (yield* isExample(fence, stream))) {
    reply.text((fence?.text ?? '') + text);
    return false;
  }
  if (stream.state !== 'complete') {
    const problem = stream.state === 'open' ? UNFINISHED : invalidJson(yield* leaveBroken(cursor, stream));
    reply.reject({ index: reply.begin(''), name: '', start, end: cursor.position }, problem);
    return true;
  }
  const end = cursor.position;
  const read = stream.read();
  if (!read.ok) {
    reply.reject({ index: reply.begin(''), name: '', start, end }, invalidJson(read.message));
    return true;
  }
  const calls = isJsonObject(read.value) ? read.value['tool_calls'] : undefined;
  if (calls === undefined || !isJsonList(calls) || calls.length === 0) {
    reply.text((fence?.text ?? '') + text);
    return false;
  }
  calls.forEach((item, number) => {
    // The block is cut behind each of its items; what stands around them belongs to the first and the last.
    const from = number === 0 ? start : start + (itemEnds[number - 1] ?? end - start);
    const to = number === calls.length - 1 ? end : start + (itemEnds[number] ?? end - start);
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
