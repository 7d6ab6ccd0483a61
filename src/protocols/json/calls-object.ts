import { isJsonList, isJsonObject, type Json } from '../../base/json';
import type { ToolSpec } from '../../core/words/tool';
import type { CallProblem } from '../engine/calls';
import type { Cursor, Reading } from '../engine/cursor';
import type { OpenFence, ReplyWriter } from '../engine/reader';

import {
  bareCall,
  behindSurroundings,
  finishCalls,
  invalidJson,
  isExample,
  leaveBroken,
  leaveResult,
  listedCalls,
  takeObject,
  UNFINISHED,
  type Candidate,
  type ResultMarks,
} from './json-calls';
import type { JsonStream } from './json-stream';
import { sayStep, stepIn } from './step-object';

/** Reads an object with `tool_calls`, or leaves another object as text. */
export function* readCallsObject(
  reply: ReplyWriter,
  fence: OpenFence | undefined,
  tools: readonly ToolSpec[] | undefined,
  result: ResultMarks,
): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const keys: string[] = [];
  const candidate = yield* takeObject(cursor, {
    onKey: (key) => keys.push(key),
    mayBeText: ({ list }) => fence !== undefined || !(list === 'tool_calls' && keys.includes('tool_calls')),
  });
  const { stream, text, itemEnds, lines } = candidate;
  if (!fence && keys[0] === result.key) return yield* leaveResult(reply, candidate, start, result.close);
  const asText = function* (): Reading<false> {
    reply.text((fence?.text ?? '') + text, fence !== undefined);
    const bare = bareCall(stream, tools, { start, end: cursor.position });
    if (bare && (!fence || (yield* fence.isDecoration()))) reply.warn(bare);
    return false;
  };
  const outside = behindSurroundings(candidate, fence, reply.closers);
  const inside = text.slice(0, text.length - outside.length);
  if (outside !== '' && !CALLS.test(inside) && cursor.putBack(outside)) {
    reply.text((fence?.text ?? '') + inside);
    return false;
  }
  // Also in misread text: after an extra quote, the key is outside of what seemed to be strings.
  const isMeant = keys.includes('tool_calls') || CALLS.test(text);
  const swallowed = yield* beginningOfNext(cursor, stream, lines);
  // An object without an end is not one: only its first line is skipped.
  const isOpen = !isMeant && !fence && stream.state !== 'complete';
  if (isOpen && lines !== '' && reply.putBackSwallowed(lines)) {
    reply.text(text.slice(0, text.length - lines.length));
    return false;
  }
  const step = isMeant ? undefined : stepIn(stream, tools);
  if (!(isMeant || step) || (yield* isExample(fence, stream))) return yield* asText();
  if (step) {
    sayStep(reply, step);
    if (step.call) finishCalls(reply, [step.call], { start, end: cursor.position, itemEnds: [] }, []);
    return true;
  }
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
  // With a schema enforced, this is what a model says beside its calls, or without any.
  if (typeof say === 'string' && (calls.length > 0 || isEmptyList(listed))) reply.text(say);
  else if (calls.length === 0) return yield* asText();
  finishCalls(reply, calls, block, repairs);
  return true;
}

function isEmptyList(listed: Json): boolean {
  return isJsonList(listed) && listed.length === 0;
}

/** A sign that an unreadable object is meant for calls. */
const CALLS = /["'“]tool_calls["'”]\s*[:：]/;

/** The beginning of the next object, on its own line, that a broken object contains. */
function* beginningOfNext(cursor: Cursor, stream: JsonStream, lines: string): Reading<string> {
  if (stream.state !== 'broken') return '';
  const next = lines.search(/\n[ \t]*\{\s*["'“]$/);
  return next >= 0 && (yield* cursor.sees('tool_calls')) ? lines.slice(next) : '';
}

/** Leaves a broken object, at the next object if it contains that one's beginning. Returns the problem. */
function* leave(reply: ReplyWriter, broken: Candidate, swallowed: string): Reading<CallProblem> {
  if (swallowed !== '' && reply.putBackSwallowed(swallowed)) return invalidJson('a string is not closed');
  return invalidJson(yield* leaveBroken(reply, broken));
}
