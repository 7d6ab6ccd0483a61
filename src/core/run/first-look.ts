/** Files that are read before the first step. */
const MOST_READ = 3;

/** Characters that can be part of a path or a name; others, also those of other scripts, are around it. */
const PART = String.raw`[\w./\\@+-]`;

/**
 * The project's files that a message names, in its order, at most three: by their path, or by their name if only one
 * file has it.
 */
export function namedFiles(message: string, files: readonly string[]): readonly string[] {
  const byName = new Map<string, readonly string[]>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  const known = new Set(files);
  const found = pathsIn(message).flatMap((path) => {
    if (known.has(path)) return [path];
    const named = byName.get(path) ?? [];
    return named.length === 1 ? named : [];
  });
  return [...new Set(found)].slice(0, MOST_READ);
}

/**
 * Whether a message names something of the project, so that it cannot be answered without a look: a path, words
 * between back ticks, a name as code has them, or the tests.
 */
export function namesProject(message: string, files: readonly string[]): boolean {
  return (
    NAMES.some((pattern) => pattern.test(message)) || pathsIn(message).some((path) => isPath(path, files))
  );
}

const NAMES = [
  /`[^`\n]+`/,
  // `parsePrice`, `parse_price`, `parse()`, `MAX_SIZE`
  /(?<![\w])[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w])/,
  /(?<![\w])[A-Za-z]\w*_\w+/,
  /\w\(\)/,
  /(?<![\w])(?:tests?|specs?|unit tests)(?![\w])/i,
  /测试|テスト/,
];

function isPath(path: string, files: readonly string[]): boolean {
  return (
    /(?:\w\w\.[a-z]|\w\.[a-z]\w)\w{0,8}$/i.test(path) ||
    files.some((file) => file === path || file.startsWith(`${path}/`))
  );
}

/** What may be a path, without a sentence's punctuation behind it. */
function pathsIn(message: string): readonly string[] {
  const found = message.match(new RegExp(`${PART}+`, 'g')) ?? [];
  return found
    .map((each) =>
      each
        .replaceAll('\\', '/')
        .replace(/^\.\//, '')
        .replace(/[./]+$/, ''),
    )
    .filter((each) => /[./]|^\w+$/.test(each));
}

/** Whether a message asks for an answer, not for work; a worked example is then example enough. */
export function isQuestion(message: string): boolean {
  return (
    /[?？]\s*$/.test(message.trim()) ||
    /^\s*(?:what|which|where|who|why|when|how (?:many|much|long|old|does|do|is|are))\b/i.test(message)
  );
}
