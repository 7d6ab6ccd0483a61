/** Files whose brackets match wherever they are right. */
const BRACKETED: ReadonlySet<string> = new Set([
  ...['js', 'cjs', 'mjs', 'jsx', 'ts', 'cts', 'mts', 'tsx', 'json', 'jsonc', 'css', 'scss', 'less'],
  ...['c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'java', 'kt', 'go', 'rs', 'swift', 'php', 'dart', 'scala', 'py'],
]);
const HASH_COMMENTS: ReadonlySet<string> = new Set(['py', 'php']);

const CLOSERS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/**
 * Which bracket of a file no longer has its counterpart, although all had one before. Nothing if it cannot be said:
 * texts and comments are left out by a simple reading, so a file that it misreads does not match before either.
 */
export function brokenBracket(path: string, before: string, after: string): string | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (!BRACKETED.has(extension) || unmatched(before, extension) !== undefined) return undefined;
  return unmatched(after, extension);
}

function unmatched(text: string, extension: string): string | undefined {
  const open: string[] = [];
  for (const [bracket] of bare(text, extension).matchAll(/[()[\]{}]/g)) {
    const opener = CLOSERS.get(bracket);
    if (opener === undefined) open.push(bracket);
    else if (open.pop() !== opener) return `a ${bracket} without its opening bracket`;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `a ${last} that is never closed`;
}

/** Without texts and comments. */
function bare(text: string, extension: string): string {
  return text.replace(HASH_COMMENTS.has(extension) ? HASHED : SLASHED, '');
}

// What is never closed reaches to the end of its line or of the file, so that each character is read once.
const QUOTED = String.raw`"(?:[^"\\\n]|\\[^])*(?:"|(?=\n)|$)|'(?:[^'\\\n]|\\[^])*(?:'|(?=\n)|$)`;
const HASHED = new RegExp(String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${QUOTED}|#.*`, 'g');
const SLASHED = new RegExp(
  String.raw`/\*[^]*?(?:\*/|$)|//.*|${QUOTED}|${'`'}(?:[^${'`'}\\]|\\[^])*(?:${'`'}|$)`,
  'g',
);
