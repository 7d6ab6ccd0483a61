import { findTable } from './find-table';
import { programName } from './programs';
import { rowFor } from './rules';
import { plainRunnerOptions, runners } from './tables/starters';
import { startedPrograms } from './started-programs';

/** Programs without a table that take nothing from the folder they start in. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  'git tar zip unzip curl wget ln chmod chown tee rmdir md5sum sha1sum sha256sum tr nl cmp comm seq fd yq aws az gcloud'.split(
    ' ',
  ),
);

/** Whether a command runs code of the project: a script, a target, an entry of a package file, a config. */
export function runsProjectCode(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (isAboutItself(words)) return false;
  if (/[\\/]/u.test(first) || rowFor(runners, programName(first)) !== undefined) return !isLooking(words);
  return startedPrograms(words).some(({ at }) => findTable(words.slice(at))?.table.runsFolder === true);
}

/** Whether a rule holds in one folder only: what it runs is of the project, or unknown. */
export function isOfFolder(words: readonly string[]): boolean {
  if (runsProjectCode(words)) return true;
  const isElsewhere = isAboutItself(words) || ELSEWHERE.has(programName(words[0] ?? ''));
  return !isElsewhere && findTable(words) === undefined;
}

/** `node --version` */
function isAboutItself([, ...rest]: readonly string[]): boolean {
  return rest.length === 1 && plainRunnerOptions.has(rest[0] ?? '');
}

/** `docker ps`, `go env` */
function isLooking(words: readonly string[]): boolean {
  const found = findTable(words);
  return found !== undefined && found.table.runsFolder !== true;
}
