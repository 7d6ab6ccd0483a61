import type { Protocol } from '../core/protocol';
import { native } from './native';
import { vcp } from './vcp';

/** Every protocol, in the order of the picker. A new one is a file beside this one and a line here. */
export const protocols: readonly Protocol[] = [native, vcp];

export function findProtocol(id: string): Protocol | undefined {
  return protocols.find((protocol) => protocol.id === id);
}

/** What `auto` stands for: the profile's own protocol, else the one for every endpoint that has tools. */
export function chooseProtocol(wanted: string, ofProfile: string | undefined): Protocol {
  return findProtocol(wanted) ?? findProtocol(ofProfile ?? '') ?? native;
}
