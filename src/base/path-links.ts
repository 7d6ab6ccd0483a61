/** A place in a file, as a text names it. Whether it exists is not known. */
export interface PathTarget {
  readonly path: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
}

export interface PathLink extends PathTarget {
  readonly start: number;
  readonly end: number;
}

/** Names without a folder count as files only with one of these. */
const EXTENSIONS = new Set(
  (
    'bash bat c cc cfg clj cmd conf cpp cs css csv cts cxx dart diff dockerfile env erl ex exs fs go gradle graphql ' +
    'h hpp hs html htm ini ipynb java jl js json jsonc jsonl jsx kt kts less lock log lua m md mdx mjs mts cjs mm nix ' +
    'php pl pm po properties proto ps1 py pyi r rb rs rst sass scala scss sh sol sql svelte svg swift tex tf toml ts ' +
    'tsx txt vb vim vue xml yaml yml zig zsh'
  ).split(' '),
);

/** Names of projects that look like files. */
const PROJECTS =
  /^(?:node|next|vue|nuxt|express|three|chart|d3|react|ember|backbone|angular|alpine|moment)\.js$/i;

/** A part of a text that may be a path: nothing that separates words, and no quotes or brackets. */
const WORD = /[^\s"'`<>()[\]{}|,;*?=!]+/g;

/** Longer words are data. */
const LONGEST = 300;

/** `src/a.ts`, `C:\a.ts:3`, `a.ts:3:1`, `a.ts:3-7`, `a.ts#L3`, `file:///a.ts`. */
const TARGET =
  /^((?:[A-Za-z]:(?=[\\/]))?[^:#]+)(?::(\d{1,7})(?:[:.](\d{1,7}))?(?:-\d+)?|#L(\d{1,7})(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)?:?$/;

/** What follows a path where a program names a line otherwise: `(3,1)`, `", line 3`. */
const LINE_BEHIND = /^(?:\((\d{1,7})(?:[,:] ?(\d{1,7}))?\)|"?,? line (\d{1,7})\b)/;

/** The paths in a text that are recognized by their shape, in order. Linear in the length of the text. */
export function pathLinks(text: string): readonly PathLink[] {
  if (!/[./\\]/.test(text)) return [];
  const links: PathLink[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (word.length > LONGEST) continue;
    const shown = word.replace(/(?::in)?[.:…]*$/, '');
    const target = pathTarget(shown);
    if (!target) continue;
    const end = index + shown.length;
    const behind = target.line === undefined ? LINE_BEHIND.exec(text.slice(end, end + 30)) : null;
    if (!behind && target.line === undefined && !isFileName(target.path)) continue;
    links.push({
      start: index,
      end: behind ? end + behind[0].length : end,
      ...target,
      ...(behind && numbers(behind[1] ?? behind[3], behind[2])),
    });
  }
  return links;
}

/** The place that a text names if it is one path as a whole, as an address in a link or code in a sentence is. */
export function pathTarget(text: string): PathTarget | undefined {
  const plain = decoded(text.replace(/^file:\/\/(?:localhost)?(?:\/(?=[A-Za-z]:))?/, ''));
  const match = plain.length > LONGEST ? null : TARGET.exec(plain);
  if (!match) return undefined;
  const [, path = '', line, column, anchor] = match;
  const target = { path, ...numbers(line ?? anchor, column) };
  const isShaped = target.line !== undefined ? /[./\\]/.test(path) : isPath(path);
  return isShaped && !isAddress(path) && /[\p{L}\p{N}_]/u.test(path) ? target : undefined;
}

function numbers(line: string | undefined, column: string | undefined): Omit<PathTarget, 'path'> {
  const [row, at] = [Number(line ?? 0), Number(column ?? 0)];
  return row === 0 ? {} : { line: row, ...(at > 0 && { column: at }) };
}

/** Has a folder, or is a name with a known ending. */
function isPath(path: string): boolean {
  return /[^\\/\s][\\/]+[^\\/\s]/.test(path) || /^(?:~|\.{1,2})?[\\/][^\\/]/.test(path) || isFileName(path);
}

/** A name with an ending; one without a folder with a known ending. */
function isFileName(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  if (name !== path) return /[^.]\.[A-Za-z]\w{0,9}$/.test(name) || /^\.[a-z]\w+$/i.test(name);
  const ending = /[\p{L}\p{N}_)\]]\.([A-Za-z]\w{0,9})$/u.exec(name)?.[1];
  return ending !== undefined && EXTENSIONS.has(ending.toLowerCase()) && !PROJECTS.test(name);
}

/** Begins with the name of a host, or is a number like a version. */
function isAddress(path: string): boolean {
  return /^(?:\w+:)?\/\/|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|gov|edu)(?:[\\/]|$)|^v?\d+(?:\.\d+)+$|@\w+\.\w+$/.test(
    path,
  );
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign in a name.
    return path;
  }
}

/**
 * The paths in the lines of a result. A search writes a path, and below it the numbers of its lines; they belong to it.
 */
export function resultLinks(lines: readonly string[]): readonly (readonly PathLink[])[] {
  let file: string | undefined;
  return lines.map((line) => {
    const found = pathLinks(line);
    const number = /^ {0,8}(\d{1,7})(?:[:-](?: |$)|-\d+ )/.exec(line);
    if (number && file !== undefined) {
      const start = line.search(/\d/);
      const end = start + (number[1]?.length ?? 0);
      return [{ start, end, path: file, ...numbers(number[1], undefined) }, ...found];
    }
    if (/^\S.*[^:]$/.test(line) && pathTarget(line)?.line === undefined)
      file = pathTarget(line)?.path ?? file;
    const outline = / in (\S+):$/.exec(line);
    if (outline) file = pathTarget(outline[1] ?? '')?.path;
    return found;
  });
}
