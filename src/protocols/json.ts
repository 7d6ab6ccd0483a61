import { listForm } from './grammar/call-grammar';
import { callsSchema } from './grammar/strict-schema';
import { isJsonList, isJsonObject, type Json } from '../base/json';
import type { ToolResult } from '../core/words/messages';
import type { ToolSpec } from '../core/words/tool';
import type { CallProblem } from './engine/calls';
import type { Cursor, Reading } from './engine/cursor';
import type { OpenFence, ReplyWriter } from './engine/reader';
import { textProtocol, type ResultLabel } from './engine/text-protocol';
import { dropInvented, isInvented } from './engine/trial';
import {
  bareCall,
  beginsObject,
  behindSurroundings,
  finishCalls,
  invalidJson,
  isExample,
  leaveBroken,
  listedCalls,
  takeObject,
  UNFINISHED,
  type Candidate,
} from './json/json-calls';
import type { JsonStream } from './json/json-stream';
import { rules, STRICT_JSON, signature, type PromptParts } from './prompt/tool-prompt';

/** An object with `tool_calls` in the open or in a fence, and results as user messages: the JSON_Strict strategy. */
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
  renderCall: ({ id, name, arguments: args }) =>
    JSON.stringify({ tool_calls: [{ id, name, arguments: args }] }),
  markers: ['{"tool_calls"', '{"tool_call_result"'],
  renderResult,
  stop: ['{"tool_call_result"'],
  schema: (tools) => callsSchema(tools, (calls) => ({ say: { type: 'string' }, tool_calls: calls })),
  calls: listForm('{"tool_calls":[', ']}'),
  reader: (tools) => ({
    id: 'json',
    openers: ['{'],
    resultOpeners: [],
    mayBeFenced: true,
    begins: beginsObject,
    block: (reply, _opener, fence) => readCallsObject(reply, fence, tools),
  }),
});

function renderResult({ result }: ToolResult, label: ResultLabel): string {
  return `${JSON.stringify({ tool_call_result: label })}\n${result}`;
}

function prompt({ tools, example, held }: PromptParts): string {
  const isObject = held === 'schema';
  const calls = { ...(isObject && { say: '' }), tool_calls: [example] };
  return [
    `You can call tools. These are their signatures, one JSON object a line:\n${tools.join('\n')}`,
    `To call tools, write one JSON object with the key "tool_calls":\n${JSON.stringify(calls)}`,
    rules(
      held,
      { free: `${STRICT_JSON.free} No code fence around it.` },
      isObject
        ? 'Several calls go into the one list. What the user is to read stands in "say".'
        : 'Several calls go into the one list. You may write a sentence before the object; write nothing behind it.',
      'The results come back in the next message, each as plain text behind {"tool_call_result": …}. Never write results yourself.',
      isObject
        ? 'When nothing is left to do, answer in "say", with an empty list.'
        : 'When nothing is left to do, answer in plain text without such an object.',
    ),
  ].join('\n\n');
}

function* readCallsObject(
  reply: ReplyWriter,
  fence: OpenFence | undefined,
  tools: readonly ToolSpec[] | undefined,
): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const keys: string[] = [];
  const candidate = yield* takeObject(cursor, {
    onKey: (key) => keys.push(key),
    mayBeText: ({ list }) => fence !== undefined || !(list === 'tool_calls' && keys.includes('tool_calls')),
  });
  const { stream, text, itemEnds, lines } = candidate;
  if (!fence && isInvented(reply, 'tool_call_result', keys)) return yield* dropInvented(reply, start);
  const asText = (): false => {
    reply.text((fence?.text ?? '') + text);
    const bare = fence ? undefined : bareCall(stream, tools, { start, end: cursor.position });
    if (bare) reply.warn(bare);
    return false;
  };
  const outside = behindSurroundings(candidate, fence, reply.closers);
  const inside = text.slice(0, text.length - outside.length);
  if (outside !== '' && !CALLS.test(inside) && cursor.putBack(outside)) {
    reply.text((fence?.text ?? '') + inside);
    return false;
  }
  // Also in what was misread: a quote too many, and the key stands outside of what seemed to be strings.
  const isMeant = keys.includes('tool_calls') || CALLS.test(text);
  const swallowed = yield* beginningOfNext(cursor, stream, lines);
  // What has no end is no object: only its first line is looked past.
  const isOpen = !isMeant && !fence && stream.state !== 'complete';
  if (isOpen && lines !== '' && reply.putBackSwallowed(lines)) {
    reply.text(text.slice(0, text.length - lines.length));
    return false;
  }
  if (!isMeant || (yield* isExample(fence, stream))) return asText();
  if (stream.state !== 'complete') {
    const problem = stream.state === 'open' ? UNFINISHED : yield* leave(reply, candidate, swallowed);
    reply.rejectCall({ index: reply.startCall(''), name: '', start, end: cursor.position }, problem);
    return true;
  }
  const block = { start, end: cursor.position, itemEnds };
  const read = stream.read();
  if (!read.ok) {
    reply.rejectCall({ index: reply.startCall(''), name: '', ...block }, invalidJson(read.message));
    return true;
  }
  const repairs = [...read.repairs];
  const { say, tool_calls: listed = null } = isJsonObject(read.value) ? read.value : {};
  const calls = listedCalls(listed, repairs);
  // What servers that hold a reply to a schema let a model say beside its calls, or without any.
  if (typeof say === 'string' && (calls.length > 0 || isEmptyList(listed))) reply.text(say);
  else if (calls.length === 0) return asText();
  finishCalls(reply, calls, block, repairs);
  return true;
}

function isEmptyList(listed: Json): boolean {
  return isJsonList(listed) && listed.length === 0;
}

/** A sign that an object is meant for calls, where it cannot be read. */
const CALLS = /["'“]tool_calls["'”]\s*[:：]/;

/** What a broken object has swallowed of the next one, which begins on a line of its own. */
function* beginningOfNext(cursor: Cursor, stream: JsonStream, lines: string): Reading<string> {
  if (stream.state !== 'broken') return '';
  const next = lines.search(/\n[ \t]*\{\s*["'“]$/);
  return next >= 0 && (yield* cursor.sees('tool_calls')) ? lines.slice(next) : '';
}

/** Leaves a broken object behind, at the next one if it has swallowed the beginning of that. Returns what is wrong. */
function* leave(reply: ReplyWriter, broken: Candidate, swallowed: string): Reading<CallProblem> {
  if (swallowed !== '' && reply.putBackSwallowed(swallowed)) return invalidJson('a string is not closed');
  return invalidJson(yield* leaveBroken(reply, broken));
}
