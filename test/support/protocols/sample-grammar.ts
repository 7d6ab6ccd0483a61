import type { CharSet, Grammar, Rule } from '../../../src/core/words/grammar';

/** Returns a random text that the grammar allows; `random` returns numbers from 0 to 1. */
export function sampleGrammar(
  grammar: Grammar,
  random: () => number,
  { most = 400, isAscii = false } = {},
): string {
  const { rules } = grammar;
  const least = leastLengths(grammar);
  const said: string[] = [];
  let length = 0;
  const say = (text: string): void => {
    said.push(text);
    length += text.length;
  };
  const strings = new Set<string>();
  // A grammar cannot require different keys, so no quoted text is used twice.
  const drawString = (rule: Rule, depth: number): void => {
    const [count, before] = [said.length, length];
    for (let more = 0; ; more += 20) {
      draw(rule, depth, more);
      const string = unescaped(said.slice(count).join(''));
      if (!strings.has(string)) return void strings.add(string);
      said.length = count;
      length = before;
    }
  };
  /** `more`: how much longer than usual the text gets. */
  const draw = (rule: Rule, depth: number, more = 0): void => {
    // Texts that are long or deep enough take the shortest way out.
    const isTired = (): boolean => length > most + more || depth > 60 + more;
    switch (rule.type) {
      case 'text':
        return say(rule.text);
      case 'char':
        return say(charOf(rule.set, random, isAscii ? readRight(rule.set) : [...ASCII, ...OTHERS]));
      case 'rule': {
        const found = rules.get(rule.name);
        if (!found) throw new Error(`No rule ${rule.name}`);
        return /(?:^|-)string$/.test(rule.name) && more === 0
          ? drawString(found, depth + 1)
          : draw(found, depth + 1, more);
      }
      case 'sequence':
        return rule.parts.forEach((part) => draw(part, depth, more));
      case 'choice': {
        const ways = isTired() ? shortest(rule.of, least) : goingOn(rule.of, random);
        const way = ways[Math.floor(random() * ways.length)];
        return way && draw(way, depth, more);
      }
      case 'repeat': {
        const { min, max = min + 12 } = rule;
        const times = min + Math.floor(random() * (Math.min(max, min + 12) - min + 1));
        for (let time = 0; time < times && !(time >= min && isTired()); time++)
          draw(rule.rule, depth + 1, more);
      }
    }
  };
  const root = rules.get('root');
  if (root) draw(root, 0);
  return said.join('');
}

const ASCII = Array.from('aZ09 _-./\\"\'{}[]()<>|=:,;&%$#@!?*+^~`\t\n\r');
const OTHERS = ['é', '名', '「', '🙂', '\u00a0', '\u200b'];

/** xgrammar 0.1.27 compares only the last byte of non-ASCII characters in a class: `\\` then matches `｜`. */
function readRight({ ranges }: CharSet): readonly string[] {
  const misread = ranges.map(([from]) => from.codePointAt(0) ?? 0).filter((code) => code > 0x7f);
  return ASCII.filter((char) => misread.every((code) => (code & 0xff) !== char.codePointAt(0)));
}

function charOf({ isNegated, ranges }: CharSet, random: () => number, chars: readonly string[]): string {
  const isIn = (char: string): boolean => {
    const code = char.codePointAt(0) ?? 0;
    return ranges.some(
      ([from, to]) => code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0),
    );
  };
  const allowed = isNegated
    ? chars.filter((char) => !isIn(char))
    : ranges.flatMap(([from, to]) => {
        const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
        return [String.fromCodePoint(first + Math.floor(random() * (last - first + 1)))];
      });
  return allowed[Math.floor(random() * allowed.length)] ?? '';
}

/** Returns the common form of two spellings of one text. */
function unescaped(written: string): string {
  return written.replace(/\\(?:u([0-9a-f]{4})|([^]))/g, (_, code?: string, char?: string) =>
    code === undefined ? (NAMED[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const NAMED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text that may end anywhere would usually end early. */
const ENDS = 0.05;

function goingOn(of: readonly Rule[], random: () => number): readonly Rule[] {
  const others = of.filter((rule) => rule.type !== 'text' || rule.text !== '');
  return others.length > 0 && others.length < of.length && random() > ENDS ? others : of;
}

/** Returns the alternatives that end soonest. */
function shortest(of: readonly Rule[], least: ReadonlyMap<string, number>): readonly Rule[] {
  const all = of.map((rule) => lengthOf(rule, least));
  const shortestLength = Math.min(...all);
  return of.filter((_, at) => all[at] === shortestLength);
}

function lengthOf(rule: Rule, least: ReadonlyMap<string, number>): number {
  switch (rule.type) {
    case 'text':
      return rule.text.length;
    case 'char':
      return 1;
    case 'sequence':
      return rule.parts.reduce((sum, part) => sum + lengthOf(part, least), 0);
    case 'choice':
      return Math.min(...rule.of.map((each) => lengthOf(each, least)));
    case 'repeat':
      return rule.min === 0 ? 0 : rule.min * lengthOf(rule.rule, least);
    case 'rule':
      return least.get(rule.name) ?? Infinity;
  }
}

const known = new WeakMap<Grammar, ReadonlyMap<string, number>>();

/** Returns the length of the shortest text of each rule. */
function leastLengths(grammar: Grammar): ReadonlyMap<string, number> {
  const found = known.get(grammar);
  if (found) return found;
  const least = new Map<string, number>();
  for (let isChanging = true; isChanging;) {
    isChanging = false;
    for (const [name, rule] of grammar.rules) {
      const length = lengthOf(rule, least);
      if (length >= (least.get(name) ?? Infinity)) continue;
      least.set(name, length);
      isChanging = true;
    }
  }
  known.set(grammar, least);
  return least;
}

const MODULUS = 2_147_483_647;

/** Returns numbers from 0 to 1, the same for the same seed, which is a whole number from 0 on. */
export function seededNumbers(seed: number): () => number {
  // A state of 0 or of the modulus would only produce 0.
  let state = (seed % (MODULUS - 1)) + 1;
  return () => (state = (state * 48_271) % MODULUS) / MODULUS;
}
