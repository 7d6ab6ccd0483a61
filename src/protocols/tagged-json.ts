import { invalidJson, jsonCall, repairNotes } from './json-calls';
import { whyBroken } from './json-candidate';
import { JsonStream } from './json-stream';
import type { Problem } from './calls';
import type { Reading } from './cursor';
import type { ReplyWriter } from './text-parser';

export interface Tags {
  readonly open: string;
  readonly close: string;
}

/**
 * Reads `<tag> {"name": …, "arguments": …} </tag>`, the cursor on the opening tag. The end is found by reading the
 * JSON, so that a closing tag inside a string is data. A code fence around the JSON is decoration.
 */
export function* readTaggedJson(reply: ReplyWriter, tags: Tags): Reading<true> {
  const { cursor } = reply;
  const start = cursor.position;
  cursor.take(tags.open.length);
  const index = reply.begin('');
  const reject = (problem: Problem, name = ''): void =>
    reply.reject({ index, name, start, end: cursor.position }, problem);

  yield* skipBlanks(reply);
  if (yield* cursor.sees('```')) yield* cursor.upTo(['\n', '{'], () => undefined);
  yield* skipBlanks(reply);
  if ((yield* cursor.char()) !== '{') {
    const isOver = (yield* cursor.char()) === '';
    yield* skipToEnd(reply, tags);
    reject(isOver ? unfinished(tags) : noJson(tags));
    return true;
  }

  const stream = new JsonStream();
  yield* cursor.through((piece) => {
    const used = stream.push(piece);
    reply.delta(index, '', used === undefined ? piece : piece.slice(0, used));
    return used;
  });
  if (stream.state === 'open') {
    reject(unfinished(tags));
    return true;
  }
  if (stream.state === 'broken') {
    const why = whyBroken(stream, yield* cursor.char());
    yield* skipToEnd(reply, tags);
    reject(invalidJson(why));
    return true;
  }
  yield* skipBlanks(reply);
  yield* cursor.takes('```');
  yield* skipBlanks(reply);
  if (!(yield* cursor.takes(tags.close))) {
    const isOver = (yield* cursor.char()) === '';
    yield* skipToEnd(reply, tags);
    reject(isOver ? unfinished(tags) : invalidJson(`there is text between it and ${tags.close}`));
    return true;
  }
  const read = stream.read();
  if (!read.ok) {
    reject(invalidJson(read.message));
    return true;
  }
  const call = jsonCall(read.value);
  if (!call.ok) {
    reject(call.problem, call.name);
    return true;
  }
  const span = { start, end: cursor.position };
  const notes = repairNotes(span, [...read.repairs, ...call.repairs]);
  const { id, name } = call;
  reply.finish({ ...span, index, id, name, arguments: call.arguments, notes, repaired: notes.length > 0 });
  return true;
}

/** Goes behind the closing tag, or in front of the next opening one, whichever comes first. */
export function* skipToEnd({ cursor }: ReplyWriter, tags: Tags): Reading<void> {
  const found = yield* cursor.upTo([tags.close, tags.open], () => undefined);
  if (found === tags.close) cursor.take(tags.close.length);
}

export function* skipBlanks({ cursor }: ReplyWriter): Reading<void> {
  yield* cursor.takeWhile((char) => /[\s\u200b-\u200d\u2060\ufeff]/.test(char), Infinity);
}

export function unfinished({ close }: Tags): Problem {
  return {
    code: 'unfinished',
    message: 'The call was not finished before the reply ended.',
    hint: `Send it again, ending with ${close}; write long files in several steps.`,
  };
}

function noJson({ open, close }: Tags): Problem {
  return {
    code: 'not-json',
    message: `What stands in ${open} is no JSON object.`,
    hint: `Write ${open}{"name": "…", "arguments": {…}}${close}, no program code.`,
  };
}
