import type { Verdict } from '../../core/words/verdict';
import { ask } from '../verdicts';
import { isAddress, isBelow } from './addresses';
import { judgePlaces, type JudgedWord } from './arguments';
import type { RememberedFiles } from '../paths/remembered-files';
import type { PlacedRequest } from './command-request';
import { findTable, type FoundTable } from './find-table';
import { placesRead } from './folder-readers';
import { whyContentsAsk } from './folder-contents';
import { gitSubcommand, alwaysAsks } from './programs';
import { launchers } from './tables/launchers';
import { isOfFolder } from './project-code';
import { readArguments, type ReadArguments } from './read-arguments';
import { fitsRule, parseAllowRule, rowFor, type AllowRule, type Rule } from './rules';
import { codeAt, namedByRunner } from './started-code';
import { plainRunnerOptions, runners } from './tables/starters';
import type { SimpleCommand } from './simple-commands';
import { startedPrograms, startedWords, type StartedProgram } from './started-programs';

/** The rule whose words match a command that asks because of what follows them. */
export interface Beyond {
  readonly beyond?: string;
}

interface JudgedSimple extends Beyond {
  readonly verdict: Verdict;
  /** It lets the command run. */
  readonly rule?: AllowRule;
  /** Whether there are places among the words that the rule does not name. */
  readonly namesPlaces?: boolean;
}

/** One command: its words, and what is known of them. */
interface Command {
  readonly words: SimpleCommand;
  readonly texts: readonly string[];
  readonly programs: readonly StartedProgram[];
  readonly known: Known | undefined;
}

interface Known {
  readonly found: FoundTable;
  readonly read: ReadArguments;
}

/** Judges one command by the rules of the user. Throws if there is too much to look at. */
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
  const found = findTable(texts);
  const known = found && {
    found,
    read: readArguments(words, found.named, { table: found.table, program: found.name }),
  };
  const command = { words, texts, programs, known };
  let first: JudgedSimple | undefined;
  for (const rule of fittingRules(texts, request)) {
    const judged = await judgeByRule(command, rule, request, files);
    if (judged.rule) return judged;
    first ??= judged;
  }
  return first ?? asking(`no rule matches ${texts.slice(0, 2).join(' ')}`);
}

function asking(reason: string, beyond?: AllowRule): JudgedSimple {
  return { verdict: ask(reason), ...(beyond && { beyond: beyond.text }) };
}

/** Every rule is a permission of its own. Those for this folder come first, then those that name the most. */
function fittingRules(texts: readonly string[], request: PlacedRequest): readonly AllowRule[] {
  return request.allow
    .map(parseAllowRule)
    .filter(({ words }) => fitsRule(texts, words))
    .sort(
      (a, b) =>
        Number(isHere(b, texts, request)) - Number(isHere(a, texts, request)) ||
        b.words.length - a.words.length,
    );
}

/** A rule for something that runs files of the workspace does not apply to other folders. */
function isHere({ folder }: AllowRule, texts: readonly string[], request: PlacedRequest): boolean {
  if (folder !== undefined) return folder === request.folder;
  return request.folder === '.' || !isOfFolder(texts);
}

async function judgeByRule(
  command: Command,
  rule: AllowRule,
  request: PlacedRequest,
  files: RememberedFiles,
): Promise<JudgedSimple> {
  const { texts, words, known } = command;
  if (!isHere(rule, texts, request)) return asking(`the rule ${rule.text} applies to another folder`);
  const problem = whyUnnamed(command, rule);
  if (problem !== undefined) return asking(problem);
  const named = rule.words.length;
  const unknown =
    named === texts.length ? undefined : rule.isOpen ? whyAddress(texts, rule) : whyUnknown(command, named);
  const names = namesOf(command);
  const judged = words.map((word, at) => judgedWord(word, at, known));
  const { problem: place, paths } = await judgePlaces(judged.slice(1), names, request, files);
  // A secret file says more than an option that is not known.
  if (place !== undefined) return asking(place);
  if (unknown !== undefined) return asking(unknown, rule);
  const places = placesRead(names, paths, known);
  const contents = places.length === 0 ? undefined : await whyContentsAsk(places, request, files);
  if (contents !== undefined) return asking(contents);
  const namesPlaces =
    judged.some(({ means, text }, at) => at >= named && isPlace(means, text)) &&
    followsLinks(startedWords(texts));
  return { verdict: { decision: 'auto', reason: `matches ${rule.text}` }, rule, namesPlaces };
}

/** Why a rule does not name enough of what runs: the script, the module, the subcommand. */
function whyUnnamed(
  { texts, programs, known }: Command,
  { words: named, isOpen }: AllowRule,
): string | undefined {
  for (const { program, at } of programs) {
    const code = codeAt(program, texts.slice(at));
    if (code !== -1) return `${texts[at + code] ?? ''} is followed by code`;
  }
  const vague = programs.find((each) => !namesProgram(named, texts, each));
  if (vague !== undefined && !isWhole(named, texts, programs))
    return `the rule must name what ${texts[vague.at] ?? ''} runs`;
  if (isOpen || known === undefined || known.found.named <= named.length) return undefined;
  // `gh pr` for `gh pr view`
  return known.found.table.isImplied === true ? undefined : `the rule must name ${texts[named.length] ?? ''}`;
}

/** Why the words beyond a rule ask: the first that is not known to be harmless. */
function whyUnknown({ texts, programs, known }: Command, named: number): string | undefined {
  if (known === undefined) {
    const reason = `${shown(texts[named])} is not known to be harmless for ${programs.at(-1)?.program ?? ''}`;
    return reason;
  }
  const { unknown } = known.read;
  // What follows an unknown option may be its value.
  const isBlurred = [...unknown.keys()].some((at) => at < named && texts[at]?.startsWith('-') === true);
  if (isBlurred) return `${shown(texts[named])} is not known to be harmless for ${known.found.name}`;
  return [...unknown].find(([at]) => at >= named)?.[1];
}

function shown(word = ''): string {
  return word.length > LONGEST_SHOWN ? `${word.slice(0, LONGEST_SHOWN)}…` : word;
}

const LONGEST_SHOWN = 40;

/** Beyond the words of a rule that ends in `**`, only addresses ask. */
function whyAddress(texts: readonly string[], { words, host }: AllowRule): string | undefined {
  const address = texts.find(
    (word, at) =>
      at >= words.length &&
      isAddress(word) &&
      !(host !== undefined && isBelow(host, word)) &&
      !words.includes(word),
  );
  return address === undefined ? undefined : `it names an address: ${address}`;
}

/** The names under which tables look up the program that runs in the end: with its subcommand, and alone. */
function namesOf({ texts, programs }: Command): readonly string[] {
  const { program } = programs.at(-1) ?? { program: '' };
  const own = startedWords(texts);
  const at = program === 'git' ? gitSubcommand(own) : 1;
  return [`${program} ${own[at] ?? ''}`, program];
}

function judgedWord(word: SimpleCommand[number], at: number, known: Known | undefined): JudgedWord {
  const read = known?.read.words.get(at);
  const means = read?.means ?? 'unknown';
  const isHead = known !== undefined && at < known.found.named;
  const isPlace = !isHead && (means === 'path' || known?.read.unknown.size !== 0);
  return { ...word, isPlace, means, parts: read?.parts ?? [] };
}

/** Git does not follow links among its files, but for these. */
function followsLinks(texts: readonly string[]): boolean {
  return texts[0] !== 'git' || ['diff', 'grep'].includes(texts[gitSubcommand(texts)] ?? '');
}

function isPlace(means: JudgedWord['means'], text: string): boolean {
  return (
    ['path', 'pattern', 'revision'].includes(means) || (means === 'unknown' && !/^-[^=/.]*$/u.test(text))
  );
}

/** Whether a rule names the program and, for an interpreter or runner, what that runs. */
function namesProgram(rule: Rule, texts: readonly string[], { program, at }: StartedProgram): boolean {
  return at < rule.length && namesEnough(rule.slice(at), texts.slice(at), program);
}

/** Whether the rule for an interpreter or runner names the script, module, target or subcommand. */
function namesEnough(rule: Rule, texts: readonly string[], program: string): boolean {
  if (rowFor(runners, program) === undefined) return true;
  const name = namedByRunner(rule, program);
  if (name !== undefined && !name.startsWith('-')) return true;
  if (texts.length === 2 && rule.length === 2 && plainRunnerOptions.has(rule[1] ?? '')) return true;
  // `node --test`, `cmake --build build`
  const found = findTable(texts);
  return found !== undefined && found.named > 1 && found.named <= rule.length && found.name.includes(' ');
}

/** `node --check a.js` by a rule of just these words: the name comes after options, and nothing else can follow. */
function isWhole(rule: Rule, texts: readonly string[], programs: readonly StartedProgram[]): boolean {
  const { program, at } = programs.at(-1) ?? { program: '', at: 0 };
  if (rule.length !== texts.length || rule.length <= at + 1) return false;
  const last = rule.at(-1) ?? '';
  return !last.startsWith('-') && namedByRunner(['', last], program) !== undefined;
}
