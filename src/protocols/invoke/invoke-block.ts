import type { ToolSpec } from '../../core/words/tool';
import { afterUnclosed, findTool, malformed, unfinishedCall, type CallProblem } from '../engine/calls';
import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { OfferedTools, Reader, ReplyWriter } from '../engine/reader';
import { isTag, nameEnd, restOfTag } from '../engine/tags';
import { readTaggedJson } from '../json/tagged-json';
import { CALL_CLOSERS, DIALECTS, marksEnd, skipMarks, tagOf, tagStart, type Dialect } from './dialects';
import { Invoke } from './invoke-call';
import { ToolTag, toolTags } from './tool-tag';

/** Reads `<function_calls>` in all its spellings, single `<invoke>` elements, and the tags that tools declare. */
export function invokeReader(tools: OfferedTools): Reader {
  const tags = toolTags(tools ?? []);
  const openers = [...DIALECTS.keys(), ...tags.keys()];
  return {
    id: 'invoke',
    openers,
    closers: CALL_CLOSERS,
    resultOpeners: ['<function_results>'],
    *begins(cursor, opener, isLineStart, offset = 0) {
      const dialect = DIALECTS.get(opener);
      if (!dialect) return yield* isTag(cursor, opener, offset);
      let inside = yield* marksEnd(cursor, dialect, offset);
      const isMarked = inside > offset;
      const isWrapped = dialect.opener !== '' && (yield* cursor.sees(dialect.opener, inside));
      if (isWrapped) inside = yield* marksEnd(cursor, dialect, inside + dialect.opener.length);
      // Olmo uses the same tag for Python calls.
      if (isWrapped && !dialect.isShared) return (yield* cursor.char(yield* nameEnd(cursor, inside))) !== '(';
      const start = yield* tagStart(cursor, dialect, dialect.call, inside);
      if (start === undefined || isWrapped) return start !== undefined;
      // Without its wrapper, a call counts at the beginning of a line, for an offered tool.
      const mayBegin = isLineStart || isMarked;
      return mayBegin && tools !== undefined && (yield* namesTool(cursor, inside + start.length, tools));
    },
    block: (reply, opener) => {
      const tag = tags.get(opener);
      if (tag) return new ToolTag(reply, tag, openers).read();
      return readBlock(reply, DIALECTS.get(opener) ?? tagOf(opener), tools);
    },
  };
}

/** HTML elements and model markers that could be names of tools. */
const OTHER_TAGS =
  /^(?:think|thinking|thought|sep|bos|eos|s|a|audio|base|body|button|canvas|code|data|details|dialog|embed|form|frame|head|header|html|iframe|image|img|input|label|link|main|map|mark|menu|meta|meter|object|option|output|p|picture|pre|progress|script|search|section|select|source|span|style|summary|svg|table|template|text|textarea|time|title|track|video)$/i;

/**
 * Recognizes `<write_file><path>…</path></write_file>`, for which Cline and similar agents ask: a tag for each tool and
 * argument.
 */
export function tagReader(tools: OfferedTools = []): Reader {
  const offered = tools.filter(({ name }) => !OTHER_TAGS.test(name));
  return {
    id: 'cline',
    openers: offered.map(({ name }) => `<${name}>`),
    resultOpeners: [],
    *begins(cursor, opener, isLineStart, offset = 0) {
      if (!isLineStart) return false;
      const tool = offered.find(({ name }) => opener === `<${name}>`);
      const keys = Object.keys(tool?.parameters.properties ?? {}).map((key) => `<${key}>`);
      return (yield* seenOf(cursor, keys, yield* blanksEnd(cursor, offset + opener.length))) !== undefined;
    },
    *block(reply, opener) {
      const name = opener.slice(1, -1);
      yield* new Invoke(reply, opener.slice(0, -1), tagOf(name), tools).read(name);
      return true;
    },
  };
}

/** Whether the first attribute of a tag, at an offset, is the name of an offered tool. */
function* namesTool(cursor: Cursor, from: number, tools: readonly ToolSpec[]): Reading<boolean> {
  const [, , name] = /^Ġ?\s*name\s*=\s*(["'])(.*?)\1/s.exec(yield* restOfTag(cursor, from)) ?? [];
  return name !== undefined && findTool(tools, name.trim()) !== undefined;
}

function* readBlock(reply: ReplyWriter, dialect: Dialect, tools: OfferedTools): Reading<true> {
  const { cursor } = reply;
  const start = cursor.position;
  yield* skipMarks(reply, dialect);
  if (dialect.opener !== '' && (yield* cursor.sees(dialect.opener)))
    return yield* readWrapped(reply, dialect, tools);
  const opener = (yield* tagStart(cursor, dialect, dialect.call)) ?? '';
  yield* new Invoke(reply, opener, dialect, tools, start).read();
  const end = yield* marksEnd(cursor, dialect);
  const orphan = yield* seenOf(cursor, dialect.closers, end);
  if (orphan !== undefined) cursor.take(end + orphan.length);
  return true;
}

function* readWrapped(reply: ReplyWriter, dialect: Dialect, tools: OfferedTools): Reading<true> {
  const { cursor } = reply;
  const [close = ''] = dialect.closers;
  const inside = yield* blanksEnd(cursor, dialect.opener.length);
  if (/[{[]/.test(yield* cursor.char(inside)))
    return yield* readTaggedJson(reply, { open: dialect.opener, close });
  const start = cursor.position;
  cursor.take(dialect.opener.length);
  const before = reply.callCount;
  let sawStray = false;
  const rejectFrom = (from: number, problem: CallProblem): void =>
    reply.rejectCall({ index: reply.startCall(''), name: '', start: from, end: cursor.position }, problem);
  for (;;) {
    yield* skipMarks(reply, dialect);
    const invoke = yield* tagStart(cursor, dialect, dialect.call);
    if (invoke !== undefined) {
      yield* new Invoke(reply, invoke, dialect, tools).read();
      continue;
    }
    const word = yield* nameEnd(cursor, 0);
    if (word > 0 && (yield* cursor.char(yield* blanksEnd(cursor, word))) === '{') {
      yield* new Invoke(reply, '', dialect, tools).readObject(word);
      continue;
    }
    const isOver = (yield* cursor.char()) === '';
    const closer = yield* seenOf(cursor, dialect.closers);
    if (closer !== undefined) cursor.take(closer.length);
    if (closer !== undefined || isOver || (yield* cursor.sees(dialect.opener))) {
      // An unclosed wrapper does not affect the calls in it.
      if (reply.callCount === before) rejectFrom(start, isOver ? unfinishedCall(close) : EMPTY);
      return true;
    }
    const from = cursor.position;
    const invokes = dialect.prefixes.map((prefix) => `<${prefix}${dialect.call} `);
    // Take at least one character: this may only look like a tag.
    const pieces = [cursor.take(1)];
    yield* cursor.upTo([...dialect.closers, ...invokes, dialect.opener], (piece) => pieces.push(piece));
    const stray = pieces.join('');
    // Reported once per block; later stray text is shown.
    if (sawStray) reply.text(stray);
    else rejectFrom(from, STRAY);
    sawStray = true;
    // Several lines, or a fence: they may contain examples.
    if (/`{3}|~{3}|\n./.test(stray.trim()))
      reply.markRepaired(afterUnclosed({ start: from, end: cursor.position }));
  }
}

const EMPTY = malformed('The block has no call.', 'Put one <invoke name="…"> for each call into it.');
const STRAY: CallProblem = {
  code: 'stray-text',
  message: 'The block has text outside calls.',
  hint: 'Put only <invoke name="…"> elements into it.',
};
