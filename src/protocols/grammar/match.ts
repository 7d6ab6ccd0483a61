import type { CharSet, Grammar, Rule } from '../../core/words/grammar';

/** Where a text leaves a grammar. */
export interface GrammarMatch {
  /** Whether the text is complete. */
  readonly isWhole: boolean;
  /**
   * Offset of the first character that no continuation allows, in UTF-16 units; absent if the text can be continued.
   */
  readonly leavesAt?: number;
  /** What may come there, or after an incomplete text. */
  readonly next?: NextAllowed;
  /** Where the steps were used up: nothing is known about the text from there on. */
  readonly stopsAt?: number;
}

export interface NextAllowed {
  /** Texts up to the next choice each, with the part before the position. */
  readonly texts: readonly { readonly written: string; readonly rest: string }[];
  readonly sets: readonly CharSet[];
  readonly mayEnd: boolean;
}

type GrammarElement = { readonly set: CharSet } | { readonly name: string };

/** The rules as alternatives of elements: what a matcher can step through. */
class Steps {
  readonly alternatives = new Map<string, readonly (readonly GrammarElement[])[]>();
  private count = 0;

  constructor({ rules }: Grammar) {
    for (const [name, rule] of rules) this.set(name, rule);
  }

  private set(name: string, rule: Rule): void {
    const of = rule.type === 'choice' ? rule.of : [rule];
    this.alternatives.set(
      name,
      of.map((each) => this.elements(each)),
    );
  }

  private own(rule: Rule): GrammarElement {
    const name = ` ${++this.count}`;
    this.set(name, rule);
    return { name };
  }

  private elements(rule: Rule): GrammarElement[] {
    switch (rule.type) {
      case 'text':
        return Array.from(rule.text).map((char) => ({ set: { isNegated: false, ranges: [[char, char]] } }));
      case 'char':
        return [{ set: rule.set }];
      case 'rule':
        return [{ name: rule.name }];
      case 'sequence':
        return rule.parts.flatMap((part) => this.elements(part));
      case 'choice':
        return [this.own(rule)];
      case 'repeat':
        return this.repeated(rule.rule, rule.min, rule.max);
    }
  }

  private repeated(rule: Rule, min: number, max: number | undefined): GrammarElement[] {
    const one = this.own(rule);
    const needed = Array.from({ length: min }, () => one);
    if (max === undefined) {
      const name = ` ${++this.count}`;
      this.alternatives.set(name, [[one, { name }], []]);
      return [...needed, { name }];
    }
    let rest: GrammarElement[] = [];
    for (let left = max - min; left > 0; left--) {
      const name = ` ${++this.count}`;
      this.alternatives.set(name, [[one, ...rest], []]);
      rest = [{ name }];
    }
    return [...needed, ...rest];
  }
}

/** What is still to come: the elements of one alternative from a position on, and what follows it. */
interface Stack {
  readonly elements: readonly GrammarElement[];
  readonly at: number;
  readonly below: Stack | undefined;
}

/**
 * Follows all paths through the grammar at once, as servers do that enforce it. The steps bound time and memory: with
 * hostile schemas, the paths may double at each character.
 */
export function matchGrammar(grammar: Grammar, reply: string, mostSteps = Infinity): GrammarMatch {
  const steps = new Steps(grammar);
  const [root = 'root'] = grammar.rules.keys();
  const ends = new Ends(mostSteps);
  let ways = expand(steps, [{ elements: [{ name: root }], at: 0, below: undefined }], ends);
  let at = 0;
  for (const char of reply) {
    if (ends.stepsLeft <= 0) return { isWhole: false, stopsAt: at };
    const next = ways.filter(({ elements, at: place }) => {
      const element = elements[place];
      return element && 'set' in element && holds(element.set, char);
    });
    if (next.length === 0) return { isWhole: false, leavesAt: at, next: nextOf(ways, ends) };
    ends.reached = false;
    ways = expand(
      steps,
      next.map((way) => ({ ...way, at: way.at + 1 })),
      ends,
    );
    at += char.length;
  }
  if (ends.stepsLeft <= 0) return { isWhole: false, stopsAt: at };
  return ends.reached ? { isWhole: true } : { isWhole: false, next: nextOf(ways, ends) };
}

class Ends {
  reached = false;

  constructor(public stepsLeft: number) {}
}

function nextOf(ways: readonly Stack[], { reached }: Ends): NextAllowed {
  const texts: NextAllowed['texts'][number][] = [];
  const sets: CharSet[] = [];
  // In the order of the grammar: the last path was pushed first.
  for (const { elements, at } of ways.toReversed()) {
    const chars = elements.map(singleOf);
    const first = elements[at];
    if (first && 'set' in first && chars[at] === undefined) sets.push(first.set);
    if (chars[at] === undefined) continue;
    const end = chars.indexOf(undefined, at);
    const written = chars.slice(chars.lastIndexOf(undefined, at) + 1, at).join('');
    texts.push({ written, rest: chars.slice(at, end < 0 ? undefined : end).join('') });
  }
  return { texts, sets, mayEnd: reached };
}

/** The only character that an element allows. */
function singleOf(element: GrammarElement): string | undefined {
  if (!('set' in element) || element.set.isNegated) return undefined;
  const [range, ...others] = element.set.ranges;
  return range && others.length === 0 && range[0] === range[1] ? range[0] : undefined;
}

/**
 * All stacks that wait for a character. A rule at the end is left before the next is entered, so that loops do not
 * grow.
 */
function expand(steps: Steps, stacks: readonly Stack[], ends: Ends): Stack[] {
  const found: Stack[] = [];
  const seen = new Map<readonly GrammarElement[], { at: number; below: Stack | undefined }[]>();
  const open = [...stacks];
  for (let stack = open.pop(); stack && ends.stepsLeft-- > 0; stack = open.pop()) {
    const { elements, at, below } = stack;
    const element = elements[at];
    if (!element) {
      if (below) open.push(below);
      else ends.reached = true;
      continue;
    }
    const places = seen.get(elements) ?? [];
    if (places.some((place) => place.at === at && isSame(place.below, below, ends))) continue;
    seen.set(elements, [...places, { at, below }]);
    if ('set' in element) {
      found.push(stack);
      continue;
    }
    const rest = at + 1 < elements.length ? { elements, at: at + 1, below } : below;
    for (const each of steps.alternatives.get(element.name) ?? [])
      open.push({ elements: each, at: 0, below: rest });
  }
  return found;
}

function isSame(one: Stack | undefined, other: Stack | undefined, ends: Ends): boolean {
  let [left, right] = [one, other];
  while (left && right && left !== right) {
    ends.stepsLeft--;
    if (left.elements !== right.elements || left.at !== right.at) return false;
    [left, right] = [left.below, right.below];
  }
  return left === right;
}

function holds({ isNegated, ranges }: CharSet, char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  const isIn = ranges.some(
    ([from, to]) => code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0),
  );
  return isIn !== isNegated;
}
