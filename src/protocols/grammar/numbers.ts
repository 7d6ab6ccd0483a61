import type { Rule } from '../../core/words/grammar';
import { chars, choice, optional, repeat, sequence, text, type GrammarBuilder } from './rules';

const DIGIT = chars('0-9');
/** As many significant digits survive in a double. */
const SIGNIFICANT = 15;

/** An integer that a double holds exactly. */
export function integerRule(build: GrammarBuilder): Rule {
  return build.once('integer', () => {
    const most = String(Number.MAX_SAFE_INTEGER);
    return choice('0', sequence(optional('-'), choice(digits(most.length - 1), upTo(most))));
  });
}

/** A finite number as JSON writes it, with bounded digits. */
export function numberRule(build: GrammarBuilder): Rule {
  return build.once('number', () => {
    const fraction = sequence('.', repeat(DIGIT, 1, 22));
    const big = sequence(digits(SIGNIFICANT), repeat('0', 1, 6));
    const exponent = sequence(
      chars('eE'),
      choice(sequence(optional('+'), exponentUpTo('307')), sequence('-', exponentUpTo('324'))),
    );
    const mantissa = sequence(chars('1-9'), optional(sequence('.', repeat(DIGIT, 1, 16))));
    const [, highest = ''] = String(Number.MAX_VALUE).split('e');
    const rest = (most: number): Rule => repeat(DIGIT, 0, most);
    const biggest = choice(
      String(Number.MAX_VALUE),
      sequence('1', optional(sequence('.', chars('0-6'), rest(15))), `e${highest}`),
    );
    const unsigned = choice(
      sequence(choice('0', digits(SIGNIFICANT)), fraction),
      big,
      sequence(mantissa, exponent),
      biggest,
    );
    return choice(integerRule(build), sequence(optional('-'), unsigned));
  });
}

/** At most so many digits, without a leading zero. */
function digits(most: number): Rule {
  return sequence(chars('1-9'), repeat(DIGIT, 0, most - 1));
}

/** As many digits as there are, which make no bigger number. */
function upTo(most: string, least = 1): Rule {
  const [first = '0', rest] = [most[0], most.slice(1)];
  if (rest === '') return chars(`0-${first}`);
  const exact = sequence(first, upTo(rest, 0));
  const lower = below(first, least);
  return lower ? choice(sequence(lower, repeat(DIGIT, rest.length, rest.length)), exact) : exact;
}

function below(digit: string, least: number): Rule | undefined {
  const most = Number(digit) - 1;
  if (most < least) return undefined;
  return most === least ? text(`${least}`) : chars(`${least}-${most}`);
}

/** A number of up to three digits. */
function exponentUpTo(most: string): Rule {
  return choice(DIGIT, sequence(chars('1-9'), DIGIT), upTo(most));
}
