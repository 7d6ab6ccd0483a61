import type { Rule } from '../../core/words/grammar';
import { chars, choice, sequence, text, type GrammarBuilder } from './rules';

/** What surrounds tags: the rules of the text in which they stand. */
interface Surroundings {
  /** The text behind a character. */
  readonly behind: (char: string) => Rule;
  /** Any character that begins a token of the text, with what follows; or nothing more. */
  readonly usual: Rule;
  /** Those characters. */
  readonly special: readonly string[];
}

interface WordNode {
  readonly next: Map<string, WordNode>;
  isEnd: boolean;
}

const LOWER = Array.from('abcdefghijklmnopqrstuvwxyz');
const LETTERS = [...LOWER, ...LOWER.map((char) => char.toUpperCase())];
/** Another word may begin behind these. */
const SEPARATORS = ['_', ':', '/', '▁'];
const BARS = ['|', '｜'];
/** What else ends a word of some mark. */
const ENDS = ['>', '=', ' ', '-', ']'];
/** A letter that some tokenizers leave in a tag. */
const NEVER = 'Ġ';
/** Letters of a word that other words may share: a rule for each further letter would be too many. */
const SHARED = 5;

/**
 * What follows a `<` so that no mark is complete. Marks are spelled with prefixes (`<seed:tool_call>`), so a mark is a
 * word that begins behind `<` or a separator. Tags between bars (`<|end|>`) are never closed.
 */
export function tagWords(build: GrammarBuilder, marks: readonly string[], text_: Surroundings): Rule {
  const root: WordNode = { next: new Map(), isEnd: false };
  const odd = new Set([NEVER]);
  for (const mark of marks) {
    const word = wordOf(mark, marks);
    if (word === '') odd.add(Array.from(mark)[1] ?? NEVER);
    else if (word !== undefined) put(root, word);
  }
  return new TagRules(build, root, [...odd], text_).begin(false);
}

/** The word that tells a mark from other tags; `undefined` if it needs none. */
function wordOf(mark: string, marks: readonly string[]): string | undefined {
  if (/[|｜]>/.test(mark) || marks.some((each) => each !== mark && mark.startsWith(each))) return undefined;
  const word = mark
    .slice(1)
    .replace(/^.*[:/|｜] ?(?=.)/, '')
    .replace(/^[a-z]+_(?=tool|function|think)/, '')
    .replace(/>.*$/, '>')
    // Tags of tools are long, and hardly anything else has their first part.
    .replace(/^(?!tool|function|think)([^_-]+[_-]).*$/, '$1')
    .replace(/^([A-Z]{5}).*$/, '$1');
  return word.startsWith(NEVER) || mark.includes(NEVER)
    ? undefined
    : (/^[A-Za-z_:>= -]*/.exec(word)?.[0] ?? '');
}

function put(root: WordNode, word: string): void {
  let node = root;
  for (const char of word) {
    const next = node.next.get(char) ?? { next: new Map(), isEnd: false };
    node.next.set(char, next);
    node = next;
  }
  node.isEnd = true;
}

class TagRules {
  constructor(
    private readonly build: GrammarBuilder,
    private readonly root: WordNode,
    private readonly odd: readonly string[],
    private readonly around: Surroundings,
  ) {}

  /** A word begins; behind a bar, the tag is not closed. */
  begin(isBehindBar: boolean): Rule {
    const without = isBehindBar ? ['>', ']', ' '] : [']'];
    return this.build.once(isBehindBar ? 'bar' : 'tag', () =>
      choice(
        this.build.once('tag-word', () => choice(...this.letters(this.root, 0))),
        // DeepSeek V4.1 writes a blank there.
        ...(isBehindBar ? [sequence(' ', this.begin(true))] : []),
        this.others(without),
      ),
    );
  }

  private node(node: WordNode, depth: number): Rule {
    const others = [...node.next].filter(([char]) => !LETTERS.includes(char));
    const onwards = others.flatMap(([char, next]) =>
      next.isEnd ? [] : [sequence(char, this.node(next, depth + 1))],
    );
    return choice(...this.letters(node, depth), ...onwards, this.others(others.map(([char]) => char)));
  }

  private letters(node: WordNode, depth: number): Rule[] {
    const next = [...node.next].filter(([char]) => LETTERS.includes(char));
    const ways = next.flatMap(([char, each]) =>
      each.isEnd ? [] : [sequence(char, this.node(each, depth + 1))],
    );
    if (depth >= SHARED) return ways;
    const others = depth === 0 || next.some(([char]) => char < 'a') ? LETTERS : LOWER;
    return [...ways, sequence(oneOf(others.filter((char) => !node.next.has(char))), this.word())];
  }

  /** The rest of a word that is in no mark. */
  private word(): Rule {
    return this.build.once(
      'word',
      () => choice(sequence(chars('a-zA-Z'), this.word()), this.others([])),
      'y',
    );
  }

  /** What follows letters, except some characters. */
  private others(without: readonly string[]): Rule {
    return this.build.once(
      `w-${without.map((char) => char.codePointAt(0)).join('-')}`,
      () => {
        const ends = [...ENDS, ...SEPARATORS].filter((char) => !without.includes(char));
        return choice(
          ...ends.map((char) =>
            sequence(char, SEPARATORS.includes(char) ? this.begin(false) : this.around.behind(char)),
          ),
          this.rest(),
        );
      },
      'w',
    );
  }

  private rest(): Rule {
    return this.build.once(
      'rest-of-tag',
      () => {
        const known = [...ENDS, ...SEPARATORS, ...BARS, ...this.odd, ...this.around.special];
        const other: Rule = {
          type: 'char',
          set: {
            isNegated: true,
            ranges: [
              ['a', 'z'],
              ['A', 'Z'],
              ['0', '9'],
              ...[...new Set(known)].map((char) => [char, char] as const),
            ],
          },
        };
        return choice(
          sequence(other, this.around.behind('')),
          sequence(chars('0-9'), this.word()),
          ...BARS.map((char) => sequence(char, this.begin(true))),
          this.around.usual,
        );
      },
      'w',
    );
  }
}

/** A class of letters, as ranges. */
function oneOf(letters: readonly string[]): Rule {
  const ranges: [string, string][] = [];
  for (const letter of letters) {
    const last = ranges.at(-1);
    if (last && letter.charCodeAt(0) === last[1].charCodeAt(0) + 1) last[1] = letter;
    else ranges.push([letter, letter]);
  }
  return ranges.length > 0 ? { type: 'char', set: { isNegated: false, ranges } } : text('');
}
