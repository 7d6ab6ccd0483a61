import type { Problem } from './calls';

/** What several protocols have to say about a call that cannot run. */

export function unfinished(closer: string): Problem {
  return {
    code: 'unfinished',
    message: 'The call was not finished before the reply ended.',
    hint: `Send it again, ending with ${closer}; write long files in several steps.`,
  };
}

export function unclosed(key: string, closer: string): Problem {
  return {
    code: 'unclosed-value',
    message: key === '' ? 'A value was not closed.' : `The value of "${key}" was not closed.`,
    hint: `Close every value with ${closer} and send the call again; write long files in several steps.`,
  };
}

/** Something stands in the call that is none of its arguments. */
export function unknown(key: string, hint: string): Problem {
  return { code: 'unknown-argument', message: `There is no argument "${key}".`, hint };
}

export function malformed(message: string, hint = 'Send it again exactly in the form shown.'): Problem {
  return { code: 'malformed-block', message, hint };
}

export function twice(key: string): Problem {
  return { code: 'duplicate-argument', message: `"${key}" is given twice.`, hint: `Give "${key}" once.` };
}
