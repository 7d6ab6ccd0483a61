import type { Protocol } from '../core/protocol';
import type { ProtocolName } from '../protocols/names';

/** The protocol of that name. Their parsers are a bundle of their own: pickers and settings need nothing but names. */
export async function loadProtocol({ id }: ProtocolName): Promise<Protocol> {
  const { findProtocol } = await import('../protocols');
  const protocol = findProtocol(id);
  if (!protocol) throw new Error(`There is a name of the protocol ${id}, but no protocol.`);
  return protocol;
}
