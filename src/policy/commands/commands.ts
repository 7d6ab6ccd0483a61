import { limits } from '../../base/limits';
import type { Verdict } from '../../core/words/verdict';
import { judgePath } from '../paths/paths';
import { RememberedFiles } from '../paths/remembered-files';
import { ask, deny } from '../verdicts';
import type { CommandPorts, CommandRequest, PlacedRequest } from './command-request';
import { readCommandText, type Shell } from './command-text';
import { findDenied, findNamed } from './denied';
import { judgeSimple, type Beyond } from './judge-simple';
import { mayMakeLinks } from './moved-links';
import { whyPrintsSecret } from './printed-names';
import { parseRule, ruleText, type Rule } from './rules';
import type { SimpleCommand } from './simple-commands';

export interface CommandVerdict extends Verdict, Beyond {
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
  // Only Windows takes it for a slash everywhere.
  if (isWindowsShell(request.shell) && files.platform !== 'win32' && request.command.includes('\\'))
    return { ...ask('only plain words can be checked in this shell'), commands: found, isPlain };
  const verdict = await judgeAll(reading.commands, request, files);
  // Git is asked last, and only about a command that would run.
  const printed =
    verdict.decision === 'auto' ? await whyPrintsSecret(found, request, { ...ports, files }) : undefined;
  return { ...(printed === undefined ? verdict : ask(printed)), commands: found, isPlain };
}

async function judgeAll(
  commands: readonly SimpleCommand[],
  request: CommandRequest,
  files: RememberedFiles,
): Promise<Verdict & Beyond> {
  try {
    const place = await placeOf(request, files);
    return 'verdict' in place ? place.verdict : await judgeEach(commands, place, files);
  } catch {
    return ask('it contains too much to check');
  }
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
): Promise<Verdict & Beyond> {
  const exact = new Set<string>();
  const open = new Set<string>();
  let linksMoved: string | undefined;
  for (const words of commands) {
    const { verdict, rule, namesPlaces, beyond } = await judgeSimple(words, request, files);
    if (rule === undefined) return { ...verdict, ...(beyond && { beyond }) };
    const texts = words.map((word) => word.text);
    if (linksMoved !== undefined && namesPlaces === true)
      return ask(`${linksMoved} may change where the paths of ${texts[0] ?? ''} point`);
    if (mayMakeLinks(texts)) linksMoved ??= texts[0];
    (rule.isOpen ? open : exact).add(rule.isOpen ? rule.text : ruleText(parseRule(rule.text)));
  }
  if (open.size === 0) return { decision: 'auto', reason: `matches ${[...exact].join(', ')}` };
  // The user wrote it, and it covers more than is known to be harmless.
  return { decision: 'auto', reason: `by your rule ${[...open].join(', ')}` };
}

function foldWords(rows: readonly Rule[], shell: Shell): readonly Rule[] {
  return rows.map((row) => row.map((word) => foldText(word, shell)));
}

/** Windows shells treat `SHUTDOWN.EXE` as `shutdown`. */
function foldText(text: string, shell: Shell): string {
  return !isWindowsShell(shell) ? text : text.toLowerCase().replace(/\.exe(?=\s|$)/gu, '');
}

function isWindowsShell(shell: Shell): boolean {
  return shell === 'powershell' || shell === 'cmd';
}

function denied(rule: Rule): Verdict {
  return deny(`denied by the rule ${rule.join(' ')}`);
}
