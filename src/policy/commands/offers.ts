import { limits } from '../../base/limits';
import type { Verdict } from '../../core/words/verdict';
import { RememberedFiles } from '../paths/remembered-files';
import { readCommandText } from './command-text';
import {
  judgeCommand,
  judgeSimple,
  lastGuarded,
  namesProgram,
  placeOf,
  type CommandPorts,
  type CommandRequest,
  type CommandVerdict,
  type PlacedRequest,
} from './commands';
import { wordsOfFamily } from './families';
import { plainPrograms, runsProjectCode } from './programs';
import { parseAllowRule } from './rules';
import { announcesCode } from './runners';
import type { SimpleCommand } from './simple-commands';
import { startedPrograms } from './started-programs';

/** Adds the rules that would let a command run unasked from now on to its verdict, if there are any. */
export async function offerRules(
  { commands: _, isPlain, ...verdict }: CommandVerdict,
  request: CommandRequest,
  ports: CommandPorts,
): Promise<Verdict> {
  if (verdict.decision !== 'ask' || !isPlain) return verdict;
  const rules = await narrowestRules(request, ports);
  if (rules.length === 0) return verdict;
  const offered = rules.map((text) => ({ text, runsCode: runsProjectCode(parseAllowRule(text).words) }));
  return { ...verdict, grant: { type: 'allow-commands', rules: offered } };
}

/**
 * The rules that would let this command run unasked from now on, each as short as is useful: the program and its
 * subcommand or script. Empty if no rule could do that or none is needed, or if a rule would have to lift a guard or
 * contain code: the user can write such a rule in the settings.
 */
export async function narrowestRules(
  request: CommandRequest,
  ports: CommandPorts,
): Promise<readonly string[]> {
  if (request.command.length > limits.commandCharacters) return [];
  const { reading } = await readCommandText(request.command, request.shell, ports.grammar);
  if (reading.type === 'other') return [];
  const files = RememberedFiles.of(ports.files);
  try {
    const place = await placeOf(request, files);
    if ('verdict' in place) return [];
    const rules: string[] = [];
    for (const words of reading.commands) {
      if ((await judgeSimple(words, place, files)).rule) continue;
      const rule = await narrowestRule(words, place, files);
      if (rule === undefined) return [];
      rules.push(rule);
    }
    const { decision } = await judgeCommand(
      { ...request, allow: [...request.allow, ...rules] },
      { ...ports, files },
    );
    return decision === 'auto' ? [...new Set(rules)] : [];
  } catch {
    // More to look at than can be judged.
    return [];
  }
}

async function narrowestRule(
  words: SimpleCommand,
  request: PlacedRequest,
  files: RememberedFiles,
): Promise<string | undefined> {
  const texts = words.map((word) => word.text);
  const programs = startedPrograms(texts);
  if (lastGuarded(texts, programs) > 0) return undefined;
  const last = programs.at(-1) ?? { program: '', at: 0 };
  const operand = texts.findIndex((word, at) => at > last.at && !word.startsWith('-'));
  const isSubcommand = /^[a-z][a-z\d:-]*$/u.test(texts[operand] ?? '') && !plainPrograms.has(last.program);
  let rule = texts.slice(0, Math.max(isSubcommand ? operand + 1 : last.at + 1, wordsOfFamily(texts)));
  while (!programs.every((each) => namesProgram(rule, texts, each))) {
    if (rule.length >= Math.min(texts.length, LONGEST_RULE)) return undefined;
    rule = texts.slice(0, rule.length + 1);
  }
  // A rule is words separated by blanks; it cannot contain words with blanks.
  if (rule.length > LONGEST_RULE || rule.some((word) => word === '' || /\s/u.test(word))) return undefined;
  if (programs.some(({ program, at }) => rule.slice(at + 1).some((word) => announcesCode(program, word))))
    return undefined;
  const text = rule.join(' ');
  if (text.length > LONGEST_TEXT) return undefined;
  const isBound = request.folder !== '.' && runsProjectCode(rule);
  if (isBound && /[\s:]/u.test(request.folder)) return undefined;
  const offered = isBound ? `${request.folder}: ${text}` : text;
  return (await judgeSimple(words, { ...request, allow: [offered] }, files)).rule && offered;
}

/** Words and characters of an offered rule: a longer one describes a single command, not a kind of command. */
const LONGEST_RULE = 6;
const LONGEST_TEXT = 200;
