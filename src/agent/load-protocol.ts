import type { Protocol } from '../core/words/protocol';
import type { ProtocolName } from '../protocols/names';

/** The protocol of that name. Parsers are a separate bundle: whatever only names protocols does not load them. */
export async function loadProtocol({ id }: ProtocolName): Promise<Protocol> {
  const { findProtocol } = await import('../protocols');
  const protocol = findProtocol(id);
  if (!protocol) throw new Error(`There is a name of the protocol ${id}, but no protocol.`);
  return protocol;
}
