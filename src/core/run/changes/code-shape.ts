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

/**
 * What introduces a name in the languages that models write most; a language that is missing here only loses a
 * question.
 */
const DEFINITION =
  /(?:^|[\s(;{])(?:function\*?|class|def|fn|func|interface|enum|trait|struct|type|const|let|var|export default)\s{1,9}([A-Za-z_$][\w$]{0,99})|\bexports\.([A-Za-z_$][\w$]{0,99})\s{0,9}=/g;

/** The bounds keep it linear on texts that no one would write. `const { a, b: c } = require('x')`, `import { a as c } from 'x'`, `from x import a, b as c` */
const BROUGHT =
  /\b(?:const|let|var|import)(?: type)?\s{0,9}\{([^{}]{0,2000})\}|^[ \t]{0,99}from [^\s]{1,200} import \(?([^()\n]{0,2000})/gm;

/** The names that a file defines or imports. */
export function definedNames(text: string): ReadonlySet<string> {
  const own = [...text.matchAll(DEFINITION)].map(([, name, exported]) => name ?? exported ?? '');
  const brought = [...text.matchAll(BROUGHT)].flatMap(([, names, pythons]) =>
    (names ?? pythons ?? '').split(',').map((each) => /([A-Za-z_$][\w$]*)$/.exec(each.trimEnd())?.[1] ?? ''),
  );
  return new Set([...own, ...brought].filter(Boolean));
}
