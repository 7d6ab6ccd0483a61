/**
 * An `@` mention of something to attach: `@file:src/a.ts`, `@file:"my file.ts"`, `@folder:src/`. A file may have lines:
 * `@file:src/a.ts#L3-9`, `@file:"my file.ts"#L3`. A resource follows its MCP server: `@mcp:docs:file:///a.md`,
 * `@mcp:"my docs:file:///a b.md"`.
 */
export type Mention =
  | { readonly type: 'file'; readonly path: string; readonly lines?: LineRange }
  | { readonly type: 'folder'; readonly path: string }
  | ResourceMention
  | { readonly type: 'problems' }
  | { readonly type: 'terminal' };

export interface ResourceMention {
  readonly type: 'resource';
  /** Without a colon. */
  readonly server: string;
  readonly uri: string;
}

/** Lines of a file, from 1, the last one included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The distinct mentions of a text, in order of first occurrence. Linear, never throws. */
export function findMentions(text: string): readonly Mention[] {
  return readMentions(text).map(({ mention }) => mention);
}

/** A mention, and what it means if a file has a name in which a mention usually ends. */
export interface MentionReading {
  readonly mention: Mention;
  /** Up to the next blank. */
  readonly whole?: Mention;
}

/** The same with the other readings of paths in texts without blanks. */
export function readMentions(text: string): readonly MentionReading[] {
  const found = new Map<string, MentionReading>();
  for (const [, sign, quoted, behind = '', plain = '', other] of text.matchAll(MENTION)) {
    if (sign === undefined) {
      add({ mention: { type: other === 'problems' ? 'problems' : 'terminal' } });
      continue;
    }
    const isPath = sign !== 'mcp' && quoted === undefined;
    const end = isPath ? endOfPath(plain, sign === 'folder') : plain.length;
    const mention = namedMention(sign, quoted, behind, plain.slice(0, end));
    const whole = end < plain.length ? namedMention(sign, quoted, behind, plain) : undefined;
    if (mention) add({ mention, ...(whole && { whole }) });
  }
  return [...found.values()];

  function add(reading: MentionReading): void {
    const key = JSON.stringify(reading.mention);
    if (!found.has(key)) found.set(key, reading);
  }
}

function namedMention(
  sign: string,
  quoted: string | undefined,
  behind: string,
  plain: string,
): Mention | undefined {
  const named = quoted ?? withoutPunctuation(plain);
  if (sign === 'mcp') return resourceMention(named);
  if (sign === 'folder') return { type: 'folder', path: named };
  // Everything between quotation marks is path.
  const [path = named, lines] = quoted === undefined ? parted(named) : [quoted, lineRange(behind)];
  return { type: 'file', path, ...(lines && { lines }) };
}

function resourceMention(named: string): ResourceMention | undefined {
  const at = named.indexOf(':');
  if (at <= 0 || at === named.length - 1) return undefined;
  return { type: 'resource', server: named.slice(0, at), uri: named.slice(at + 1) };
}

/** The path and the lines of `src/a.ts#L3-9`. */
function parted(named: string): readonly [path?: string, lines?: LineRange] {
  const at = named.lastIndexOf('#');
  const lines = at > 0 ? lineRange(named.slice(at)) : undefined;
  return lines ? [named.slice(0, at), lines] : [];
}

/** `#L3`, `#L3-9` or `#L3-L9`; `undefined` if those are not lines of a file. */
function lineRange(text: string): LineRange | undefined {
  const found = LINES.exec(text);
  if (!found) return undefined;
  const first = Number(found[1]);
  const last = Number(found[2] ?? first);
  return first <= last ? { first, last } : undefined;
}

/** Whether a resource matches the part of its mention typed so far. */
export function resourceFits(
  query: string,
  { server, uri, name }: { readonly server: string; readonly uri: string; readonly name: string },
): boolean {
  const wanted = query.toLowerCase();
  return [`${server}:${uri}`, name].some((text) => text.toLowerCase().includes(wanted));
}

/** Writes a mention so that it is parsed back the same; `undefined` if that is impossible. */
export function writeMention(mention: Mention): string | undefined {
  if (mention.type === 'problems' || mention.type === 'terminal') return `@${mention.type}`;
  const [sign, named] =
    mention.type === 'resource' ? ['mcp', `${mention.server}:${mention.uri}`] : [mention.type, mention.path];
  const lines = mention.type === 'file' && mention.lines ? linesText(mention.lines) : '';
  return [`@${sign}:${named}${lines}`, `@${sign}:"${named}"${lines}`].find((written) =>
    isReadAs(written, mention),
  );
}

function linesText({ first, last }: LineRange): string {
  return first === last ? `#L${first}` : `#L${first}-${last}`;
}

export type DraftType = 'file' | 'folder' | 'resource';

/** Text before the caret that may become a mention. */
export interface MentionDraft {
  /** Offset of its `@`. */
  readonly start: number;
  readonly type: DraftType | undefined;
  /** What is typed so far: part of a path or a resource or, without a type, of any mention. */
  readonly query: string;
}

export function draftBefore(caret: number, text: string): MentionDraft | undefined {
  const from = Math.max(0, caret - LONGEST_DRAFT);
  const found = DRAFT.exec(text.slice(from, caret));
  if (!found) return undefined;
  const [, sign = '', quoted, plain = ''] = found;
  const type = DRAFT_TYPES[sign];
  if (!type && quoted !== undefined) return undefined;
  return { start: from + found.index, type, query: quoted ?? plain };
}

const DRAFT_TYPES: Readonly<Record<string, DraftType>> = { file: 'file', folder: 'folder', mcp: 'resource' };

/** In characters. A longer one is not completed. */
const LONGEST_DRAFT = 200;

/** Letters of scripts that are written without blanks, or put particles behind a name without one. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

// `me@example.org` and `@scope/@name` are not mentions.
const BEGIN = String.raw`(?<=^|[${UNSPACED}]|[^\p{L}\p{N}_@/.\-])@`;

// The next mention may follow without a blank.
const MENTION = new RegExp(
  String.raw`${BEGIN}(?:(file|folder|mcp):(?:"([^"\n]+)"(#L\d+(?:-L?\d+)?(?=[${UNSPACED}]|[^\p{L}\p{N}]|$))?|([^\s"](?:(?!${BEGIN})\S)*))|(problems|terminal)(?=[${UNSPACED}]|[^\p{L}\p{N}_:/\-]|$))`,
  'gu',
);

/** Punctuation, quotes and brackets of any script but ASCII, which may also be part of a name. */
const STOP = /["\p{Ps}\p{Pe}\p{Pi}\p{Pf}、。，．！？：；…｡､](?<![([{)\]}])/u;

/** Lines or an extension, behind which text of another script goes on. */
const FILE_END = new RegExp(String.raw`(?:#L\d+(?:-L?\d+)?|\.[A-Za-z]\w{0,9})(?=[${UNSPACED}])`, 'u');

/** A folder is written with a slash at its end. */
const FOLDER_END = new RegExp(String.raw`/(?=[${UNSPACED}][^/]*$)`, 'u');

/** Where a path without quotes ends in a text without blanks. */
function endOfPath(plain: string, isFolder: boolean): number {
  const stop = STOP.exec(plain)?.index ?? plain.length;
  const found = (isFolder ? FOLDER_END : FILE_END).exec(plain.slice(0, stop));
  const end = found ? found.index + found[0].length : stop;
  const bracket = closingBracket(plain.slice(0, end));
  return Math.max(1, bracket ?? end);
}

/** The first bracket that closes nothing, if text that is no path follows it. */
function closingBracket(path: string): number | undefined {
  const open = new Map<string, number>();
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at);
    const opening = BRACKETS[character];
    const count = open.get(opening ?? character) ?? 0;
    if (OPENING.has(character)) open.set(character, count + 1);
    else if (opening !== undefined && count > 0) open.set(opening, count - 1);
    else if (opening !== undefined && !/[\w./-]/.test(path.charAt(at + 1))) return at;
  }
  return undefined;
}

/** Limits line numbers to nine digits. */
const LINES = /^#L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?$/;

const DRAFT = new RegExp(String.raw`${BEGIN}(?:(file|folder|mcp):)?(?:"([^"\n]*)|([^\s"@]*))$`, 'u');

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

const OPENING: ReadonlySet<string> = new Set(Object.values(BRACKETS));

/** Without punctuation that ends a sentence, or a bracket that opened before the path. */
function withoutPunctuation(path: string): string {
  const first = new Map(Object.values(BRACKETS).map((opening) => [opening, path.indexOf(opening)]));
  const isOutside = (character: string, at: number): boolean => {
    const opening = BRACKETS[character];
    if (opening === undefined) return /[.,;:!?'"`*]/.test(character);
    const begun = first.get(opening) ?? -1;
    return begun < 0 || begun > at;
  };
  let end = path.length;
  while (end > 0 && isOutside(path[end - 1] ?? '', end - 1)) end--;
  return end === 0 ? path : path.slice(0, end);
}

function isReadAs(written: string, mention: Mention): boolean {
  return NEIGHBOURS.every((after) => {
    const [read, ...more] = findMentions(`${written}${after}`);
    return more.length === 0 && JSON.stringify(read) === JSON.stringify(mention);
  });
}

/** What users write directly behind a mention. */
const NEIGHBOURS = [' ', '看', '，', '」', '”', ')', ']'];
