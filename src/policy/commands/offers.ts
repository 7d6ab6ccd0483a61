import { limits } from '../../base/limits';
import type { Verdict } from '../../core/words/verdict';
import { RememberedFiles } from '../paths/remembered-files';
import type { CommandPorts, CommandRequest, PlacedRequest } from './command-request';
import { readCommandText } from './command-text';
import { judgeCommand, placeOf, type CommandVerdict } from './commands';
import { findTable } from './find-table';
import { judgeSimple } from './judge-simple';
import { isOfFolder, runsProjectCode } from './project-code';
import { parseAllowRule, ruleText } from './rules';
import type { SimpleCommand } from './simple-commands';

/** The rules that would let a command run unasked from now on; empty if there are none or none is needed. */
export interface OfferedRules {
  /** For each part the words that say what runs, where its table says what may follow them; else the exact part. */
  readonly shorter: readonly string[];
  /** For each part exactly its words. */
  readonly exact: readonly string[];
}

const NONE: OfferedRules = { shorter: [], exact: [] };

/** Adds the rules that would let a command run unasked from now on to its verdict, if there are any. */
export async function offerRules(
  { commands: _, isPlain, beyond: __, ...verdict }: CommandVerdict,
  request: CommandRequest,
  ports: CommandPorts,
): Promise<Verdict> {
  if (verdict.decision !== 'ask' || !isPlain) return verdict;
  const { shorter, exact } = await offeredRules(request, ports);
  if (shorter.length === 0) return verdict;
  const offered = (texts: readonly string[]) =>
    texts.map((text) => ({ text, runsCode: runsProjectCode(parseAllowRule(text).words) }));
  const isShorter = shorter.join('\n') !== exact.join('\n');
  const more = isShorter && exact.length > 0 ? { exact: offered(exact) } : {};
  return { ...verdict, grant: { type: 'allow-commands', rules: offered(shorter), ...more } };
}

/** The rules for every part of a command that no rule covers yet. */
export async function offeredRules(request: CommandRequest, ports: CommandPorts): Promise<OfferedRules> {
  if (request.command.length > limits.commandCharacters) return NONE;
  const { reading } = await readCommandText(request.command, request.shell, ports.grammar);
  if (reading.type === 'other') return NONE;
  const files = RememberedFiles.of(ports.files);
  try {
    const place = await placeOf(request, files);
    if ('verdict' in place) return NONE;
    const shorter = new Set<string>();
    const exact = new Set<string>();
    for (const words of reading.commands) {
      if ((await judgeSimple(words, place, files)).rule) continue;
      const whole = exactRule(words, place);
      const short = shorterRule(words, place);
      const isSafe = short !== undefined && (await allows(short, words, place, files));
      const rule = isSafe ? short : whole;
      if (rule === undefined || (!isSafe && !(await allows(rule, words, place, files)))) return NONE;
      shorter.add(rule);
      exact.add(whole ?? rule);
    }
    // Together they may do what none of them does.
    const allow = [...request.allow, ...shorter];
    const { decision } = await judgeCommand({ ...request, allow }, { ...ports, files });
    return decision === 'auto' ? { shorter: [...shorter], exact: [...exact] } : NONE;
  } catch {
    // More to look at than can be judged.
    return NONE;
  }
}

async function allows(
  rule: string,
  words: SimpleCommand,
  request: PlacedRequest,
  files: RememberedFiles,
): Promise<boolean> {
  return (await judgeSimple(words, { ...request, allow: [rule] }, files)).rule !== undefined;
}

/** The words up to the end of the name of its table: `git status`, `npx eslint`. */
function shorterRule(words: SimpleCommand, request: PlacedRequest): string | undefined {
  const texts = words.map((word) => word.text);
  const found = findTable(texts);
  if (found === undefined || found.table.isOfferedWhole === true) return undefined;
  return written(texts.slice(0, found.named), texts, request);
}

function exactRule(words: SimpleCommand, request: PlacedRequest): string | undefined {
  const texts = words.map((word) => word.text);
  return written(texts, texts, request);
}

/** A rule as the user would write it; nothing if it would mean something else, or is too long to be read. */
function written(
  rule: readonly string[],
  texts: readonly string[],
  { folder }: PlacedRequest,
): string | undefined {
  const text = ruleText(rule);
  const { words, isOpen, folder: read } = parseAllowRule(text);
  if (isOpen || read !== undefined || words.join('\0') !== rule.join('\0')) return undefined;
  if (text.length > LONGEST_TEXT || /\n/u.test(text)) return undefined;
  const isBound = folder !== '.' && isOfFolder(texts);
  if (isBound && /[\s:'"]/u.test(folder)) return undefined;
  return isBound ? `${folder}: ${text}` : text;
}

/** Characters of an offered rule: a longer one cannot be read at a glance. */
const LONGEST_TEXT = 200;
