import type { Rule } from '../../core/words/grammar';
import { choice, GrammarBuilder, repeat, sequence, text } from './rules';

/**
 * Any text that contains none of the given tokens: one rule for each state of their automaton (Aho and Corasick), each
 * of which may end. The result maps a preceding text to its rule. `others`: what else may come where such a text is not
 * begun, with its first character; with `unfinished` tokens, no text ends.
 */
export function without(
  build: GrammarBuilder,
  name: string,
  tokens: readonly string[],
  {
    others = [],
    unfinished = [],
  }: { readonly others?: readonly Other[]; readonly unfinished?: readonly string[] } = {},
): (behind?: string) => Rule {
  const states = automaton(tokens);
  const ruleOf = (state: State): Rule => {
    const known = names.get(state);
    if (known) return known;
    const rule: Rule = { type: 'rule', name: build.nameFor(name) };
    names.set(state, rule);
    build.set(rule.name, text(''));
    const steps = transitionsOf(states, state);
    const free = others.filter(({ at }) => at === undefined || at === state.path);
    const taken = noneOf([...steps.keys(), ...others.map(({ first }) => first)]);
    const waysOf = (all: Transitions): Rule[] =>
      [...grouped(all)].map(([next, chars]) => sequence(oneOf(chars), ruleOf(next)));
    const bypassOf = (all: readonly Other[]): Rule[] =>
      all.map(({ rule: each, then }) => sequence(each, ruleOf(states.at(then))));
    // Transitions that are the same everywhere are written once.
    const isUsual = [...usual].every(([char, next]) => steps.get(char) === next && steps.has(char));
    const mayEnd = !unfinished.includes(state.path);
    const own = new Map([...steps].filter(([char]) => !usual.has(char)));
    build.set(
      rule.name,
      isUsual && state !== states.root && mayEnd
        ? choice(
            sequence(taken, ruleOf(states.root)),
            ...waysOf(own),
            ...bypassOf(free.filter(({ at }) => at !== undefined)),
            build.once(`${name}-else`, () =>
              choice(text(''), ...waysOf(usual), ...bypassOf(others.filter(({ at }) => at === undefined))),
            ),
          )
        : choice(
            ...(mayEnd ? [text('')] : []),
            sequence(taken, ruleOf(states.root)),
            ...waysOf(steps),
            ...bypassOf(free),
          ),
    );
    return rule;
  };
  const usual = transitionsOf(states, states.root);
  const names = new Map<State, Rule>();
  return (behind = '') => ruleOf(states.at(behind));
}

interface Other {
  readonly first: string;
  readonly rule: Rule;
  /** The text after which it may come; anywhere by default. */
  readonly at?: string;
  /** The text after which reading continues. */
  readonly then: string;
}

interface State {
  readonly path: string;
  readonly next: Map<string, State>;
  isEnd: boolean;
  fallback?: State;
}

interface Automaton {
  readonly root: State;
  readonly at: (path: string) => State;
}

function automaton(tokens: readonly string[]): Automaton {
  const root: State = { path: '', next: new Map(), isEnd: false };
  for (const token of tokens) {
    let state = root;
    for (const char of token) {
      const next = state.next.get(char) ?? { path: state.path + char, next: new Map(), isEnd: false };
      state.next.set(char, next);
      state = next;
    }
    state.isEnd = true;
  }
  const queue = [...root.next.values()];
  for (let state = queue.shift(); state; state = queue.shift()) {
    for (const [char, next] of state.next) {
      next.fallback = step(root, state.fallback ?? root, char);
      next.isEnd ||= next.fallback.isEnd;
      queue.push(next);
    }
  }
  return {
    root,
    at: (path) => Array.from(path).reduce((state, char) => step(root, state, char), root),
  };
}

function step(root: State, from: State, char: string): State {
  for (
    let state: State | undefined = from;
    state;
    state = state === root ? undefined : (state.fallback ?? root)
  ) {
    const next = state.next.get(char);
    if (next) return next;
  }
  return root;
}

/** Transitions that do not lead back to the root; a character that would complete a token has none. */
type Transitions = ReadonlyMap<string, State | undefined>;

function transitionsOf({ root }: Automaton, state: State): Transitions {
  const chars = new Set<string>();
  for (let each: State | undefined = state; each; each = each === root ? undefined : (each.fallback ?? root))
    for (const char of each.next.keys()) chars.add(char);
  return new Map(
    [...chars].map((char) => {
      const next = step(root, state, char);
      return [char, next.isEnd ? undefined : next] as const;
    }),
  );
}

function grouped(steps: Transitions): Map<State, string[]> {
  const groups = new Map<State, string[]>();
  for (const [char, next] of steps) if (next) groups.set(next, [...(groups.get(next) ?? []), char]);
  return groups;
}

function oneOf(chars: readonly string[]): Rule {
  return choice(...chars.map(text));
}

function noneOf(chars: readonly string[]): Rule {
  return {
    type: 'char',
    set: { isNegated: true, ranges: [...new Set(chars)].map((char) => [char, char] as const) },
  };
}

/** Prefix length that distinguishes markers from prose: rules for whole markers would be too many. */
const PREFIX = 3;

/**
 * What a reply may say beside its calls: no marker of any form, no reasoning tag, no open fence. Code in fences and
 * between backticks may contain anything.
 */
export function freeText(build: GrammarBuilder, marks: readonly string[]): (behind?: string) => Rule {
  const tokens = new Set<string>([...OBJECTS, ...LISTS, '~~~', '`']);
  for (const mark of marks) {
    // A word counts only at the beginning of a line.
    if (/^[A-Za-z>]/.test(mark)) tokens.add(`\n${mark}`);
    else if (!/^[[{]$/.test(mark)) tokens.add(mark.slice(0, PREFIX));
  }
  const inline = build.add('inline', sequence('`', repeat(noneOf(['`', '\n']), 1), '`'));
  const line = build.add('code-line', sequence(repeat(noneOf(['`', '\n'])), '\n'));
  const fence = build.add(
    'fence',
    sequence('```', repeat(noneOf(['`', '\n', ' '])), '\n', repeat(line), '```\n'),
  );
  return without(build, 't', [...tokens], {
    others: [
      { first: '`', rule: inline, then: '' },
      { first: '`', rule: fence, at: '\n', then: '\n' },
    ],
    unfinished: ['['],
  });
}

/** All that `isBlank` accepts, except the Ogham space, which breaks the grammar compiler of vLLM and SGLang. */
const BLANKS = Array.from(
  ' \n\t\r\v\f\u00a0\u2028\u2029\u202f\u205f\u3000\u2060\ufeff' +
    '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d',
);
/** What may begin an object or a list of them, also if the next call belongs to it. */
const OBJECTS = ['"', "'", '“', ...BLANKS].map((char) => `{${char}`);
const LISTS = ['{', ...BLANKS].map((char) => `[${char}`);
