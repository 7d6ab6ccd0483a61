import type { Verdict } from '../core/approval';
import { runsProjectCode } from './command-programs';
import { parseRule } from './command-rules';
import { narrowestRules, type CommandPorts, type CommandRequest } from './commands';

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
