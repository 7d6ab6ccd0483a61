import type { Usage } from '../../core/model';
import { isMend } from '../../core/rewind';
import type { Entry } from '../../core/transcript';

/**
 * What the replies of the run that ends with this entry have used. Nothing where the run goes on behind it, or where no
 * endpoint has told; the cost is left out unless it is known of each.
 */
export function runUsage(entries: readonly Entry[], index: number): Usage | undefined {
  const next = entries[index + 1];
  if (next && next.type !== 'user' && next.type !== 'restore' && next.type !== 'rewind') return undefined;
  // The reply that comes behind it is one of the same run.
  if (next?.type === 'rewind' && isMend(next)) return undefined;
  const start = entries.findLastIndex((entry, at) => at <= index && entry.type === 'user');
  const used = usagesIn(entries.slice(start + 1, index + 1));
  return used.length === 0 ? undefined : used.reduce(sum);
}

/** Sub-agents included. */
function usagesIn(entries: readonly Entry[]): readonly Usage[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'reply') return [];
    const subAgents = entry.parts.flatMap((part) =>
      part.type === 'call' && 'subAgent' in part.state ? usagesIn(part.state.subAgent.entries) : [],
    );
    return entry.usage ? [entry.usage, ...subAgents] : subAgents;
  });
}

function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.cost !== undefined && other.cost !== undefined && { cost: one.cost + other.cost }),
  };
}

/** Two digits that count, and cents from a dollar on: `$0.0012`, `$3.50`. */
export function costText(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  const [digits = '', exponent] = dollars.toPrecision(2).split('e');
  if (exponent === undefined) return `$${Number(digits)}`;
  return '< $0.000001';
}
