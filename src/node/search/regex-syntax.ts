import { POSIX, propertyName, wordSet } from './named-characters';

/** A pattern that is wrong or that only ripgrep supports. The message says why, in ripgrep's words if it has any. */
export class UnreadablePattern extends Error {}

interface RegexOptions {
  /** Whether the text will contain only ASCII characters. */
  readonly isAscii: boolean;
  /** Whether matches may contain line breaks. */
  readonly multiline: boolean;
}

interface ReadRegex {
  /** For a `RegExp` with the flag `v` and without `m`. Has no capturing groups. */
  readonly source: string;
  /** Set by flags at the start of the pattern. */
  readonly ignoreCase: boolean | undefined;
  /** A text that every match contains; empty if none is known. */
  readonly required: string;
}

/**
 * Converts a regular expression from ripgrep's syntax to a JavaScript one that matches the same lines. Like ripgrep, it
 * rejects look-around and back-references. Throws `UnreadablePattern`.
 */
export function readRegex(pattern: string, options: RegexOptions): ReadRegex {
  const reader = new RegexReader(pattern, options);
  const source = reader.whole();
  return { source, ignoreCase: reader.ignoreCase, required: reader.required };
}

/** Escapes a character, also for use in a class. */
export function literal(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Replaces bytes that are not valid UTF-8. For ripgrep, these are not characters. */
const BROKEN = '\\u{fffd}';

const LOOK_AROUND = 'look-around, including look-ahead and look-behind, is not supported';

class RegexReader {
  ignoreCase: boolean | undefined;
  required = '';
  private dotIsAll = false;
  private at = 0;

  constructor(
    private readonly pattern: string,
    private readonly options: RegexOptions,
  ) {}

  whole(): string {
    this.leadingFlags();
    const runs: string[] = [];
    const branches = [this.branch(runs)];
    while (this.takes('|')) branches.push(this.branch());
    if (this.at < this.pattern.length) throw new UnreadablePattern('unopened group');
    if (branches.length === 1) this.required = runs.reduce((a, b) => (b.length > a.length ? b : a), '');
    return branches.join('|');
  }

  private leadingFlags(): void {
    const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/.exec(this.pattern);
    if (!flags) return;
    const [whole, on = '', off = ''] = flags;
    if (/[^imsUuxR]/.test(on + off)) throw new UnreadablePattern('unrecognized flag');
    // The flags `m` and `u` are always on.
    if (/[UxR]/.test(on + off) || /[mu]/.test(off))
      throw new UnreadablePattern('flags other than i and s need ripgrep, which is not here');
    if (/i/.test(on + off)) this.ignoreCase = on.includes('i');
    this.dotIsAll = on.includes('s');
    this.at = whole.length;
  }

  private alternatives(): string {
    const branches = [this.branch()];
    while (this.takes('|')) branches.push(this.branch());
    return branches.join('|');
  }

  /** Adds to `runs` the literal texts that every match of the branch contains. */
  private branch(runs: string[] = []): string {
    let source = '';
    runs.push('');
    while (this.at < this.pattern.length && !/[|)]/.test(this.next)) {
      const begin = this.at;
      const { atom, isRepeated } = this.repeated();
      source += atom;
      const plain = this.pattern.slice(begin, this.at);
      if (!isRepeated && /^[^\\.^$([]$/u.test(plain)) runs.push((runs.pop() ?? '') + plain);
      else runs.push('');
    }
    return source;
  }

  private repeated(): { readonly atom: string; readonly isRepeated: boolean } {
    if (/[*+?{]/.test(this.next)) throw new UnreadablePattern('repetition operator missing expression');
    let atom = this.atom();
    let isRepeated = false;
    for (let count = this.repetition(); count !== undefined; count = this.repetition()) {
      atom = `(?:${atom})${count}`;
      isRepeated = true;
    }
    return { atom, isRepeated };
  }

  private repetition(): string | undefined {
    if (/^[*+?]$/.test(this.next)) {
      const operator = this.take();
      return operator + (this.takes('?') ? '?' : '');
    }
    if (!this.takes('{')) return undefined;
    const rest = this.pattern.slice(this.at);
    if (!/^\s*\d/.test(rest)) throw new UnreadablePattern('repetition quantifier expects a valid decimal');
    const found = /^\s*(\d+)\s*(,\s*(\d*)\s*)?\}/.exec(rest);
    if (!found) throw new UnreadablePattern('unclosed counted repetition');
    const [whole, least = '', comma, most = ''] = found;
    if (most !== '' && Number(most) < Number(least))
      throw new UnreadablePattern('invalid repetition count range, the start must be <= the end');
    this.at += whole.length;
    return `{${least}${comma === undefined ? '' : `,${most}`}}${this.takes('?') ? '?' : ''}`;
  }

  private atom(): string {
    const character = this.take();
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return this.withoutBreak(this.characterClass());
      case '\\':
        return this.escape();
      case '.':
        return this.withoutBreak(this.dotIsAll ? '[^]' : '[^\\r\\n]');
      case '^':
        return '(?:(?<=\\n)|^)';
      case '$':
        // Before a line break, including a CR.
        return '(?<!\\r(?=\\n))(?=\\r?(?:\\n|$))';
      default:
        return literal(character);
    }
  }

  private group(): string {
    if (this.takes('?')) {
      const rest = this.pattern.slice(this.at);
      if (/^(?:[=!]|<[=!])/.test(rest)) throw new UnreadablePattern(LOOK_AROUND);
      const head = /^(?::|P?<([A-Za-z_][\w.[\]]*)>)/.exec(rest);
      if (!head) {
        if (/^P?</.test(rest)) throw new UnreadablePattern('invalid capture group character');
        if (/^[imsUuxR-]+[:)]/.test(rest))
          throw new UnreadablePattern('flags in the middle need ripgrep, which is not here');
        throw new UnreadablePattern('unrecognized flag');
      }
      this.at += head[0].length;
    }
    const inner = this.alternatives();
    if (!this.takes(')')) throw new UnreadablePattern('unclosed group');
    return `(?:${inner})`;
  }

  private escape(): string {
    const { isAscii } = this.options;
    if (this.at === this.pattern.length)
      throw new UnreadablePattern('incomplete escape sequence, reached end of pattern prematurely');
    const set = this.classEscape();
    if (set !== undefined) return this.withoutBreak(`[${set}]`);
    const character = this.next;
    const word = `[${wordSet(isAscii)}]`;
    switch (character) {
      case 'b':
      case 'B':
        this.take();
        if (this.pattern.startsWith('{', this.at))
          throw new UnreadablePattern('this kind of word boundary needs ripgrep, which is not here');
        if (isAscii) return `\\${character}`;
        return character === 'b'
          ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
          : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
      case '<':
        this.take();
        return `(?<!${word})(?=${word})`;
      case '>':
        this.take();
        return `(?<=${word})(?!${word})`;
      case 'A':
      case 'z':
        throw new UnreadablePattern(`\\${character} needs ripgrep, which is not here; ^ and $ are read`);
      default:
        return literal(this.escapedCharacter());
    }
  }

  /** `\d`, `\pL` and the like, as the content of a class. */
  private classEscape(): string | undefined {
    const { isAscii } = this.options;
    const letter = this.next;
    const sets: Readonly<Record<string, string>> = {
      d: isAscii ? '0-9' : '\\p{Nd}',
      s: isAscii ? '\\t-\\r\\u{20}' : '\\p{White_Space}',
      w: wordSet(isAscii),
    };
    const set = sets[letter.toLowerCase()];
    if (set !== undefined) {
      this.take();
      return letter === letter.toLowerCase() ? set : `[^${set}]`;
    }
    if (letter !== 'p' && letter !== 'P') return undefined;
    const found = /^[pP](?:\{(\^?)([^{}]*)\}|(\w))/.exec(this.pattern.slice(this.at));
    if (!found) throw new UnreadablePattern('incomplete escape sequence, reached end of pattern prematurely');
    const [whole, not = '', name = '', short = ''] = found;
    this.at += whole.length;
    const isNegated = (letter === 'P') !== (not === '^');
    const property = propertyName(name === '' ? short : name);
    if (property === undefined) throw new UnreadablePattern('Unicode property not found');
    return `${isNegated ? '\\P' : '\\p'}{${property}}`;
  }

  private escapedCharacter(): string {
    const character = this.take();
    const plain = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[character];
    if (plain !== undefined) return plain;
    if (/[xuU]/.test(character)) return this.hexadecimal(character);
    if (/\d/.test(character)) throw new UnreadablePattern('backreferences are not supported');
    if (/[A-Za-z<>]/.test(character) || character > '\x7f')
      throw new UnreadablePattern('unrecognized escape sequence');
    return character;
  }

  private hexadecimal(letter: string): string {
    const digits = { x: 2, u: 4, U: 8 }[letter] ?? 0;
    const form = new RegExp(`^(?:\\{([0-9A-Fa-f]{1,8})\\}|([0-9A-Fa-f]{${digits}}))`);
    const found = form.exec(this.pattern.slice(this.at));
    if (!found) throw new UnreadablePattern('invalid hexadecimal digit');
    this.at += found[0].length;
    const code = parseInt(found[1] ?? found[2] ?? '', 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw new UnreadablePattern('hexadecimal literal is not a Unicode scalar value');
    return String.fromCodePoint(code);
  }

  /** Reads a class after its opening bracket. */
  private characterClass(): string {
    const negated = this.takes('^');
    let set = '';
    let items = '';
    let operator = '';
    let isFirst = true;
    const apply = (): void => {
      const operand = `[${items}]`;
      set = operator === '' ? operand : `[${set}${operator}${operand}]`;
      items = '';
    };
    for (;;) {
      if (this.at >= this.pattern.length) throw new UnreadablePattern('unclosed character class');
      if (!isFirst && this.takes(']')) break;
      const next = /^(?:&&|--|~~)/.exec(this.pattern.slice(this.at))?.[0];
      if (next === '~~') throw new UnreadablePattern('~~ in a class needs ripgrep, which is not here');
      if (next !== undefined && !isFirst) {
        apply();
        operator = next;
        this.at += 2;
      } else items += this.classItem();
      isFirst = false;
    }
    apply();
    return negated ? `[^${set}]` : set;
  }

  private classItem(): string {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.pattern.slice(this.at));
    const known = posix && POSIX[posix[2] ?? ''];
    if (posix && known !== null && known !== undefined) {
      this.at += posix[0].length;
      return posix[1] === '^' ? `[^${known}]` : known;
    }
    if (this.takes('[')) return this.characterClass();
    const from = this.classCharacter();
    if (from.set !== undefined) return from.set;
    const isRange = this.next === '-' && !/^-(?:\]|-|$)/.test(this.pattern.slice(this.at));
    if (!isRange) return literal(from.character);
    this.take();
    const to = this.classCharacter();
    if (to.set !== undefined) throw new UnreadablePattern('invalid range boundary, must be a literal');
    if ((to.character.codePointAt(0) ?? 0) < (from.character.codePointAt(0) ?? 0))
      throw new UnreadablePattern('invalid character class range, the start must be <= the end');
    return `${literal(from.character)}-${literal(to.character)}`;
  }

  private classCharacter(): { readonly character: string; readonly set?: string } {
    const character = this.take();
    if (character !== '\\') return { character };
    const set = this.classEscape();
    return set === undefined ? { character: this.escapedCharacter() } : { character, set };
  }

  private withoutBreak(set: string): string {
    const { multiline, isAscii } = this.options;
    return `[${set}--[${isAscii ? '' : BROKEN}${multiline ? '' : '\\r\\n'}]]`;
  }

  private get next(): string {
    return this.pattern.charAt(this.at);
  }

  private takes(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  /** Takes a whole character, even one of two code units. */
  private take(): string {
    const code = this.pattern.codePointAt(this.at);
    if (code === undefined) throw new UnreadablePattern('unclosed character class');
    const character = String.fromCodePoint(code);
    this.at += character.length;
    return character;
  }
}
