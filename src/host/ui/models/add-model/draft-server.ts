import { limits } from '../../../../base/limits';
import { isNear } from '../../../../models/place';
import type { ServerAddress } from '../../../../models/servers/ask';
import { seekServer, type FoundServer, type Seen } from '../../../../models/servers/local-servers';
import type { ModelPickerParts } from '../model-picker';
import type { ModelSecrets } from '../../../services/models/open-in-window';
import { transport } from '../../../services/models/transport';
import type { Draft } from './draft';
import type { Outcome } from './walk';

/** The steps of adding a model. */
export type AddStep =
  'where' | 'machine' | 'server' | 'key' | 'vscode' | 'model' | 'test' | 'protocol' | 'try';

export type StepOutcome = Outcome<AddStep, Draft>;

export type AddParts = ModelPickerParts;

/** The key for an address: the one typed just now, else the stored one. */
export async function keyOf(
  baseUrl: string,
  { key }: Draft,
  secrets: Pick<AddParts['secrets'], 'keyFor'>,
): Promise<string | undefined> {
  return key?.origin === new URL(baseUrl).origin ? key.text : secrets.keyFor(baseUrl);
}

/** The secrets for requests of a model that is not saved yet. */
export function secretsOf(draft: Draft, { secrets }: Pick<AddParts, 'secrets'>): ModelSecrets {
  return {
    keyFor: (address) => keyOf(address, draft, secrets),
    keyCommand: (command, address) => secrets.keyCommand(command, address),
    named: (name, address) => secrets.named(name, address),
  };
}

export async function addressOf(baseUrl: string, draft: Draft, parts: AddParts): Promise<ServerAddress> {
  return { baseUrl, key: await keyOf(baseUrl, draft, parts.secrets), fetch: transport };
}

/** Servers at the entered addresses. Never rejects. */
export async function seek(draft: Draft, parts: AddParts, signal: AbortSignal): Promise<Seen> {
  const { label = '', baseUrls = [] } = draft.asked ?? {};
  const addresses = await Promise.all(baseUrls.map((baseUrl) => addressOf(baseUrl, draft, parts)));
  const [first = ''] = baseUrls;
  const seen = await seekServer(label, addresses, signal, isNear(first) ? undefined : limits.modelListMs);
  return seen.type === 'server' ? { ...seen, server: named(seen.server, label) } : seen;
}

/** The name that a server reports is better than an address, but not better than the name the user picked. */
function named(server: FoundServer, label: string): FoundServer {
  const isAddress = label === '' || label === new URL(server.baseUrl).host;
  return { ...server, label: isAddress ? server.label : label };
}
