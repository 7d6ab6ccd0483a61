import type { Protocol } from '../core/protocol';
import { envelope } from './envelope';
import { glm } from './glm';
import { hermes } from './hermes';
import { invoke } from './invoke';
import { json } from './json';
import { native } from './native';
import { qwen3Coder } from './qwen3-coder';
import { vcp } from './vcp';
import { xml } from './xml';

/** Every protocol, in the order of the picker. A new one is a file beside this one and a line here. */
export const protocols: readonly Protocol[] = [
  native,
  vcp,
  json,
  xml,
  envelope,
  invoke,
  hermes,
  qwen3Coder,
  glm,
];

export function findProtocol(id: string): Protocol | undefined {
  return protocols.find((protocol) => protocol.id === id);
}

/** What `auto` stands for: the profile's own protocol, else the one for every endpoint that has tools. */
export function chooseProtocol(wanted: string, ofProfile: string | undefined): Protocol {
  return findProtocol(wanted) ?? findProtocol(ofProfile ?? '') ?? native;
}
