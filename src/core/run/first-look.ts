/** Files that are read before the first step. */
const MOST_READ = 3;

/** Characters that can be part of a path or a name; others, also those of other scripts, are around it. */
const PART = String.raw`[\w./\\@+-]`;

/** The sentences of a message. */
export function sentencesOf(message: string): readonly string[] {
  return message.split(/(?<=[.!?])\s+|(?<=[。！？])|\n/);
}

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

/** The first name of code in a message: between back ticks, spelled as names are, or behind what it is. */
export function namedSymbol(message: string): string | undefined {
  const names = [/`([A-Za-z_$][\w$]{2,})`/, SPELLED, INTRODUCED].flatMap((pattern) => {
    const found = pattern.exec(message);
    return found?.[1] === undefined ? [] : [{ at: found.index, name: found[1] }];
  });
  return names.sort((a, b) => a.at - b.at)[0]?.name;
}

/** `parsePrice`, `QuotaExceeded`, `parse_price`, `MAX_SIZE` */
const SPELLED = /(?<![\w./-])([a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z]\w*_\w+)(?![\w./-])/;
const INTRODUCED =
  /\bthe (?:function|class|method|variable|constant|option|setting|field|type|interface)\s+(?!(?:that|which|with|for|and|from|has|does|uses)\b)([A-Za-z_$][\w$]{2,})(?![\w./-])/;

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

/** A longer run of such characters is no path. */
const LONGEST = 300;

/** What may be a path, without a sentence's punctuation behind it. */
export function pathsIn(message: string): readonly string[] {
  const found = message.match(new RegExp(`${PART}+`, 'g')) ?? [];
  return found
    .filter((each) => each.length <= LONGEST)
    .map((each) =>
      each
        .replaceAll('\\', '/')
        .replace(/^\.\//, '')
        .replace(/[./]+$/, ''),
    )
    .filter((each) => /[./]|^\w+$/.test(each));
}

/** Whether a message asks for an answer, and for no change. */
export function isQuestion(message: string): boolean {
  return QUESTION.test(message) && !asksForChange(message);
}

/** Whether a message has an order to change something. */
export function asksForChange(message: string): boolean {
  return CHANGES.test(message);
}

const QUESTION =
  /[?？]\s*(?:$|\n|[A-Z\p{Script=Han}])|^\s*(?:what|which|where|who|why|when|how (?:many|much|long|old|does|do|is|are))\b/iu;

/** Whether a message asks to change every place of a name. */
export function isRenaming(message: string): boolean {
  return /\b(?:rename|renaming)\b|改名|重命名|改为|リネーム/i.test(message);
}

/** The first folder that a message names. */
export function namedFolder(message: string, files: readonly string[]): string | undefined {
  return pathsIn(message).find((path) => files.some((file) => file.startsWith(`${path}/`)));
}

/** Orders to change something, also those between other sentences. */
const CHANGES =
  /\b(?:add|append|change|convert|correct|create|delete|edit|fix|implement|insert|make|modify|move|refactor|remove|rename|replace|rewrite|set|update|write)\b|(?:修改|更改|添加|增加|删除|创建|新建|更新|移动|重命名|修复|替换|改成|改为|写入)/i;
