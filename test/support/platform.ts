import { isAll } from '../hosts/random-cases';

/**
 * For features that Windows lacks: bash, links without special rights, modes, named pipes, and names with any
 * character.
 */
export const posix = only(process.platform !== 'win32', 'Windows has no POSIX shell, paths, links and modes');

/** For features that only Linux has: `setsid`, `/proc`, GNU programs, names that differ in case. */
export const linux = only(process.platform === 'linux', 'needs setsid, /proc or GNU programs');

/** For tests that take long and seldom find something: only the long line runs them. */
export const long = only(isAll, '`npm run test:all` runs it');

interface Registers {
  readonly describe: (title: string, body: (this: Mocha.Suite) => void) => void;
  readonly it: (title: string, test: (this: Mocha.Context) => void | PromiseLike<void>) => void;
}

/** Where they do not run, the tests are listed as skipped, with the reason. */
function only(isHere: boolean, why: string): Registers {
  const unless = (title: string): string => `${title} (not here: ${why})`;
  return {
    describe: (title, body) => void (isHere ? describe(title, body) : describe.skip(unless(title), body)),
    it: (title, test) => void (isHere ? it(title, test) : it.skip(unless(title), test)),
  };
}
