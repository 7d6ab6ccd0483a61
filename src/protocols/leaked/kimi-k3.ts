import { isJsonObject, type Json } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { Reader } from '../engine/reader';
import { decodeEntities } from '../engine/tags';

/** Kimi K3: elements between special tokens, one for each argument. The outermost one, or its end, may be missing. */
export const kimiK3: Reader = {
  id: 'kimi-k3',
  openers: ['<|open|>'],
  resultOpeners: [],
  *begins(cursor, opener, _isLineStart, offset = 0) {
    const from = offset + opener.length;
    yield* cursor.need(from + NAME);
    return BEGINS.test(cursor.unread.slice(from, from + NAME));
  },
  *block(reply) {
    const { cursor } = reply;
    const start = cursor.position;
    const pieces: string[] = [];
    const end = yield* cursor.upTo(ENDS, (piece) => pieces.push(piece));
    if (end !== undefined) cursor.take(end.length);
    const text = pieces.join('');
    const [head = ''] = TOOLS.exec(text) ?? [];
    const calls = matching(CALL, text.slice(head.length));
    let callStart = start;
    // Its content is part of it, even if it is incomplete.
    if (!calls || calls.length === 0) reply.startCall('');
    for (const call of calls ?? []) {
      const [whole, attributes = '', body = ''] = call;
      const name = attributesOf(attributes).get('tool') ?? '';
      // The surrounding text belongs to the first and the last call.
      const callEnd =
        call === calls?.at(-1) ? cursor.position : start + head.length + call.index + whole.length;
      const span = { index: reply.startCall(name), start: callStart, end: callEnd };
      callStart = callEnd;
      const values = valuesIn(body);
      if (name === '' || !values) return false;
      reply.endCall({ ...span, name, arguments: Object.fromEntries(values) });
    }
    return calls !== undefined && calls.length > 0;
  },
};

/** How far to search for a name. */
const NAME = 16;
const BEGINS = /^\s*(?:tools|call)\b/;
const TOOLS = /^<\|open\|>\s*tools\b[^<]*<\|sep\|>/;
/** A message has nothing after its calls. */
const ENDS = [
  '<|close|>tools<|sep|>',
  '<|close|> tools <|sep|>',
  '<|close|>message<|sep|>',
  '<|end_of_msg|>',
];
const CALL = /\s*<\|open\|>\s*call\b([^<]*)<\|sep\|>([^]*?)<\|close\|>\s*call\s*<\|sep\|>/gy;
const VALUE = /\s*<\|open\|>\s*(argument|json)\b([^<]*)<\|sep\|>([^]*?)<\|close\|>\s*\1\s*<\|sep\|>/gy;

/** The matches that a text consists of; `undefined` if there is other text between them. */
function matching(pattern: RegExp, text: string): readonly RegExpExecArray[] | undefined {
  const found = [...text.matchAll(pattern)];
  const end = found.reduce((length, [whole]) => length + whole.length, 0);
  return text.slice(end).trim() === '' ? found : undefined;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/(\w+)="([^"]*)"/g)];
  return new Map(found.map(([, key = '', value = '']) => [key, decodeEntities(value)]));
}

/** The arguments by name; `undefined` if they are incomplete. */
function valuesIn(body: string): ReadonlyMap<string, Json> | undefined {
  const values = new Map<string, Json>();
  const found = matching(VALUE, body);
  if (!found) return undefined;
  for (const [, element, written = '', text = ''] of found) {
    const attributes = attributesOf(written);
    const read = readJson(text);
    const value = read.ok && attributes.get('type') !== 'string' ? read.value : text;
    const all = element === 'json' && isJsonObject(value) ? value : { [attributes.get('key') ?? '']: value };
    for (const [key, each] of Object.entries(all)) {
      if (key === '' || values.has(key)) return undefined;
      values.set(key, each);
    }
  }
  return values;
}
