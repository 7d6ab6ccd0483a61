import { limits } from '../../base/limits';
import type { Verdict } from '../../core/words/verdict';
import type { PathFileSystem } from '../paths/path-file-system';
import { judgePath } from '../paths/paths';
import { RememberedFiles } from '../paths/remembered-files';
import { ask, deny } from '../verdicts';
import { whyArgumentAsks } from './arguments';
import { whyBringsCode } from './brought-code';
import { readCommandText, type Shell } from './command-text';
import { findDenied, findNamed } from './denied';
import { isFamilyOnly } from './families';
import { localRepository } from './git-reach';
import { lastGuardedWord } from './guards';
import { whyPrintsSecret, type GitNames } from './printed-names';
import { mayMakeLinks, namesPlaces } from './moved-links';
import { alwaysAsks, launchers, runsProjectCode } from './programs';
import { fitsRule, parseAllowRule, parseRule, rowFor, type AllowRule, type Rule } from './rules';
import { lastTarget, namedByRunner, plainRunnerOptions, runners } from './runners';
import type { ShellGrammar, SimpleCommand } from './simple-commands';
import { startedPrograms, type StartedProgram } from './started-programs';

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
  /** Resolves to `undefined` if there is no grammar; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  readonly files: PathFileSystem;
  /** Absent where git may not be started: then every command asks that prints contents of a repository. */
  readonly gitNames?: GitNames;
}

export interface CommandVerdict extends Verdict {
  /** The commands found in the text, as words. Exact if the decision is `auto`, else as good as the text allows. */
  readonly commands: readonly (readonly string[])[];
  /** Whether the text only starts programs with fixed words; only then can a rule allow it. */
  readonly isPlain: boolean;
}

/** Never throws. The order: deny rule, guard, allow rule, ask. */
export async function judgeCommand(request: CommandRequest, ports: CommandPorts): Promise<CommandVerdict> {
  const rules = foldWords(request.deny.map(parseRule), request.shell);
  if (request.command.length > limits.commandScanCharacters) {
    const named = findNamed(foldText(request.command, request.shell), rules);
    return {
      ...(named === undefined ? ask('the command is too long') : denied(named)),
      commands: [],
      isPlain: false,
    };
  }
  const { reading, found } = await readCommandText(request.command, request.shell, ports.grammar);
  const rule = findDenied(foldWords(found, request.shell), rules);
  const isPlain = reading.type === 'plain';
  if (rule !== undefined) return { ...denied(rule), commands: found, isPlain };
  if (reading.type === 'other') return { ...ask(reading.reason), commands: found, isPlain };
  const files = RememberedFiles.of(ports.files);
  const verdict = await judgeAll(reading.commands, request, files);
  const printed =
    verdict.decision === 'auto' ? await whyPrints(reading.commands, request, ports, files) : undefined;
  return { ...(printed === undefined ? verdict : ask(printed)), commands: found, isPlain };
}

/** Asks git last, and only about a command that would run. */
async function whyPrints(
  commands: readonly SimpleCommand[],
  request: CommandRequest,
  { gitNames }: CommandPorts,
  files: RememberedFiles,
): Promise<string | undefined> {
  for (const words of commands) {
    const texts = words.map((word) => word.text);
    const why = await whyPrintsSecret(texts, request, { files, gitNames });
    if (why !== undefined) return why;
  }
  return undefined;
}

async function judgeAll(
  commands: readonly SimpleCommand[],
  request: CommandRequest,
  files: RememberedFiles,
): Promise<Verdict> {
  try {
    const place = await placeOf(request, files);
    return 'verdict' in place ? place.verdict : await judgeEach(commands, place, files);
  } catch {
    return ask('it contains too much to check');
  }
}

/** A request with the place of its working folder. */
export interface PlacedRequest extends CommandRequest {
  /** Below the workspace folder, with `/`; `.` for the workspace folder. */
  readonly folder: string;
}

/** The request with its place, or why its working folder asks. */
export async function placeOf(
  request: CommandRequest,
  files: RememberedFiles,
): Promise<PlacedRequest | { readonly verdict: Verdict }> {
  const { verdict, root, display } = await judgePath({ ...request, path: request.cwd, use: 'list' }, files);
  if (verdict.decision !== 'auto' || root === undefined)
    return { verdict: ask(`working folder: ${verdict.reason}`) };
  return { ...request, folder: display };
}

async function judgeEach(
  commands: readonly SimpleCommand[],
  request: PlacedRequest,
  files: RememberedFiles,
): Promise<Verdict> {
  const reasons = new Set<string>();
  let linksMoved: string | undefined;
  for (const words of commands) {
    const { verdict, rule } = await judgeSimple(words, request, files);
    if (rule === undefined) return verdict;
    const texts = words.map((word) => word.text);
    if (linksMoved !== undefined && namesPlaces(texts, rule.words.length))
      return ask(`${linksMoved} may change where the paths of ${texts[0] ?? ''} point`);
    if (mayMakeLinks(texts)) linksMoved ??= texts[0];
    reasons.add(parseRule(rule.text).join(' '));
  }
  return { decision: 'auto', reason: `matches ${[...reasons].join(', ')}` };
}

/** `rule` is set if it lets the command run. */
type JudgedSimple = { readonly verdict: Verdict; readonly rule?: AllowRule };

export async function judgeSimple(
  words: SimpleCommand,
  request: PlacedRequest,
  files: RememberedFiles,
): Promise<JudgedSimple> {
  const texts = words.map((word) => word.text);
  const programs = startedPrograms(texts);
  for (const { program, at } of programs) {
    const name = texts[at] ?? '';
    if (rowFor(launchers, program) !== undefined) return asking(`${name} starts other programs`);
    if (alwaysAsks(program, texts.slice(at))) return asking(`${name} always asks`);
  }

  const rule = longestRule(texts, request);
  if (rule === undefined) return asking(`no rule matches ${texts.slice(0, 2).join(' ')}`);
  if (!isHere(rule, request)) return asking(`the rule ${rule.text} applies to another folder`);
  const named = rule.words;
  if (isFamilyOnly(named) && named.length !== texts.length)
    return asking(`the rule must name all of ${texts.slice(0, named.length + 1).join(' ')}`);
  const vague = programs.find((each) => !namesProgram(named, texts, each));
  if (vague !== undefined && !isWhole(named, texts, programs))
    return asking(`the rule must name what ${texts[vague.at] ?? ''} runs`);
  const guarded = lastGuarded(texts, programs);
  if (guarded >= named.length) return asking(`the rule must name ${texts[guarded] ?? ''}`);
  const local = programs[0]?.program === 'git' ? localRepository(texts) : 0;
  if (local >= named.length) return asking(`${texts[local] ?? ''} may be a repository whose hooks would run`);
  const problem =
    whyBringsCode(texts, programs, named.length) ?? (await whyArgumentAsks(programs, words, request, files));
  if (problem !== undefined) return asking(problem);
  return { verdict: { decision: 'auto', reason: `matches ${rule.text}` }, rule };
}

function asking(reason: string): JudgedSimple {
  return { verdict: ask(reason) };
}

/**
 * The longest rule names the most, so a shorter one cannot allow what it does not; rules for this folder come first.
 */
function longestRule(texts: readonly string[], request: PlacedRequest): AllowRule | undefined {
  return request.allow
    .map(parseAllowRule)
    .filter(({ words }) => fitsRule(texts, words))
    .sort(
      (a, b) => Number(isHere(b, request)) - Number(isHere(a, request)) || b.words.length - a.words.length,
    )[0];
}

/** A rule that runs files of the workspace does not apply to other folders. */
function isHere({ words, folder }: AllowRule, request: PlacedRequest): boolean {
  if (folder !== undefined) return folder === request.folder;
  return request.folder === '.' || !runsProjectCode(words);
}

/** The index of the last word that is guarded in the program or in one that it starts; 0 if there is no such word. */
export function lastGuarded(texts: readonly string[], programs: readonly StartedProgram[]): number {
  return Math.max(
    ...programs.map(({ program, at }) => {
      const guarded = lastGuardedWord(program, texts.slice(at));
      return guarded === 0 ? 0 : at + guarded;
    }),
  );
}

/** Whether a rule names the program and, for an interpreter or runner, what that runs. */
export function namesProgram(rule: Rule, texts: readonly string[], { program, at }: StartedProgram): boolean {
  return at < rule.length && namesEnough(rule.slice(at), texts.slice(at), program);
}

/** Whether the rule for an interpreter or runner names the script, module, target or subcommand. */
function namesEnough(rule: Rule, texts: readonly string[], program: string): boolean {
  if (rowFor(runners, program) === undefined) return true;
  if (lastTarget(program, texts) >= rule.length) return false;
  const name = namedByRunner(rule, program);
  if (name !== undefined && !name.startsWith('-')) return true;
  return texts.length === 2 && rule.length === 2 && plainRunnerOptions.has(rule[1] ?? '');
}

/** `node --check a.js` by a rule of just these words: the name comes after options, and nothing else can follow. */
function isWhole(rule: Rule, texts: readonly string[], programs: readonly StartedProgram[]): boolean {
  const { program, at } = programs.at(-1) ?? { program: '', at: 0 };
  if (rule.length !== texts.length || rule.length <= at + 1) return false;
  const last = rule.at(-1) ?? '';
  return !last.startsWith('-') && namedByRunner(['', last], program) !== undefined;
}

function foldWords(rows: readonly Rule[], shell: Shell): readonly Rule[] {
  return rows.map((row) => row.map((word) => foldText(word, shell)));
}

/** Windows shells treat `SHUTDOWN.EXE` as `shutdown`. */
function foldText(text: string, shell: Shell): string {
  return shell === 'posix' || shell === 'zsh' ? text : text.toLowerCase().replace(/\.exe(?=\s|$)/gu, '');
}

function denied(rule: Rule): Verdict {
  return deny(`denied by the rule ${rule.join(' ')}`);
}
