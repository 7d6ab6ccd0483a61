import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';
import type { Diagnostic } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { warning, type CallProblem } from '../engine/calls';
import type { Reading } from '../engine/cursor';
import type { OpenFence, ReplyWriter, Span } from '../engine/reader';
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
  type ResultMarks,
} from '../json/json-calls';
import { argumentText } from '../prompt/describe';

/** The keys of an envelope; an object that begins with another key is an answer in JSON. */
export const KEYS = ['reasoning', 'action', 'tool_calls', 'content', 'sql'];

/** Reads an envelope, or leaves another object as text. */
export function* readEnvelope(
  reply: ReplyWriter,
  fence: OpenFence | undefined,
  tools: readonly ToolSpec[] | undefined,
  result: ResultMarks,
): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  const keys: string[] = [];
  const shown = new Set<string>();
  const isEnvelope = (): boolean => KEYS.includes(keys[0] ?? '');
  const candidate = yield* takeObject(cursor, {
    onKey: (key) => keys.push(key),
    onText: (key, piece, isString) => {
      // Inside a fence it may still turn out to be an example.
      if (fence || !isString || !isEnvelope()) return;
      shown.add(key);
      if (key === 'reasoning') reply.reasoning(piece);
      if (key === 'content') reply.text(piece);
    },
    mayBeText: () => fence !== undefined || !isEnvelope(),
  });
  const { stream, text, itemEnds, lines } = candidate;
  if (!fence && [result.key, `${result.key}s`].includes(keys[0] ?? ''))
    return yield* leaveResult(reply, candidate, start, result.close);
  const outside = isEnvelope() ? '' : behindSurroundings(candidate, fence, reply.closers);
  if (outside !== '' && cursor.putBack(outside)) {
    reply.text((fence?.text ?? '') + text.slice(0, text.length - outside.length));
    return false;
  }
  // An object without an end is not one: only its first line is skipped.
  const isOpen = !isEnvelope() && !fence && stream.state !== 'complete';
  if (isOpen && lines !== '' && reply.putBackSwallowed(lines)) {
    reply.text(text.slice(0, text.length - lines.length));
    return false;
  }
  if (!isEnvelope() || (yield* isExample(fence, stream))) {
    reply.text((fence?.text ?? '') + text, fence !== undefined);
    const span = { start, end: cursor.position };
    const lost = keys.includes('tool_calls') ? noEnvelope(span) : bareCall(stream, tools, span);
    if (lost && (!fence || (yield* fence.isDecoration()))) reply.warn(lost);
    return false;
  }
  if (stream.state !== 'complete') {
    const problem = stream.state === 'open' ? UNFINISHED : invalidJson(yield* leaveBroken(reply, candidate));
    reply.rejectCall({ index: reply.startCall(''), name: '', start, end: cursor.position }, problem);
    return true;
  }
  const block = { start, end: cursor.position, itemEnds };
  const read = stream.read();
  if (!read.ok || !isJsonObject(read.value)) {
    const why = read.ok ? 'not an object' : read.message;
    reply.rejectCall({ index: reply.startCall(''), name: '', ...block }, invalidJson(why));
    return true;
  }
  const { reasoning, ...said } = read.value;
  if (!shown.has('reasoning') && typeof reasoning === 'string') reply.reasoning(reasoning);
  if (!shown.has('content')) reply.text(answerOf(read.value));
  if (isAnswered(read.value)) finish(reply, read.value, block, read.repairs);
  else leftOver(reply, said, { start, end: cursor.position });
  return true;
}

/** Whether it has calls or an answer, or claims to. */
function isAnswered(value: JsonObject): boolean {
  return (
    value['action'] === 'tool_call' ||
    listedCalls(value['tool_calls'], []).length > 0 ||
    answerOf(value) !== ''
  );
}

/** Text of an envelope with neither calls nor an answer must not be lost. */
function leftOver(reply: ReplyWriter, said: JsonObject, span: Span): void {
  const others = Object.keys(said).filter((key) => !KEYS.includes(key));
  if (others.length > 0) reply.text(argumentText(said));
  const { action = 'finish' } = said;
  const isCall = others.some((key) => key === 'action_input' || key === 'arguments');
  if (isCall || (action !== null && action !== 'finish'))
    reply.rejectCall({ index: reply.startCall(''), name: '', ...span }, NO_ACTION);
}

function finish(
  reply: ReplyWriter,
  envelope: JsonObject,
  block: { readonly start: number; readonly end: number; readonly itemEnds: readonly number[] },
  readRepairs: readonly string[],
): void {
  const repairs = [...readRepairs];
  const { tool_calls: listed } = envelope;
  const calls = listedCalls(listed, repairs);
  const span = { start: block.start, end: block.end };
  if (calls.length === 0) {
    // With a schema enforced, servers make a model write an empty list beside an answer.
    const isAnswer = isJsonList(listed ?? null) && answerOf(envelope) !== '';
    if (envelope['action'] === 'tool_call' && !isAnswer)
      reply.rejectCall({ index: reply.startCall(''), name: '', ...span }, NO_CALLS);
    return;
  }
  if (envelope['action'] === undefined || envelope['action'] === null) {
    const message = 'The envelope has calls but no "action"; it was read as "tool_call".';
    reply.warn(warning(span, 'missing-action', message, 'Set "action" to "tool_call".'));
  }
  finishCalls(reply, calls, block, repairs);
}

/** The text for the user if none has streamed: `content` that is not a string, else `sql`. */
function answerOf(value: JsonObject): string {
  const found: Json | undefined = [value['content'], value['sql']].find(
    (each) => each !== undefined && each !== null && each !== '',
  );
  return found === undefined ? '' : argumentText(found);
}

const NO_ACTION: CallProblem = {
  code: 'unknown-action',
  message: 'The envelope has no calls and no answer; nothing was run.',
  hint: 'To call tools, set "action" to "tool_call" and list the calls in "tool_calls". To answer, set it to "finish" and write "content".',
};

function noEnvelope(span: Span): Diagnostic {
  const message = 'The object has calls but is not an envelope; none was run.';
  return warning(span, 'no-envelope', message, 'Begin the object with "reasoning" or "action".');
}

const NO_CALLS: CallProblem = {
  code: 'contradiction',
  message: 'The envelope says "tool_call" but has no calls.',
  hint: 'Set "action" to "tool_call" and list the calls, or set it to "finish" and leave "tool_calls" out.',
};
