/** The first words of a command: `git status`. */
export type Rule = readonly string[];

/** A rule of the user. */
export interface AllowRule {
  /** As in the settings: `npm test`, `packages/web: npm test`, `find **`. */
  readonly text: string;
  /** Its words, without a `**`. */
  readonly words: Rule;
  /** The folder it applies to, below a workspace folder, with `/`; the workspace folder itself if not given. */
  readonly folder?: string;
  /** It ends in `**`: it covers any further words. */
  readonly isOpen: boolean;
  /** It ends in `HOST/**`: addresses below this one, which ends in a slash, may be among them. */
  readonly host?: string;
}

/** Splits a rule into words as a shell does: `pytest -k "a and b"` has three. */
export function parseRule(text: string): Rule {
  return Array.from(text.matchAll(WORD), ([word]) => word.replace(PART, unquoted));
}

const WORD = /(?:"(?:[^"\\]|\\[^])*"|'[^']*'|\S)+/gu;
const PART = /"((?:[^"\\]|\\[^])*)"|'([^']*)'/gu;

function unquoted(_: string, double: string | undefined, single: string | undefined): string {
  return single ?? (double ?? '').replace(/\\([$`"\\\n])/gu, '$1');
}

/** A rule of exactly these words; the reverse of `parseRule`. */
export function ruleText(words: Rule): string {
  return words.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(' ');
}

const PLAIN = /^[\w@%+,./:^#=~*?[\]\\{}!-]+$/u;

function quoted(word: string): string {
  return word.includes("'") ? `"${word.replace(/[$`"\\]/gu, '\\$&')}"` : `'${word}'`;
}

export function parseAllowRule(text: string): AllowRule {
  const all = parseRule(text);
  const [, folder] = /^(.+):$/u.exec(all[0] ?? '') ?? [];
  const words = folder === undefined ? all : all.slice(1);
  const last = words.at(-1) ?? '';
  const [, host] = HOST.exec(last) ?? [];
  const isOpen = last === '**' || host !== undefined;
  return {
    text,
    words: isOpen ? words.slice(0, -1) : words,
    ...(folder !== undefined && { folder }),
    isOpen,
    ...(host !== undefined && { host }),
  };
}

/** `https://api.example.com/**`, `api.example.com/v1/**`, `localhost:3000/**` */
const HOST =
  /^((?:https?:\/\/(?=[^/]))?(?:localhost|(?:[\w-]+\.)+[\w-]+|(?<=\/\/)[\w-]+)(?::\d+)?\/(?:[\w./-]*\/)?)\*\*$/iu;

/** Compares whole words, case-sensitively. A rule without words matches nothing. */
export function fitsRule(words: readonly string[], rule: Rule): boolean {
  return rule.length > 0 && rule.every((word, index) => word === words[index]);
}

/** A row of one of the tables; a program called `constructor` has none. */
export function rowFor<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The row of the first name that has one. */
export function rowOf<T>(table: Readonly<Record<string, T>>, names: readonly string[]): T | undefined {
  return names.map((name) => rowFor(table, name)).find((row) => row !== undefined);
}
