import { limits } from '../../base/limits';
import type { Verdict } from '../../core/words/verdict';
import type { PathFileSystem } from '../paths/path-file-system';
import { judgePath } from '../paths/paths';
import { ask, deny } from '../verdicts';
import { whyArgumentAsks } from './arguments';
import { readCommandText, type Shell } from './command-text';
import { findDenied, findNamed } from './denied';
import { plainTextsIn } from './folder-readers';
import { gitSubcommand } from './git';
import { guardedWords, type GuardedWords } from './guarded-words';
import { alwaysAsks, launchers, plainPrograms, programName, runsProjectCode } from './programs';
import { fitsRule, parseRule, rowFor, type Rule } from './rules';
import { announcesCode, lastTarget, namedByRunner, plainRunnerOptions, runners } from './runners';
import type { ShellGrammar, SimpleCommand } from './simple-commands';

export interface CommandRequest {
  /** The exact text that would run. */
  readonly command: string;
  readonly shell: Shell;
  /** Rules as in the settings: `git status`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly roots: readonly string[];
  /** Where it would run, absolute. */
  readonly cwd: string;
  readonly secretNames?: readonly string[];
  readonly ownFolders?: readonly string[];
}

export interface CommandPorts {
  /** Resolves to `undefined` when there is none; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  readonly files: PathFileSystem;
}

interface CommandVerdict extends Verdict {
  /** The commands found in the text, as words. Exact when the decision is `auto`, else as good as the text allows. */
  readonly commands: readonly (readonly string[])[];
}

/** Never throws. The order: deny rule, guard, allow rule, ask. */
export async function judgeCommand(request: CommandRequest, ports: CommandPorts): Promise<CommandVerdict> {
  const rules = foldWords(request.deny.map(parseRule), request.shell);
  if (request.command.length > limits.commandScanCharacters) {
    const named = findNamed(foldText(request.command, request.shell), rules);
    return { ...(named === undefined ? ask('the command is too long') : denied(named)), commands: [] };
  }
  const { reading, found } = await readCommandText(request.command, request.shell, ports.grammar);
  const rule = findDenied(foldWords(found, request.shell), rules);
  if (rule !== undefined) return { ...denied(rule), commands: found };
  if (reading.type === 'other') return { ...ask(reading.reason), commands: found };
  return { ...(await judgeAll(reading.commands, request, ports.files)), commands: found };
}

/**
 * The rules that would let this command run unasked from now on, each as short as is useful: the program and its
 * subcommand or script. Empty when no rule could do that or none is needed, and where a rule would have to lift a
 * guard or hold code: who wants that writes it in the settings.
 */
export async function narrowestRules(
  request: CommandRequest,
  ports: CommandPorts,
): Promise<readonly string[]> {
  if (request.command.length > limits.commandCharacters) return [];
  const { reading } = await readCommandText(request.command, request.shell, ports.grammar);
  if (reading.type === 'other') return [];
  const rules: string[] = [];
  for (const words of reading.commands) {
    if ((await judgeSimple(words, request, ports.files)).decision === 'auto') continue;
    const rule = await narrowestRule(words, request, ports.files);
    if (rule === undefined) return [];
    rules.push(rule);
  }
  const allow = [...request.allow, ...rules];
  return (await judgeCommand({ ...request, allow }, ports)).decision === 'auto' ? [...new Set(rules)] : [];
}

async function narrowestRule(
  words: SimpleCommand,
  request: CommandRequest,
  files: PathFileSystem,
): Promise<string | undefined> {
  const texts = words.map((word) => word.text);
  const program = programName(texts[0] ?? '');
  if (lastGuardedWord(program, texts) > 0) return undefined;
  const operand = texts.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  const isSubcommand = /^[a-z][a-z\d:-]*$/u.test(texts[operand] ?? '') && !plainPrograms.has(program);
  let rule = texts.slice(0, isSubcommand ? operand + 1 : 1);
  while (!namesEnough(rule, texts, program)) {
    if (rule.length === Math.min(texts.length, LONGEST_RULE)) return undefined;
    rule = texts.slice(0, rule.length + 1);
  }
  // A rule is words between blanks; it cannot hold others.
  if (rule.length > LONGEST_RULE || rule.some((word) => word === '' || /\s/u.test(word))) return undefined;
  if (rule.some((word, at) => at > 0 && announcesCode(program, word))) return undefined;
  const text = rule.join(' ');
  const { decision } = await judgeSimple(words, { ...request, allow: [text] }, files);
  return decision === 'auto' ? text : undefined;
}

/** Words of an offered rule: what is longer says one command, not a kind of commands. */
const LONGEST_RULE = 6;

async function judgeAll(
  commands: readonly SimpleCommand[],
  request: CommandRequest,
  files: PathFileSystem,
): Promise<Verdict> {
  const { verdict, root } = await judgePath({ ...request, path: request.cwd, use: 'list' }, files);
  if (verdict.decision !== 'auto' || root === undefined) return ask(`working folder: ${verdict.reason}`);
  const reasons = new Set<string>();
  let linksMoved: string | undefined;
  for (const words of commands) {
    const one = await judgeSimple(words, request, files);
    if (one.decision !== 'auto') return one;
    const texts = words.map((word) => word.text);
    if (linksMoved !== undefined && namesPlaces(texts, parseRule(one.reason).length))
      return ask(`what ${texts[0] ?? ''} names may lead elsewhere after ${linksMoved}`);
    if (mayMakeLinks(texts)) linksMoved ??= texts[0];
    reasons.add(one.reason);
  }
  return { decision: 'auto', reason: `matches ${[...reasons].join(', ')}` };
}

/** For `auto` the reason is the rule. */
async function judgeSimple(
  words: SimpleCommand,
  request: CommandRequest,
  files: PathFileSystem,
): Promise<Verdict> {
  const texts = words.map((word) => word.text);
  const first = texts[0] ?? '';
  const program = programName(first);
  if (rowFor(launchers, program) !== undefined) return ask(`${first} starts other programs`);
  if (alwaysAsks(program, texts)) return ask(`${first} always asks`);

  const rule = longestRule(texts, request.allow);
  if (rule === undefined) return ask(`no rule matches ${texts.slice(0, 2).join(' ')}`);
  if (!namesEnough(rule, texts, program) && !isWhole(rule, texts, program))
    return ask(`the rule must name what ${first} runs`);
  const guarded = lastGuardedWord(program, texts);
  if (guarded >= rule.length) return ask(`the rule must name ${texts[guarded] ?? ''}`);
  const argument = await whyArgumentAsks(program, words, request, files);
  return argument === undefined ? { decision: 'auto', reason: rule.join(' ') } : ask(argument);
}

/** The longest names the most, so a shorter one cannot allow what it does not. */
function longestRule(texts: readonly string[], rules: readonly string[]): Rule | undefined {
  return rules
    .map(parseRule)
    .filter((rule) => fitsRule(texts, rule))
    .sort((a, b) => b.length - a.length)[0];
}

/** Whether the rule of an interpreter or runner says which script, module, target or subcommand it means. */
function namesEnough(rule: Rule, texts: readonly string[], program: string): boolean {
  if (rowFor(runners, program) === undefined) return true;
  if (lastTarget(program, texts) >= rule.length) return false;
  const name = namedByRunner(rule, program);
  if (name !== undefined && !name.startsWith('-')) return true;
  return texts.length === 2 && rule.length === 2 && plainRunnerOptions.has(rule[1] ?? '');
}

/** `node --check a.js` by a rule of just these words: the name stands behind options, and nothing else can follow. */
function isWhole(rule: Rule, texts: readonly string[], program: string): boolean {
  if (rule.length === 1 || rule.length !== texts.length) return false;
  const last = rule.at(-1) ?? '';
  return !last.startsWith('-') && namedByRunner(['', last], program) !== undefined;
}

function foldWords(rows: readonly Rule[], shell: Shell): readonly Rule[] {
  return rows.map((row) => row.map((word) => foldText(word, shell)));
}

/** Windows shells take `SHUTDOWN.EXE` for `shutdown`. */
function foldText(text: string, shell: Shell): string {
  return shell === 'posix' || shell === 'zsh' ? text : text.toLowerCase().replace(/\.exe(?=\s|$)/gu, '');
}

function denied(rule: Rule): Verdict {
  return deny(`denied by the rule ${rule.join(' ')}`);
}

/** Adds to the verdict on a command the rules that would let it run unasked from now on, if there are such rules. */
export async function offerRules(
  verdict: Verdict,
  request: CommandRequest,
  ports: CommandPorts,
): Promise<Verdict> {
  if (verdict.decision !== 'ask') return verdict;
  const rules = await narrowestRules(request, ports);
  if (rules.length === 0) return verdict;
  const offered = rules.map((text) => ({ text, runsCode: runsProjectCode(parseRule(text)) }));
  return { ...verdict, grant: { type: 'allow-commands', rules: offered } };
}

/** The place of the last guarded word of a command; 0 when there is none. */
export function lastGuardedWord(program: string, words: readonly string[]): number {
  const guarded = rowFor(guardedWords, program);
  if (guarded === undefined) return 0;
  const single = words.findLastIndex(
    (word, index) =>
      index > 0 && isGuarded({ word, index }, guarded) && guarded.harmless?.(words, index) !== true,
  );
  const several = (guarded.subcommands ?? []).map((row) => endOfRow(row, words));
  return Math.max(0, single, ...several, guarded.last?.(words) ?? 0);
}

function isGuarded({ word, index }: { word: string; index: number }, guarded: GuardedWords): boolean {
  if (guarded.beginnings?.some((beginning) => word.startsWith(beginning)) === true) return true;
  if (guarded.patterns?.some((pattern) => pattern.test(word)) === true) return true;
  if (guarded.bareCluster === true && index === 1 && hasLetter(word, guarded.letters)) return true;
  if (!/^-./su.test(word)) return false;
  if (/^-[^-]/su.test(word) && hasLetter(word.slice(1), guarded.letters)) return true;
  const [, name = ''] = /^--([^=]*)/u.exec(word) ?? [];
  if (guarded.whole?.includes(name) === true) return false;
  return guarded.options?.some((option) => names(word, option)) === true;
}

function hasLetter(word: string, letters = ''): boolean {
  return Array.from(word).some((letter) => letters.includes(letter));
}

/** Whether a word is this long option. Option readers take any beginning of a name that fits only one. */
function names(word: string, option: string): boolean {
  const [, dashes = '', name = ''] = /^(-+)([^=]*)/u.exec(word) ?? [];
  // With one dash a short beginning is a letter or a cluster; those are in `letters`.
  return name === option || (name.length >= (dashes === '-' ? 4 : 1) && option.startsWith(name));
}

function endOfRow(row: readonly string[], words: readonly string[]): number {
  let at = 0;
  for (const part of row) {
    const before = at;
    at = words.findIndex(
      (word, index) => index > before && (part.startsWith('-') ? word.startsWith(part) : word === part),
    );
    if (at === -1) return 0;
  }
  return at;
}

const MAKES_LINKS: ReadonlySet<string> = new Set(
  'ln mv rsync install tar gtar bsdtar unzip 7z 7za 7zz mklink move ren move-item new-item'.split(' '),
);
const GIT_MAKES_LINKS: ReadonlySet<string> = new Set(
  'checkout switch restore pull merge stash reset rebase cherry-pick revert clone worktree submodule mv'.split(
    ' ',
  ),
);

/**
 * Whether links may lie elsewhere afterwards, or lead elsewhere: where the commands behind it in the same line end up was
 * looked up before.
 */
function mayMakeLinks(words: readonly string[]): boolean {
  const program = programName(words[0] ?? '');
  if (program === 'git') return GIT_MAKES_LINKS.has(words[gitSubcommand(words)] ?? '');
  // Without options it copies what a link leads to.
  if (program === 'cp') return words.some((word) => word.startsWith('-'));
  return MAKES_LINKS.has(program);
}

/** Whether a command names places beyond its rule, which is `named` words long. Git itself follows no links of its files. */
function namesPlaces(words: readonly string[], named: number): boolean {
  const program = programName(words[0] ?? '');
  if (program === 'git' && !['diff', 'grep'].includes(words[gitSubcommand(words)] ?? '')) return false;
  const plain = plainTextsIn(words, [program], 1);
  return words.some((word, at) => at >= named && !plain.has(at) && !/^-[^=/.]*$/u.test(word));
}
