import type { Problem } from './calls';
import { END } from './vcp-marks';

/** What VCP alone has to say about a call that cannot run. */

export const ESCAPE_HINT = 'A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.';

export const UNENDED: Problem = {
  code: 'missing-end',
  message: 'A new call begins before the end marker of this one.',
  hint: `End every call with ${END}.`,
};

export function unnumbered(key: string): Problem {
  return {
    code: 'unknown-argument',
    message: `"${key}" belongs to none of the numbered commands.`,
    hint: 'Write one block for each call, without numbers.',
  };
}

export function strayText(text: string): Problem {
  return {
    code: 'stray-text',
    message: `"${text === '' ? '「始」' : text}" is no argument of the form key:「始」value「末」.`,
    hint: `Write every argument as key:「始」value「末」. ${ESCAPE_HINT}`,
  };
}
