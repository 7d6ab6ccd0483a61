import type { Grammar, Rule } from '../../core/words/grammar';

/** In the syntax that both llama.cpp and xgrammar accept. */
export function toGbnf({ rules }: Grammar): string {
  return [...rules].map(([name, rule]) => `${name} ::= ${written(rule, 'top')}\n`).join('');
}

/**
 * `within`: the surrounding rule, which decides where parentheses are needed. In parentheses, blanks stand only between
 * names: they would be a fifth of the grammar.
 */
function written(rule: Rule, within: 'top' | 'group' | 'sequence' | 'repeat', isGroup = false): string {
  switch (rule.type) {
    case 'text':
      return `"${escaped(rule.text, /["\\]/)}"`;
    case 'char':
      return `[${rule.set.isNegated ? '^' : ''}${rule.set.ranges.map(range).join('')}]`;
    case 'rule':
      return rule.name;
    case 'sequence': {
      const isInner = isGroup || within === 'repeat';
      const all = rule.parts.map((part) => written(part, 'sequence', isInner));
      const parts = isInner ? all.reduce(beside) : all.join(' ');
      return within === 'repeat' ? `(${parts})` : parts;
    }
    case 'choice': {
      if (within === 'top') return rule.of.map((each) => written(each, 'group')).join(' | ');
      const of = rule.of.map((each) => written(each, 'group', true)).join('|');
      return within === 'group' ? of : `(${of})`;
    }
    case 'repeat': {
      const { min, max } = rule;
      const times =
        max === undefined
          ? min === 0
            ? '*'
            : min === 1
              ? '+'
              : `{${min},}`
          : min === 0 && max === 1
            ? '?'
            : `{${min === max ? max : `${min},${max}`}}`;
      return written(rule.rule, 'repeat', isGroup) + times;
    }
  }
}

/** One part after another; two names need a blank between them. */
function beside(before: string, part: string): string {
  return /[\w-]$/.test(before) && /^[\w-]/.test(part) ? `${before} ${part}` : before + part;
}

function range([from, to]: readonly [string, string]): string {
  const [first, last] = [from, to].map((char) => escaped(char, /[\]\\^-]/));
  return from === to ? (first ?? '') : `${first}-${last}`;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(literal: string, special: RegExp): string {
  return Array.from(literal)
    .map((char) => {
      const named = NAMED[char];
      if (named !== undefined) return named;
      if (special.test(char)) return `\\${char}`;
      const code = char.codePointAt(0) ?? 0;
      return code < 0x20 || code === 0x7f ? `\\x${code.toString(16).padStart(2, '0').toUpperCase()}` : char;
    })
    .join('');
}
