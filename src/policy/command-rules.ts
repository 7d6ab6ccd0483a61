/** A rule names the first words of a command: `git status`. */
export type Rule = readonly string[];

export function parseRule(text: string): Rule {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Whole words, case and all. A rule without words fits nothing. */
export function fitsRule(words: readonly string[], rule: Rule): boolean {
  return rule.length > 0 && rule.every((word, index) => word === words[index]);
}
