import { isJsonObject, type Json } from '../../base/json';
import { readJson } from '../../base/json-reader';
import type { ToolSpec } from '../../core/words/tool';
import { findTool } from '../engine/calls';
import { isBlank, type Cursor, type Reading } from '../engine/cursor';
import { headerHere, HEADER_OPENERS } from '../engine/messages';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { finishNamed, readCalls, takeName, takesMark } from './calls';
import { fromHead } from './frames';

/** Calls that are messages of their own: gpt-oss (harmony), Inkling and Kimi K3. */
export function messages(tools: readonly ToolSpec[] = []): readonly Reader[] {
  return [
    {
      id: 'kimi-k3',
      openers: ['<|open|>'],
      resultOpeners: [],
      *begins(cursor, opener, _isLineStart, offset = 0) {
        const [word = ''] = TOOLS.exec(yield* markAt(cursor, opener, offset)) ?? [];
        return word !== '';
      },
      block: readKimiK3,
    },
    {
      id: 'inkling',
      openers: HEADER_OPENERS.filter((opener) => /message_model|tool_json/.test(opener)),
      resultOpeners: [],
      begins: isCallHeader,
      *block(reply) {
        reply.cursor.take((yield* headerHere(reply.cursor))?.length ?? 0);
        return yield* readCalls(reply, { closers: ['<|end_message|>'] });
      },
    },
    {
      id: 'harmony',
      openers: HEADER_OPENERS.filter((opener) => /^to=|start|channel/.test(opener)),
      resultOpeners: [],
      begins: isCallHeader,
      *block(reply) {
        const { cursor } = reply;
        const start = cursor.position;
        const { length = 0, recipient = '' } = (yield* headerHere(cursor)) ?? {};
        cursor.take(length);
        const { name } = fromHead(recipient);
        if (!(yield* finishNamed(reply, { name, start }))) return false;
        yield* takesMark(cursor, ['<|call|>', '<|end|>']);
        return true;
      },
    },
    {
      id: 'harmony',
      openers: ['=functions.'],
      resultOpeners: [],
      standsAlone: true,
      block: (reply) => readWithoutMarks(reply, tools),
    },
  ];
}

/** Whether the header is that of a call, whose body is not one in tags. */
function* isCallHeader(cursor: Cursor): Reading<boolean> {
  const header = yield* headerHere(cursor);
  return header?.kind === 'call' && !(yield* cursor.sees('<', header.length));
}

/** `…assistantcommentary to=functions.read json{…}`: what is left of messages whose marks were dropped. */
function* readWithoutMarks(reply: ReplyWriter, tools: readonly ToolSpec[]): Reading<boolean> {
  const { cursor } = reply;
  do {
    const start = cursor.position;
    yield* takesMark(cursor, NEXT);
    const word = yield* takeName(cursor);
    // The type of the body may be glued to the name.
    const name = findTool(tools, word) ? word : word.replace(/(?:json|code)$/, '');
    yield* takesMark(cursor, ['json', 'code']);
    if (!(yield* finishNamed(reply, { name, start }))) return false;
  } while (yield* seesNext(cursor));
  return true;
}

const NEXT = ['assistantcommentary to=functions.', 'commentary to=functions.', '=functions.'];

function* seesNext(cursor: Cursor): Reading<boolean> {
  for (const next of NEXT) if (yield* cursor.sees(next)) return true;
  return false;
}

const MARK_LIMIT = 1024;
const SEPARATOR = '<|sep|>';
const TOOLS = /^\s*(?:tools|call)\b/;

/** What stands between a mark and its separator; empty if it has none. Takes nothing. */
function* markAt(cursor: Cursor, mark: string, offset = 0): Reading<string> {
  if (!(yield* cursor.sees(mark, offset))) return '';
  const from = offset + mark.length;
  for (let end = from; end < from + MARK_LIMIT; end++) {
    const char = yield* cursor.char(end);
    if (char === '') return '';
    if (char === '<') return (yield* cursor.sees(SEPARATOR, end)) ? cursor.unread.slice(from, end) : '';
  }
  return '';
}

/** Takes `<|open|>word …<|sep|>` or `<|close|>word<|sep|>` if it is that word's; returns the attributes. */
function* takesTag(cursor: Cursor, mark: string, word: string): Reading<Map<string, string> | undefined> {
  const text = yield* markAt(cursor, mark);
  const [first] = /\w+/.exec(text) ?? [];
  if (first !== word) return undefined;
  cursor.take(mark.length + text.length + SEPARATOR.length);
  const attributes = text.matchAll(/(\w+)="([^"]*)"/g);
  return new Map([...attributes].map(([, key = '', value = '']) => [key, decoded(value)]));
}

function decoded(value: string): string {
  return value.replace(/&quot;/g, '"').replace(/&amp;/g, '&');
}

/** Kimi K3: tags in special tokens, with an element for each argument. */
function* readKimiK3(reply: ReplyWriter): Reading<boolean> {
  const { cursor } = reply;
  const isWrapped = (yield* takesTag(cursor, '<|open|>', 'tools')) !== undefined;
  for (let count = 0; ; count++) {
    const start = cursor.position;
    yield* cursor.takeWhile(isBlank, Infinity);
    const name = (yield* takesTag(cursor, '<|open|>', 'call'))?.get('tool');
    if (name === undefined) {
      if (count === 0) return false;
      return (
        !isWrapped ||
        (yield* takesTag(cursor, '<|close|>', 'tools')) !== undefined ||
        (yield* endsReply(cursor))
      );
    }
    const values = yield* readArguments(cursor);
    if (!values) return false;
    const index = reply.startCall(name);
    reply.endCall({ index, name, arguments: Object.fromEntries(values), start, end: cursor.position });
  }
}

/** The arguments of a call and its end; `undefined` where one is missing. */
function* readArguments(cursor: Cursor): Reading<Map<string, Json> | undefined> {
  const values = new Map<string, Json>();
  for (;;) {
    yield* cursor.takeWhile(isBlank, Infinity);
    if (yield* takesTag(cursor, '<|close|>', 'call')) return values;
    const all = yield* takesTag(cursor, '<|open|>', 'json');
    const tag = all ?? (yield* takesTag(cursor, '<|open|>', 'argument'));
    const closer = `<|close|>${all ? 'json' : 'argument'}${SEPARATOR}`;
    const pieces: string[] = [];
    if (!tag || (yield* cursor.upTo([closer], (piece) => pieces.push(piece))) === undefined) return undefined;
    cursor.take(closer.length);
    const read = readJson(pieces.join(''));
    const json = read.ok && tag.get('type') !== 'string' ? read.value : pieces.join('');
    const entries = all
      ? Object.entries(isJsonObject(json) ? json : { '': json })
      : [[tag.get('key') ?? '', json]];
    for (const [key, value] of entries as [string, Json][]) {
      if (key === '' || values.has(key)) return undefined;
      values.set(key, value);
    }
  }
}
