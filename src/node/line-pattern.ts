import { literal, readRegex } from './regex-syntax';

export interface PatternOptions {
  readonly query: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
}

/** What is looked for, as JavaScript can. What the expressions find lies within a line unless it may span several. */
export interface LinePattern {
  /** For text of ASCII characters alone, which most is: there `\w` and the like are quick. */
  readonly ascii: RegExp;
  readonly unicode: RegExp;
  /** Only lines in which this is found are worth a closer look. */
  readonly hint?: RegExp;
  /** What a text must hold to be worth a look at all. */
  readonly bytes?: Buffer;
  readonly spansLines: boolean;
}

/** Throws `UnreadablePattern`. */
export function linePattern(options: PatternOptions): LinePattern {
  const { query, isRegex, caseSensitive } = options;
  const multiline = spansLines(options);
  const compile = (source: string, ignoreCase: boolean): RegExp =>
    new RegExp(source, ignoreCase ? 'giv' : 'gv');
  if (!isRegex) {
    const pattern = compile(Array.from(query, literal).join(''), !caseSensitive);
    const bytes = Buffer.from(query);
    return { ascii: pattern, unicode: pattern, spansLines: multiline, ...(caseSensitive && { bytes }) };
  }
  const ascii = readRegex(query, { isAscii: true, multiline });
  const unicode = readRegex(query, { isAscii: false, multiline });
  const ignoreCase = ascii.ignoreCase ?? !caseSensitive;
  const { required } = ascii;
  return {
    ascii: compile(ascii.source, ignoreCase),
    unicode: compile(unicode.source, ignoreCase),
    spansLines: multiline,
    ...(required !== '' &&
      !multiline && { hint: compile(Array.from(required, literal).join(''), ignoreCase) }),
    ...(required !== '' && !ignoreCase && { bytes: Buffer.from(required) }),
  };
}

export function spansLines({ query, isRegex }: Pick<PatternOptions, 'query' | 'isRegex'>): boolean {
  return query.includes('\n') || (isRegex && query.includes('\\n'));
}
