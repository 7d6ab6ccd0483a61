import type { ResponseFormat } from '../../core/words/grammar';
import type { Model } from '../../core/words/model';
import type { Protocol } from '../../core/words/protocol';
import type { ServerKind } from '../server-facts';
import { formType } from './form-fields';
import { isHeld, probeForm, type FormSupport } from './form-probe';
import type { FormBook } from './forcing';

/** Finds out how a server can enforce the form of replies, trying the better way first, and remembers it. */
export async function findForms(
  model: Model,
  server: ServerKind | undefined,
  book: FormBook,
  signal: AbortSignal,
): Promise<void> {
  const hasGrammar = formType({}, server) === 'grammar';
  if (!hasGrammar) book.write('grammar', 'schemas-only');
  if (hasGrammar && isHeld(await find('grammar', model, book, signal))) return;
  if (!signal.aborted) await find('schema', model, book, signal);
}

/** Whether the form of this protocol can be enforced, if known. */
export function canForce(
  protocol: Pick<Protocol, 'grammar' | 'schema'>,
  server: ServerKind | undefined,
  book: Pick<FormBook, 'read'>,
): boolean {
  if (!protocol.grammar) return false;
  const type = formType(protocol.schema ? { schema: () => protocol.schema!([]) } : {}, server);
  return type !== undefined && isHeld(book.read(type));
}

async function find(
  type: ResponseFormat['type'],
  model: Model,
  book: FormBook,
  signal: AbortSignal,
): Promise<FormSupport | undefined> {
  const probe = probeForm(model, type, signal);
  let step = await probe.next();
  while (!step.done) step = await probe.next();
  if (step.value !== undefined) book.write(type, step.value);
  return step.value;
}
