import type { ModelProfile } from '../models/profiles';
import { stepForm } from '../models/form/step-form';
import { chooseProtocol } from '../protocols/choose';
import type { ProtocolName } from '../protocols/names';
import type { Protocol } from '../core/words/protocol';

/** The protocol for a model: the wanted one, or by `auto` the one that suits the model, its server and how it works. */
export function protocolFor(wanted: string, profile: ModelProfile): ProtocolName {
  return chooseProtocol(wanted, { ...profile, stepForm: stepForm(profile) });
}

/** The protocol of that name. Parsers are a separate bundle: whatever only names protocols does not load them. */
export async function loadProtocol({ id }: ProtocolName): Promise<Protocol> {
  const { findProtocol } = await import('../protocols');
  const protocol = findProtocol(id);
  if (!protocol) throw new Error(`There is a name of the protocol ${id}, but no protocol.`);
  return protocol;
}
