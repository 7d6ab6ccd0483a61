import type { ToolSpec } from '../../core/words/tool';
import { afterUnclosed, findTool, malformed, unfinishedCall, type CallProblem } from '../engine/calls';
import { blanksEnd, seenOf, skipBlanks, type Cursor, type Reading } from '../engine/cursor';
import type { Reader, ReplyWriter } from '../engine/reader';
import { isTag } from '../engine/tags';
import { Invoke, tagStart, type Dialect } from './invoke-call';
import { ToolTag, toolTags } from './tool-tag';

/** Reads `<function_calls>` in all its spellings, single `<invoke>` elements, and the tags that tools declare. */
export function invokeReader(tools: readonly ToolSpec[] | undefined): Reader {
  const tags = toolTags(tools ?? []);
  const openers = [...DIALECTS.map(({ opener }) => opener), ...tags.keys()];
  return {
    id: 'invoke',
    openers,
    resultOpeners: ['<function_results>'],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (opener.endsWith('>')) return true;
      if (!(yield* isTag(cursor, opener, offset))) return false;
      if (tags.has(opener)) return true;
      // Without its wrapper an invoke counts at the beginning of a line, for a tool that is offered.
      return isLineStart && tools !== undefined && (yield* namesTool(cursor, offset + opener.length, tools));
    },
    block: (reply, opener) => {
      const tag = tags.get(opener);
      if (tag) return new ToolTag(reply, tag, openers).read();
      const wrapper = WRAPPERS.find((dialect) => dialect.opener === opener);
      return wrapper ? readWrapped(reply, wrapper, tools) : readBare(reply, opener, tools);
    },
  };
}

const PREFIXES = ['', 'antml:', '｜DSML｜', '｜｜DSML｜｜', '|DSML|', '||DSML||'];

const WRAPPERS: readonly Dialect[] = [
  ...PREFIXES.map((prefix) => wrapperOf(prefix, 'function_calls')),
  ...PREFIXES.filter((prefix) => prefix.includes('DSML')).map((prefix) => wrapperOf(prefix, 'tool_calls')),
  { opener: '<minimax:tool_call>', closers: ['</minimax:tool_call>'], prefixes: [''] },
];
/** Without a wrapper; its closing tag may still be there. */
const BARE: readonly Dialect[] = PREFIXES.map((prefix) => ({
  opener: `<${prefix}invoke`,
  closers: [...new Set(WRAPPERS.flatMap(({ closers }) => closers))],
  prefixes: prefixesOf(prefix),
}));
const DIALECTS = [...WRAPPERS, ...BARE];

/** What begins and ends calls, in all spellings. */
export const CALL_MARKERS: readonly string[] = [
  ...new Set([
    ...DIALECTS.flatMap(({ opener, closers }) => [opener, ...closers]),
    ...PREFIXES.map((prefix) => `</${prefix}invoke>`),
  ]),
];

function wrapperOf(prefix: string, name: string): Dialect {
  const prefixes = prefixesOf(prefix);
  return { opener: `<${prefix}${name}>`, closers: prefixes.map((each) => `</${each}${name}>`), prefixes };
}

function prefixesOf(prefix: string): string[] {
  return prefix === '' ? [''] : [prefix, ''];
}

const NAME_LIMIT = 200;

/** Whether the attribute at an offset is the name of a tool that is offered. */
function* namesTool(cursor: Cursor, from: number, tools: readonly ToolSpec[]): Reading<boolean> {
  let offset = yield* blanksEnd(cursor, from);
  if (!(yield* cursor.sees('name', offset))) return false;
  offset = yield* blanksEnd(cursor, offset + 'name'.length);
  if ((yield* cursor.char(offset)) !== '=') return false;
  offset = yield* blanksEnd(cursor, offset + 1);
  const quote = yield* cursor.char(offset);
  if (quote !== '"' && quote !== "'") return false;
  let name = '';
  for (let char = ''; char !== quote && name.length < NAME_LIMIT; name += char) {
    char = yield* cursor.char(offset + 1 + name.length);
    if (char === '') return false;
  }
  return findTool(tools, name.slice(0, -1).trim()) !== undefined;
}

function* readBare(
  reply: ReplyWriter,
  opener: string,
  tools: readonly ToolSpec[] | undefined,
): Reading<true> {
  const { cursor } = reply;
  const dialect = BARE.find((each) => each.opener === opener) ?? NO_DIALECT;
  yield* new Invoke(reply, opener, dialect, tools).read();
  const end = yield* blanksEnd(cursor, 0);
  const orphan = yield* seenOf(cursor, dialect.closers, end);
  if (orphan !== undefined) cursor.take(end + orphan.length);
  return true;
}

const NO_DIALECT: Dialect = { opener: '', closers: [], prefixes: [''] };

function* readWrapped(
  reply: ReplyWriter,
  dialect: Dialect,
  tools: readonly ToolSpec[] | undefined,
): Reading<true> {
  const { cursor } = reply;
  const start = cursor.position;
  cursor.take(dialect.opener.length);
  const before = reply.callCount;
  let sawStray = false;
  const rejectFrom = (from: number, problem: CallProblem): void =>
    reply.rejectCall({ index: reply.startCall(''), name: '', start: from, end: cursor.position }, problem);
  for (;;) {
    yield* skipBlanks(reply);
    const invoke = yield* tagStart(cursor, dialect, 'invoke');
    if (invoke !== undefined) {
      yield* new Invoke(reply, invoke, dialect, tools).read();
      continue;
    }
    const isOver = (yield* cursor.char()) === '';
    const closer = yield* seenOf(cursor, dialect.closers);
    if (closer !== undefined) cursor.take(closer.length);
    if (closer !== undefined || isOver || (yield* cursor.sees(dialect.opener))) {
      // A wrapper that is not closed changes nothing about the calls in it.
      if (reply.callCount === before)
        rejectFrom(start, isOver ? unfinishedCall(dialect.closers[0] ?? '') : EMPTY);
      return true;
    }
    const from = cursor.position;
    const invokes = dialect.prefixes.map((prefix) => `<${prefix}invoke `);
    // Reported once in a block; what else there is of it is shown.
    const stray: string[] = [];
    const pass = (text: string): void => {
      if (sawStray) reply.text(text);
      stray.push(text);
    };
    // One character first: what stands here may only look like a tag.
    pass(cursor.take(1));
    yield* cursor.upTo([...dialect.closers, ...invokes, dialect.opener], pass);
    if (!sawStray) rejectFrom(from, STRAY);
    sawStray = true;
    // A fence was opened: what it holds are examples.
    if (/`{3}|~{3}/.test(stray.join('')))
      reply.markRepaired(afterUnclosed({ start: from, end: cursor.position }));
  }
}

const EMPTY = malformed('The block holds no call.', 'Put one <invoke name="…"> for each call into it.');
const STRAY: CallProblem = {
  code: 'stray-text',
  message: 'The block holds text that is no call.',
  hint: 'Put nothing but <invoke name="…"> elements into it.',
};
