import type { Grammar, Rule } from '../../core/words/grammar';

export const EMPTY: Rule = { type: 'text', text: '' };

export function text(literal: string): Rule {
  return { type: 'text', text: literal };
}

/** `chars('a-z_')`, `chars('^<\n')`: a `-` between two characters makes a range, one at an end is literal. */
export function chars(pattern: string): Rule {
  const isNegated = pattern.startsWith('^');
  const all = Array.from(pattern.slice(isNegated ? 1 : 0));
  const ranges: [string, string][] = [];
  for (let at = 0; at < all.length; at++) {
    const [from = '', dash, to] = all.slice(at, at + 3);
    const isRange = dash === '-' && to !== undefined;
    ranges.push([from, isRange ? to : from]);
    if (isRange) at += 2;
  }
  return { type: 'char', set: { isNegated, ranges } };
}

/** Rules in sequence; adjacent texts are merged. */
export function sequence(...parts: readonly (Rule | string)[]): Rule {
  const rules: Rule[] = [];
  for (const rule of parts.map(asRule).flatMap((part) => (part.type === 'sequence' ? part.parts : [part]))) {
    const last = rules.at(-1);
    if (rule.type !== 'text') rules.push(rule);
    else if (last?.type === 'text') rules[rules.length - 1] = text(last.text + rule.text);
    else if (rule.text !== '') rules.push(rule);
  }
  const [only = text('')] = rules;
  return rules.length <= 1 ? only : { type: 'sequence', parts: rules };
}

export function choice(...of: readonly (Rule | string)[]): Rule {
  const rules = of.map(asRule);
  const [only] = rules;
  return rules.length === 1 && only ? only : { type: 'choice', of: rules };
}

export function optional(rule: Rule | string): Rule {
  return repeat(rule, 0, 1);
}

export function repeat(rule: Rule | string, min = 0, max?: number): Rule {
  return { type: 'repeat', rule: asRule(rule), min, ...(max !== undefined && { max }) };
}

function asRule(rule: Rule | string): Rule {
  return typeof rule === 'string' ? text(rule) : rule;
}

/** Maximum number of different compositions in the schema of a tool; others allow anything. */
const MOST_COMPOSITIONS = 100;

/** Collects the rules of a grammar. Names contain only letters, digits and `-`, which every server accepts. */
export class GrammarBuilder {
  private readonly rules = new Map<string, Rule>();
  private readonly things = new Map<object, number>();
  private readonly wishes = new Map<string, string>();
  /** The last number in use, by name. */
  private readonly numbers = new Map<string, number>();

  /** A unique name for a rule. */
  nameFor(wanted: string): string {
    const plain =
      wanted
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 48) || 'rule';
    let name = plain;
    let number = this.numbers.get(plain) ?? 1;
    while (this.rules.has(name)) name = `${plain}${++number}`;
    this.numbers.set(plain, number);
    return name;
  }

  /** Adds a rule under a new name and refers to it. */
  add(wanted: string, rule: Rule | string): Rule {
    const name = this.nameFor(wanted);
    this.rules.set(name, asRule(rule));
    return { type: 'rule', name };
  }

  set(name: string, rule: Rule): void {
    this.rules.set(name, rule);
  }

  /** The same rule for the same wish, made at the first request; it may refer to itself. */
  once(wanted: string, make: () => Rule, called = wanted): Rule {
    const known = this.wishes.get(wanted);
    if (known !== undefined) return { type: 'rule', name: known };
    const name = this.nameFor(called);
    this.wishes.set(wanted, name);
    this.rules.set(name, EMPTY);
    this.rules.set(name, make());
    return { type: 'rule', name };
  }

  /** A text that is written often. */
  shared(wanted: string, literal: string): Rule {
    return this.once(wanted, () => text(literal));
  }

  /**
   * The first part of a whole that is written like this one: those of recursive parts are composed anew. Nothing if the
   * whole has too many.
   */
  composition(whole: object, part: object): object | undefined {
    const known = this.compositions.get(whole) ?? new Map<string, object>();
    this.compositions.set(whole, known);
    const written = JSON.stringify(part);
    const found = known.get(written);
    if (found === undefined && known.size >= MOST_COMPOSITIONS) return undefined;
    known.set(written, found ?? part);
    return found ?? part;
  }

  private readonly compositions = new WeakMap<object, Map<string, object>>();

  /** The same rule for the same object and wish, under a unique name. */
  onceFor(thing: object, wanted: string, make: () => Rule): Rule {
    const number = this.things.get(thing) ?? this.things.size;
    this.things.set(thing, number);
    return this.once(`${wanted}-${number}`, make);
  }

  build(root: Rule): Grammar {
    return { rules: new Map([['root', root], ...this.rules]) };
  }
}
