import type { ResponseFormat } from '../../core/words/grammar';
import type { Model } from '../../core/words/model';
import type { Protocol } from '../../core/words/protocol';
import type { ServerKind } from '../server-facts';
import { formType } from './form-fields';
import type { Fact, FormSupport, FormSupports } from '../fact-types';
import { isEnforced, probeForm, remember } from './form-probe';

/** Finds out how a server can enforce the form of replies, trying the better way first, and remembers it. */
export async function findForms(
  model: Model,
  server: ServerKind | undefined,
  support: Fact<FormSupports>,
  signal: AbortSignal,
): Promise<void> {
  const hasGrammar = formType({}, server) === 'grammar';
  if (!hasGrammar) remember(support, 'grammar', 'schemas-only');
  if (hasGrammar && isEnforced(await find('grammar', model, support, signal))) return;
  if (!signal.aborted) await find('schema', model, support, signal);
}

/** Whether the form of this protocol can be enforced, if known. */
export function canConstrain(
  protocol: Pick<Protocol, 'grammar' | 'schema'>,
  server: ServerKind | undefined,
  support: FormSupports,
): boolean {
  if (!protocol.grammar) return false;
  const type = formType(protocol.schema ? { schema: () => protocol.schema!([]) } : {}, server);
  return type !== undefined && isEnforced(support[type]);
}

async function find(
  type: ResponseFormat['type'],
  model: Model,
  support: Fact<FormSupports>,
  signal: AbortSignal,
): Promise<FormSupport | undefined> {
  const probe = probeForm(model, type, signal);
  let step = await probe.next();
  while (!step.done) step = await probe.next();
  if (step.value !== undefined) remember(support, type, step.value);
  return step.value;
}
