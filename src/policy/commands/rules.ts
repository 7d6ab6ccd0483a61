/** The first words of a command: `git status`. */
export type Rule = readonly string[];

/** A rule of the user. */
export interface AllowRule {
  /** As in the settings: `npm test`, `packages/web: npm test`. */
  readonly text: string;
  readonly words: Rule;
  /** The folder it applies to, below a workspace folder, with `/`; the workspace folder itself if not given. */
  readonly folder?: string;
}

export function parseRule(text: string): Rule {
  return text.split(/\s+/u).filter((word) => word !== '');
}

export function parseAllowRule(text: string): AllowRule {
  const words = parseRule(text);
  const [, folder] = /^(.+):$/u.exec(words[0] ?? '') ?? [];
  return folder === undefined ? { text, words } : { text, words: words.slice(1), folder };
}

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
