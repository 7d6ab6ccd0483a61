import { invalidJson, jsonCall, repairNotes } from './json-calls';
import { readJson } from '../base/json-reader';
import { skipBlanks } from './blank';
import { JsonStream } from './json-stream';
import { unfinished } from './problems';
import { READ_AGAIN } from './call-body';
import { warning, type Problem } from './calls';
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
  const isFenced = yield* cursor.sees('```');
  if (isFenced) yield* cursor.upTo(['\n', '{', tags.close], () => undefined);
  yield* skipBlanks(reply);
  if ((yield* cursor.char()) !== '{') {
    const isOver = (yield* cursor.char()) === '';
    yield* skipToEnd(reply, tags);
    reject(isOver ? unfinished(tags.close) : noJson(tags));
    return true;
  }

  const pieces: string[] = [];
  const stream = new JsonStream();
  const isComplete = yield* cursor.through((piece) => {
    const used = stream.push(piece);
    const text = used === undefined ? piece : piece.slice(0, used);
    pieces.push(text);
    reply.delta(index, '', text);
    return used;
  });
  const text = pieces.join('');
  if (!isComplete) {
    // A quote too many turns what is text and what is not around; the first closing tag may have been meant as one.
    const end = text.indexOf(tags.close);
    const isPutBack = end >= 0 && cursor.putBack(text.slice(end + tags.close.length));
    reject(isPutBack ? invalidJson('it ends in the middle') : unfinished(tags.close));
    return true;
  }
  yield* skipBlanks(reply);
  yield* cursor.takes('```');
  yield* skipBlanks(reply);
  if (!(yield* cursor.takes(tags.close))) {
    const isOver = (yield* cursor.char()) === '';
    yield* skipToEnd(reply, tags);
    reject(isOver ? unfinished(tags.close) : invalidJson(`there is text between it and ${tags.close}`));
    return true;
  }
  const read = readJson(text);
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
  if (isFenced)
    notes.push(warning(span, 'fence', 'Left out the code fence around the JSON.', 'Write no fence in it.'));
  if (cursor.isReadAgain) notes.push(warning(span, READ_AGAIN.code, READ_AGAIN.message, READ_AGAIN.hint));
  const { id, name } = call;
  reply.finish({ ...span, index, id, name, arguments: call.arguments, notes, repaired: notes.length > 0 });
  return true;
}

/** Goes behind the closing tag, or in front of the next opening one, whichever comes first. */
export function* skipToEnd({ cursor }: ReplyWriter, tags: Tags): Reading<void> {
  const found = yield* cursor.upTo([tags.close, tags.open], () => undefined);
  if (found === tags.close) cursor.take(tags.close.length);
}

function noJson({ open, close }: Tags): Problem {
  return {
    code: 'not-json',
    message: `What stands in ${open} is no JSON object.`,
    hint: `Write ${open}{"name": "…", "arguments": {…}}${close}, no program code.`,
  };
}
