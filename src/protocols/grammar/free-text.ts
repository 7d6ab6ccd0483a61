import type { CharSet, Rule } from '../../core/words/grammar';
import { Automaton, type State, type Transitions } from './automaton';
import { tagWords } from './tag-words';
import { chars, choice, GrammarBuilder, repeat, sequence, text } from './rules';

/** A text between others, from some place on. */
export interface FreeText {
  /** The rest behind a text, which may have begun one of the tokens. */
  (behind?: string): Rule;
  /** Any token's first character with what follows it, or the end. */
  readonly usual: (without?: string) => Rule;
  /** From its beginning on, without what no text begins with there. */
  readonly start: (at?: number) => Rule;
}

interface FreeTextOptions {
  /** What else may come where such a text is not begun, with its first character. */
  readonly others?: readonly Other[];
  /** Where no text ends. */
  readonly unfinished?: readonly string[];
  /** Characters that are nowhere. */
  readonly never?: CharSet['ranges'];
  /** What only ASCII letters follow, if anything. */
  readonly wordsBehind?: readonly string[];
  /** For each start, what no text begins with, blanks aside. */
  readonly begins?: readonly (readonly string[])[];
}

/**
 * Any text that contains none of the given tokens: a rule for each state of their automaton, each of which may end.
 */
export function without(
  build: GrammarBuilder,
  name: string,
  tokens: readonly string[],
  options: FreeTextOptions = {},
): FreeText {
  const states = new Automaton(tokens, options.begins, BLANKS.join(''));
  const rules = new StateRules(build, name, states, options);
  return Object.assign((behind = '') => rules.named(states.behind(behind)), {
    start: (at = 0) => rules.named(states.start(at)),
    usual: (none?: string) => rules.usually(none),
  });
}

class StateRules {
  private readonly names = new Map<State, Rule>();
  private readonly steps = new Map<State, Transitions>();
  private readonly same: ReadonlyMap<State, State>;
  private readonly usual: Transitions;
  /** States that only one other leads to: they are written there. */
  private readonly single: ReadonlySet<State>;
  private readonly others: readonly Other[];

  constructor(
    private readonly build: GrammarBuilder,
    private readonly name: string,
    private readonly states: Automaton,
    private readonly options: FreeTextOptions,
  ) {
    const { others = [] } = options;
    this.others = others;
    this.same = states.same((state) =>
      [this.mayEnd(state), this.bypasses(state).length, this.isBeforeWord(state)].join(),
    );
    this.usual = this.transitions(states.root);
    this.single = this.reachedOnce();
  }

  named(given: State): Rule {
    const state = this.same.get(given) ?? given;
    const known = this.names.get(state);
    if (known) return known;
    const rule: Rule = { type: 'rule', name: this.build.nameFor(this.name) };
    this.names.set(state, rule);
    this.build.set(rule.name, text(''));
    this.build.set(rule.name, this.body(state));
    return rule;
  }

  private body(state: State): Rule {
    const { states, others } = this;
    const steps = this.transitions(state);
    const taken = this.isBeforeWord(state)
      ? chars('a-zA-Z')
      : noneOf([...steps.keys(), ...others.map(({ first }) => first)], this.options.never);
    const rest = sequence(taken, this.named(states.root));
    // Transitions that are the same everywhere are written once.
    if (state !== states.root && this.mayEnd(state) && this.isUsual(steps)) {
      const own = new Map([...steps].filter(([char]) => !this.usual.has(char)));
      const bypasses = this.bypasses(state).filter(({ at }) => at !== undefined);
      return choice(rest, ...this.waysOf(own), ...this.bypassOf(bypasses), this.usually());
    }
    const ways = [...this.waysOf(steps), ...this.bypassOf(this.bypasses(state))];
    return choice(...(this.mayEnd(state) ? [text('')] : []), rest, ...ways);
  }

  usually(without = ''): Rule {
    const anywhere = this.others.filter(({ at }) => at === undefined);
    const ways = new Map([...this.usual].filter(([char]) => !without.includes(char)));
    return this.build.once(`${this.name}-e${without === '' ? '' : '2'}`, () =>
      choice(text(''), ...this.waysOf(ways), ...this.bypassOf(anywhere)),
    );
  }

  private isUsual(steps: Transitions): boolean {
    return [...this.usual].every(([char, next]) => steps.get(char) === next && steps.has(char));
  }

  private isBeforeWord({ path }: State): boolean {
    return (this.options.wordsBehind ?? []).includes(path);
  }

  private mayEnd({ path }: State): boolean {
    return !(this.options.unfinished ?? []).includes(path);
  }

  private bypasses({ path }: State): readonly Other[] {
    return this.others.filter(({ at }) => at === undefined || at === path);
  }

  private transitions(state: State): Transitions {
    const known = this.steps.get(state) ?? this.transitionsOf(state);
    this.steps.set(state, known);
    return known;
  }

  private transitionsOf(state: State): Transitions {
    return new Map(
      [...this.states.transitions(state)].map(([char, next]) => [
        char,
        next && (this.same.get(next) ?? next),
      ]),
    );
  }

  private waysOf(steps: Transitions): Rule[] {
    return [...grouped(steps)].map(([next, chars]) =>
      sequence(oneOf(chars), this.single.has(next) ? this.body(next) : this.named(next)),
    );
  }

  private bypassOf(others: readonly Other[]): Rule[] {
    return others.map(({ rule, then }) =>
      then === undefined ? rule : sequence(rule, this.named(this.states.behind(then))),
    );
  }

  private reachedOnce(): ReadonlySet<State> {
    const once = new Set<State>();
    const often = new Set<State>([this.states.root]);
    for (const state of new Set(this.same.values())) {
      const steps = this.transitions(state);
      const isUsual = state !== this.states.root && this.isUsual(steps);
      for (const next of grouped(steps).keys()) {
        if (isUsual && [...this.usual.values()].includes(next)) often.add(next);
        if (once.has(next) || next === state || state === this.states.root) often.add(next);
        once.add(next);
      }
    }
    return new Set([...once].filter((state) => !often.has(state)));
  }
}

interface Other {
  readonly first: string;
  readonly rule: Rule;
  /** The text after which it may come; anywhere by default. */
  readonly at?: string;
  /** The text after which reading continues; without it, the rule goes on by itself. */
  readonly then?: string;
}

function grouped(steps: Transitions): Map<State, string[]> {
  const groups = new Map<State, string[]>();
  for (const [char, next] of steps) if (next) groups.set(next, [...(groups.get(next) ?? []), char]);
  return groups;
}

function oneOf(chars: readonly string[]): Rule {
  return choice(...chars.map(text));
}

function noneOf(chars: readonly string[], ranges: CharSet['ranges'] = []): Rule {
  const single = [...new Set(chars)].map((char) => [char, char] as const);
  return { type: 'char', set: { isNegated: true, ranges: [...ranges, ...single] } };
}

/** How much of a mark that is no tag distinguishes it from prose: rules for whole marks would be too many. */
const PREFIX = 4;
const LINE_PREFIX = 10;

/**
 * What a reply may say beside its calls: no marker of any form, no reasoning tag, no open fence. Code in fences and
 * between backticks may contain anything.
 */
export function freeText(build: GrammarBuilder, marks: readonly string[]): (behind?: string) => Rule {
  const tokens = new Set<string>([...OBJECTS, ...LISTS, '~~~', '`']);
  for (const mark of marks) {
    // A word counts only at the beginning of a line.
    if (/^[A-Za-z>]/.test(mark)) tokens.add(`\n${mark.slice(0, LINE_PREFIX)}`);
    // Behind these, `<` begins a tag or a bracket.
    else if (!/^(?:[[{]$|<|\]<)/.test(mark)) tokens.add(mark.slice(0, PREFIX));
  }
  const inline = build.add('inline', sequence('`', repeat(noneOf(['`', '\n']), 1), '`'));
  const line = build.add('code-line', sequence(repeat(noneOf(['`', '\n'])), '\n'));
  const fence = build.add(
    'fence',
    sequence('```', repeat(noneOf(['`', '\n', ' '])), '\n', repeat(line), '```\n'),
  );
  const tag = build.add('open-tag', '');
  const said = without(build, 't', [...tokens], {
    others: [
      { first: '`', rule: inline, then: '' },
      { first: '`', rule: fence, at: '\n', then: '\n' },
      { first: '<', rule: tag },
    ],
    unfinished: ['['],
  });
  const tags = marks.filter((mark) => mark.startsWith('<') && !mark.startsWith('<<'));
  const special = [...new Set([...tokens].map((token) => token[0] ?? '')), '<'];
  const word = tagWords(build, [...new Set(tags)], { behind: said, usual: said.usual('='), special });
  if (tag.type === 'rule') build.set(tag.name, sequence('<', word));
  return said;
}

/** All that `isBlank` accepts, except the Ogham space, which breaks the grammar compiler of vLLM and SGLang. */
export const BLANKS = Array.from(
  ' \n\t\r\v\f\u00a0\u2028\u2029\u202f\u205f\u3000\u2060\ufeff' +
    '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d',
);

/** What may begin an object or a list of them, also if the next call belongs to it. */
const OBJECTS = ['"', "'", '“', ...BLANKS].map((char) => `{${char}`);
const LISTS = ['{', ...BLANKS].map((char) => `[${char}`);
