import { suitedFor } from './auto';
import { protocolNames, type ProtocolName } from './names';

export function findProtocolName(id: string): ProtocolName | undefined {
  return protocolNames.find((name) => name.id === id);
}

/** What is known about the model that a protocol is chosen for. */
export interface ProtocolHints {
  /** The profile's own protocol. */
  readonly protocol?: string | undefined;
  /** The model's name at its endpoint. */
  readonly model?: string | undefined;
}

/** The wanted one; for `auto` the profile's own, else what suits the model by its name. */
export function chooseProtocol(wanted: string, { protocol, model = '' }: ProtocolHints): ProtocolName {
  const ids = [wanted, protocol ?? '', suitedFor(model).protocol];
  for (const id of ids) {
    const found = findProtocolName(id);
    if (found) return found;
  }
  throw new Error(`The table of models names a protocol that there is not: ${ids.at(-1)}`);
}

/** The id of what to offer a model that wrote in another form, or that has trouble with the protocol in use. */
export function suggestProtocol(seen: string | undefined, model: string): string {
  return findProtocolName(seen ?? '')?.id ?? suitedFor(model).fallback;
}
