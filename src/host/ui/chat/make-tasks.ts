import { limits } from '../../../base/limits';
import { visibleText } from '../../../base/text';
import type { StarterTask } from '../../../contract/chat';
import { factsOf } from '../../../models/demo/code-facts';
import { splitLines } from '../../../tools/text/lines';

/** Facts about a folder. Paths are relative to it. */
interface FolderLook {
  readonly code: readonly string[];
  readonly manifests: readonly string[];
  /** Texts of some of them. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isTrusted: boolean;
}

const MOST_TASKS = 3;

/** Three useful first tasks for the folder, the best first. */
export function makeTasks({ code, manifests, texts, isTrusted }: FolderLook): readonly StarterTask[] {
  const candidates = explainable(code);
  const named = candidates.map((path) => ({ path, name: nameToFind(path, texts.get(path)) }));
  const chosen = named.find(({ name }) => name !== undefined) ?? named[0];
  const others = candidates.filter((path) => path !== chosen?.path);
  const tasks: StarterTask[] = [
    ...(chosen ? [{ type: 'explain', path: chosen.path } as const] : []),
    ...(isTrusted && hasTests(code, manifests, texts) ? [{ type: 'tests' } as const] : []),
    ...(chosen?.name === undefined ? [] : [{ type: 'uses', name: chosen.name } as const]),
    { type: 'project' },
    ...others.slice(0, 1).map((path) => ({ type: 'explain', path }) as const),
    { type: 'todos' },
  ];
  const shown = tasks.slice(0, MOST_TASKS);
  return shown.length < MOST_TASKS ? [...shown, { type: 'list' }] : shown;
}

/** A few source files worth explaining: no tests, nothing generated, files near the root first. */
export function explainable(code: readonly string[]): readonly string[] {
  const rank = (path: string): number =>
    (/^(?:src|lib|app|pkg|internal|cmd)\//.test(path) ? 0 : 100) + path.split('/').length;
  return code
    .filter(
      (path) => !isTest(path) && !/\.(?:d\.[cm]?ts|min\.js|config\.\w+)$|(?:^|\/)__init__\.py$/.test(path),
    )
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, limits.starterTexts);
}

function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec|fixtures?)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/i.test(
    path,
  );
}

function hasTests(
  code: readonly string[],
  manifests: readonly string[],
  texts: ReadonlyMap<string, string>,
): boolean {
  const has = (name: string): boolean => manifests.includes(name);
  const manifest = texts.get('package.json') ?? '';
  if (/"test"\s*:\s*"(?!echo \\"Error: no test)/.test(manifest)) return true;
  if (/^test\s*:(?!=)/m.test(texts.get('Makefile') ?? '')) return true;
  const ofLanguage = has('go.mod') || has('Cargo.toml') || has('pyproject.toml') || has('pytest.ini');
  return has('Cargo.toml') || (ofLanguage && code.some(isTest));
}

/** A name that the file exports and that can be searched for. */
function nameToFind(path: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const lines = splitLines(text).map((line, at) => ({ number: at + 1, text: line.slice(0, 500) }));
  const { exported, definitions } = factsOf(path, lines);
  const known = exported.length > 0 ? exported : definitions.map(({ name }) => name);
  return known.find((name) => /^[A-Za-z_]\w{2,39}$/.test(name) && !/^(?:main|init|default)$/i.test(name));
}

/** A plain name that means nothing special in a message: no spaces, quotes, mentions or hidden characters. */
export function isPlainPath(path: string): boolean {
  return (
    path.length <= limits.starterPathCharacters &&
    /^[\p{L}\p{N}_][\p{L}\p{N}_./+-]*$/u.test(path) &&
    visibleText(path) === path
  );
}
