import { plainPrograms } from './programs';
import type { StartedProgram } from './started-programs';

/**
 * Programs that other tables cover, or that only show or send their arguments: what looks like code is text to them.
 */
const TEXT_ONLY: ReadonlySet<string> = new Set(
  'git gh glab hg svn docker podman nerdctl docker-compose kubectl helm ack ag ugrep yq gojq bat batcat sort uniq'
    .split(' ')
    .concat([...plainPrograms]),
);

/** The next word is a search text or a message. */
const SAYING =
  /^(?:-[kmtg]|-{1,2}(?:run|grep|fgrep|filter|match|testNamePattern|test-name-pattern|tests|title|message|name|description|logger|marker|expression))$/u;

const DATA = /(?:^|[=,:])data:/iu;

/** Code of the common languages, and objects with settings. */
const CODE =
  /[`\n]|\$[({]|=>|;\s*\S|\b(?:eval|exec|system|require|import|spawn|popen|compile|function)\s*\(|__import__|^\s*(?:import|from)\s+\w|^\s*[{[].*[:\]}]/su;

/** The last word of the name of an option that loads or starts its value. */
const LOADS: ReadonlySet<string> = new Set(
  [
    'plugin plugins module modules loader loaders wrapper wrappers wrap hook hooks command commands cmd exec execute',
    'require import preload eval interpreter executable runner resolver transform transformer shell bootstrap launcher',
    'agent javaagent agentlib agentpath program vcs prelude setup teardown addon addons',
  ]
    .join(' ')
    .split(' '),
);

/** Options of this kind whose value is a word, not a module. */
const HARMLESS: ReadonlySet<string> = new Set(['tsc --module', 'nest --module', 'ng --module']);

/** Options that take the name of something built in, or of a file to load. */
const BUILT_IN_OR_FILE = /^--?(?:reporters?|format(?:ter)?|environment|testEnvironment|parser|preset)$/iu;
const CODE_FILE = /^\.{0,2}\/|\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|so|dll|dylib|jar|sh|ps1)$/iu;

/**
 * Why a word that the rule does not name asks: it contains code, or names code that the program would load. What
 * programs do with unlisted options is unknown.
 */
export function whyBringsCode(
  texts: readonly string[],
  programs: readonly StartedProgram[],
  named: number,
): string | undefined {
  const { program } = programs.at(-1) ?? { program: '' };
  const outermost = programs[0]?.program ?? '';
  const isTextOnly = TEXT_ONLY.has(outermost);
  for (let at = named; at < texts.length; at++) {
    const word = texts[at] ?? '';
    const before = texts[at - 1] ?? '';
    if (isTextOnly) continue;
    if (DATA.test(word)) return `${shortened(word)} contains code`;
    const [, name, value] = /^(--?[^=:]+)(?:[=:](.*))?$/su.exec(word) ?? [];
    if (name !== undefined && loads(name) && !HARMLESS.has(`${program} ${name}`))
      return `${name} may load or start what it names`;
    const file =
      name !== undefined && BUILT_IN_OR_FILE.test(name) ? value : BUILT_IN_OR_FILE.test(before) ? word : '';
    if (file !== undefined && CODE_FILE.test(file)) return `${shortened(word)} may be loaded as code`;
    if (!SAYING.test(before) && !(name !== undefined && SAYING.test(name)) && CODE.test(word))
      return `${shortened(word)} may be code`;
  }
  return undefined;
}

/** `--test-command`, `--globalSetup`, `-javaagent`; not `--no-plugins`, `--import-mode`. */
function loads(name: string): boolean {
  const words = name
    .replace(/^--?/u, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])/gu, '-')
    .toLowerCase()
    .split(/[-_.]/u);
  if (!name.startsWith('--') && name.length < 5) return false;
  return words[0] !== 'no' && LOADS.has(words.at(-1) ?? '');
}

function shortened(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
