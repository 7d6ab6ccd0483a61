import { readJson } from '../../base/json-reader';
import type { ToolSpec } from '../../core/words/tool';
import type { Json } from '../../base/json';
import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { Reader, ReplyWriter } from '../engine/reader';
import { endsReply } from '../engine/special-tokens';
import { nameEnd } from '../engine/tags';
import { LiteralCalls } from '../literals/literal-calls';
import { finishNamed, readCalls, takeName } from './calls';
import { fromHead } from './frames';

/** Calls that lost their markers, and imitations by models that have never seen any. */
export function bare(tools: readonly ToolSpec[] = []): readonly Reader[] {
  const names = tools.flatMap(({ name, qualifiedName = name }) => [name, qualifiedName]);
  return [
    // `{"name": …, "parameters": …}`, Llama 3; a list of them, xLAM; `{"tool_calls": […]}`, as in the API itself.
    {
      id: 'json',
      openers: ['{', '['],
      lineOpeners: ['{', '['],
      resultOpeners: [],
      mayBeFenced: true,
      standsAlone: true,
      begins: beginsCall,
      block: (reply) => readCalls(reply, { isBare: true }),
    },
    named(['functions.', ...names]),
    // `<|python_tag|>read.call(path="a")`: Llama 3's form for tools that it was trained on.
    {
      id: 'llama',
      openers: ['<|python_tag|>'],
      resultOpeners: [],
      *begins(cursor, opener, _isLineStart, offset = 0) {
        const start = yield* blanksEnd(cursor, offset + opener.length);
        const end = yield* nameEnd(cursor, start);
        return (yield* cursor.sees('(', end)) && cursor.unread.slice(start, end).endsWith(CALL);
      },
      *block(reply, opener) {
        const { cursor } = reply;
        cursor.take(yield* blanksEnd(cursor, opener.length));
        const name = cursor.take(yield* nameEnd(cursor, 0)).slice(0, -CALL.length);
        const calls = new LiteralCalls(reply, { closers: [] }, { end: ')' });
        return (yield* calls.block(calls.call(name, '('))) && (yield* endsReply(cursor));
      },
    },
    {
      id: 'minimax',
      openers: ['[TOOL_CALL]'],
      resultOpeners: [],
      *begins(cursor, opener, _isLineStart, offset = 0) {
        const brace = yield* blanksEnd(cursor, offset + opener.length);
        if (!(yield* cursor.sees('{', brace))) return false;
        return yield* cursor.sees('tool', yield* blanksEnd(cursor, brace + 1));
      },
      block: readHash,
    },
  ];
}

const CALL = '.call';

const FIRST_KEYS = [
  ...['name', 'tool_name', 'tool', 'tool_calls', 'action', 'function', 'type', 'id', 'tool_call_id'],
  ...['arguments', 'parameters', 'args', 'input'],
];

/** A brace at the beginning of a line, or a bracket and a brace, followed by a key of a call. */
function* beginsCall(cursor: Cursor, opener: string, isLineStart: boolean, from = 0): Reading<boolean> {
  if (!isLineStart) return false;
  let offset = yield* blanksEnd(cursor, from + 1);
  if (opener === '[') {
    if (!(yield* cursor.sees('{', offset))) return false;
    offset = yield* blanksEnd(cursor, offset + 1);
  }
  const quote = yield* cursor.char(offset);
  for (const key of FIRST_KEYS) {
    if (yield* cursor.sees(`${quote}${key}${quote}`, offset)) return /["']/.test(quote);
  }
  return false;
}

/** `read{…}` at the beginning of a line: the name of an offered tool, or one marked as a function's. */
function named(openers: readonly string[]): Reader {
  return {
    id: 'bare',
    openers,
    resultOpeners: [],
    standsAlone: true,
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (!isLineStart) return false;
      if (opener.endsWith('.')) return true;
      const brace = yield* blanksEnd(cursor, offset + opener.length);
      if (!(yield* cursor.sees('{', brace))) return false;
      // A list of calls, behind a word that happens to be the name of a tool.
      return !(yield* cursor.sees('"tool_calls"', yield* blanksEnd(cursor, brace + 1)));
    },
    *block(reply) {
      const { cursor } = reply;
      do {
        const start = cursor.position;
        if (!(yield* finishNamed(reply, { ...fromHead(yield* takeName(cursor)), start, isBare: true })))
          return false;
      } while ((yield* seenOf(cursor, openers, yield* blanksEnd(cursor, 0))) !== undefined);
      return true;
    },
  };
}

/** `[TOOL_CALL]{tool => "read", args => { --path "a" }}[/TOOL_CALL]`: one value per line. */
function* readHash(reply: ReplyWriter, opener: string): Reading<boolean> {
  const { cursor } = reply;
  const start = cursor.position;
  cursor.take(opener.length);
  const lines: string[] = [];
  if ((yield* cursor.upTo(['[/TOOL_CALL]'], (piece) => lines.push(piece))) === undefined) return false;
  cursor.take('[/TOOL_CALL]'.length);
  const [, name, body] = HASH.exec(lines.join('').trim()) ?? [];
  if (name === undefined || body === undefined) return false;
  const values = new Map<string, Json>();
  for (const line of body.split('\n').filter((each) => each.trim() !== '')) {
    const [, key, written] = /^\s*--([\w-]+)\s+(\S.*)$/.exec(line) ?? [];
    const read = readJson(written ?? '');
    if (key === undefined || values.has(key) || !read.ok) return false;
    values.set(key, read.value);
  }
  const span = { index: reply.startCall(name), start, end: cursor.position };
  reply.endCall({ ...span, name, arguments: Object.fromEntries(values) });
  return true;
}

const HASH = /^\{\s*tool\s*=>\s*"([^"\n]*)"\s*,\s*args\s*=>\s*\{([^]*)\}\s*\}$/;
