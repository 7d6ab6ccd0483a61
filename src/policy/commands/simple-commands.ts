/** One word as the program gets it: quotes removed. */
interface Word {
  readonly text: string;
  /** Whether the shell may replace it with file names. */
  readonly isGlob: boolean;
}

export type SimpleCommand = readonly Word[];

export type CommandReading =
  | { readonly type: 'plain'; readonly commands: readonly SimpleCommand[] }
  /** Something in it does more than start programs with fixed words. */
  | { readonly type: 'other'; readonly reason: string };

/**
 * Reads a text that only starts programs with fixed words, joined by `&&`, `||`, `|`, `;` and newlines. Does not rely
 * on the tree alone: each leaf must have the exact form that bash expects, with the blanks that bash expects between
 * leaves. So a text that the grammar and bash split differently is `other`.
 */
export function readSimpleCommands(root: ShellNode, source: string): CommandReading {
  if (root.hasError) return other('the shell text cannot be parsed');
  const reader: Reader = { source, at: 0, after: 'operator', commands: [] };
  const problem =
    readNode(root, reader) ?? (/^[ \t\n]*$/u.test(rest(reader)) ? undefined : unread(rest(reader)));
  if (problem !== undefined) return other(problem);
  const commands = reader.commands.filter((words) => words.length > 0);
  return commands.length === 0 ? other('no command') : { type: 'plain', commands };
}

interface Reader {
  readonly source: string;
  /** Every character up to here was checked. */
  at: number;
  /** What ends there: the start of the text, the beginning of a command, or a word or redirect. */
  after: 'operator' | 'command' | 'part';
  readonly commands: Word[][];
}

type Problem = string | undefined;

const CONTAINERS: readonly string[] = ['program', 'list', 'pipeline', 'redirected_statement'];
const OPERATORS: readonly string[] = ['&&', '||', '|', ';'];
const NULL_REDIRECTS: readonly string[] = ['>', '>>', '&>', '<'];

/** Unquoted literal text. `~` and `=` at the start of a word, and `#`, have a special meaning. */
const PLAIN = /^(?![#=~])(?:[\w@%+,./:^#=~*?[\]-]|[^\0-\x7f])+$/u;
const HOME = /[=:]~/u;
const GLOB = /[*?[]/u;
/** Double quotes in which only a backslash before one of these characters is special. */
const DOUBLE_QUOTED = /^"(?:[^"\\$`]|\\[^])*"$/u;
const SINGLE_QUOTED = /^'[^']*'$/u;

function readNode(node: ShellNode, reader: Reader): Problem {
  if (node.missing) return unread(node.text);
  if (CONTAINERS.includes(node.type)) return readAll(node.children, reader);
  if (node.type === 'command') {
    const before = rest(reader).slice(0, node.start - reader.at);
    if (!(reader.after === 'operator' ? /^[ \t\n]*$/u : /^[ \t]*\n[ \t\n]*$/u).test(before))
      return unread(before);
    reader.at = node.start;
    reader.after = 'command';
    reader.commands.push([]);
    return readAll(node.children, reader);
  }
  if (node.type === 'command_name') return readAll(node.children, reader);
  if (node.type === 'file_redirect') return readRedirect(node, reader);
  if (!node.named && OPERATORS.includes(node.type)) return readOperator(node, reader);
  return readWord(node, reader);
}

function readAll(nodes: readonly ShellNode[], reader: Reader): Problem {
  for (const node of nodes) {
    const problem = readNode(node, reader);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readOperator(node: ShellNode, reader: Reader): Problem {
  if (node.text !== node.type) return unread(node.text);
  const problem = skip(node, /^[ \t]*$/u, reader);
  reader.after = 'operator';
  return problem;
}

function readWord(node: ShellNode, reader: Reader): Problem {
  const words = reader.commands.at(-1);
  if (words === undefined) return unread(node.text);
  const isFirst = words.length === 0;
  const problem = skip(node, reader.after === 'command' ? /^$/u : /^[ \t]+$/u, reader);
  if (problem !== undefined) return problem;
  const word = cook(node);
  if (typeof word === 'string') return word;
  if (isFirst && node.text.includes('=')) return 'sets a variable';
  if (isFirst && word.isGlob) return 'pattern as command name';
  if (word.isGlob && !/^[^*?[-]/u.test(word.text)) return `pattern without a plain beginning: ${node.text}`;
  words.push(word);
  return undefined;
}

/** `2>&1`, `>/dev/null` and the like. */
function readRedirect(node: ShellNode, reader: Reader): Problem {
  const [descriptor, operator, target, ...more] =
    node.children[0]?.type === 'file_descriptor' ? node.children : [undefined, ...node.children];
  // After a redirect the grammar treats further words as targets; in bash they belong to the command.
  if (operator === undefined || target === undefined || more.length > 0) return unread(node.text);
  const before = reader.source.slice(Math.max(0, reader.at - 1), node.start);
  // `a2>x` and `a"b"2>x` are words that end in 2; ambiguous cases are not guessed.
  if (reader.at === node.start && /\S$/u.test(before) && (descriptor !== undefined || /\d$/u.test(before))) {
    return unread(node.text);
  }
  if (descriptor !== undefined && !/^\d$/u.test(descriptor.text)) return unread(descriptor.text);
  const problem =
    (descriptor === undefined ? undefined : skip(descriptor, /^[ \t]*$/u, reader)) ??
    skip(operator, descriptor === undefined ? /^[ \t]*$/u : /^$/u, reader) ??
    skip(target, /^[ \t]*$/u, reader);
  if (problem !== undefined) return problem;
  // Other descriptors are not open, or were not meant for a command.
  if (operator.text === '>&' && /^[012]$/u.test(target.text)) return undefined;
  if (NULL_REDIRECTS.includes(operator.text) && target.text === '/dev/null') return undefined;
  return `redirects to ${target.text}`;
}

/** A word as the program gets it, or why it is unknown. */
function cook(node: ShellNode): Word | string {
  switch (node.type) {
    case 'concatenation': {
      const parts = node.children.map(cook);
      let at = node.start;
      for (const [index, child] of node.children.entries()) {
        const part = parts[index];
        if (typeof part === 'string') return part;
        if (child.start !== at) return unread(node.text);
        at = child.end;
      }
      if (at !== node.end) return unread(node.text);
      const words = parts.filter((part) => typeof part !== 'string');
      return { text: words.map((part) => part.text).join(''), isGlob: words.some((part) => part.isGlob) };
    }
    case 'word':
    case 'number':
      if (!PLAIN.test(node.text) || HOME.test(node.text)) return unread(node.text);
      return { text: node.text, isGlob: GLOB.test(node.text) };
    case 'raw_string':
      return SINGLE_QUOTED.test(node.text)
        ? { text: node.text.slice(1, -1), isGlob: false }
        : unread(node.text);
    case 'string':
      if (!DOUBLE_QUOTED.test(node.text) || !node.children.every(isQuotedText)) return unread(node.text);
      return { text: unescape(node.text.slice(1, -1)), isGlob: false };
    default:
      return unread(node.text);
  }
}

function isQuotedText(node: ShellNode): boolean {
  return node.type === 'string_content' || (!node.named && node.type === '"');
}

function unescape(text: string): string {
  return text.replace(/\\([$`"\\\n])/gu, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
}

/** Moves to the end of the node, if only allowed text comes before it. */
function skip(node: ShellNode, before: RegExp, reader: Reader): Problem {
  if (node.missing || node.start < reader.at || !before.test(reader.source.slice(reader.at, node.start))) {
    return unread(node.text);
  }
  reader.at = node.end;
  reader.after = 'part';
  return undefined;
}

function rest(reader: Reader): string {
  return reader.source.slice(reader.at);
}

function unread(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return `not plain words: ${short}`;
}

export function other(reason: string): CommandReading {
  return { type: 'other', reason };
}

/** A part of a shell text as the bash grammar sees it. `start` and `end` count characters (UTF-16 units). */
export interface ShellNode {
  readonly type: string;
  /** Whether it is a named node: operators and quotes are not. */
  readonly named: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a part could not be parsed, or was invented to continue parsing. */
  readonly hasError: boolean;
  readonly missing: boolean;
  readonly children: readonly ShellNode[];
}

export interface ShellGrammar {
  /** `undefined` if the time ran out. */
  parse(text: string, timeoutMs: number): ShellNode | undefined;
}
