import type { Fetch } from '../../../base/transport';
import { unlessAborted } from '../../../base/async';
import type { Model } from '../../../core/words/model';
import { fillHeaders, headerSecrets } from '../../../models/headers';
import type { ModelFacts } from '../../../models/model-facts';
import { openModel, type Credentials, type ModelAccess, type Purpose } from '../../../models/open-model';
import { withAddress, type ModelProfile } from '../../../models/profiles';
import type { RefreshKey } from '../../../models/refresh-key';
import { withoutImages } from '../../../models/without-images';
import type { Secrets } from '../../platform/secrets';
import { certifiedTransport, transport } from './transport';
import { knowsImages, vsCodeModel } from './vscode-model';

export { serverAddress } from '../../../models/open-model';
export { askServer, loadIntoOllama } from '../../../models/servers/ask';
export { probeServer } from './probe-server';

/** Milliseconds between two pieces of the demo's replies, so that they visibly stream. */
const DEMO_PAUSE = 8;

/** The user's secrets for the requests of a model. Without the password box, no other key is asked for. */
export type ModelSecrets = Pick<Secrets, 'keyFor' | 'keyCommand' | 'named'> &
  Partial<Pick<Secrets, 'askForKey' | 'askForNamed'>>;

/** What a window keeps for models. */
export interface WindowAccess extends Pick<ModelAccess, 'onSend'> {
  readonly secrets: ModelSecrets;
  readonly facts: ModelFacts;
}

/** The access of this window to its models. */
export function windowAccess({ secrets, ...others }: WindowAccess): ModelAccess {
  return {
    ...others,
    credentials: (profile) => credentials(profile, secrets),
    fetch: transport,
    certified: (profile) => certified(profile, secrets),
    protocols: () => import('../../../protocols'),
    demoPauseMs: DEMO_PAUSE,
    vsCodeModel: openVsCodeModel,
  };
}

/** Opens the model of a profile, with the secrets and facts of the window. */
export function openInWindow(profile: ModelProfile, access: WindowAccess, purpose: Purpose): Promise<Model> {
  return openModel(profile, windowAccess(access), purpose);
}

function openVsCodeModel({ name, model = '' }: ModelProfile): Model {
  const opened = vsCodeModel({ name: name ?? model, model });
  return knowsImages() ? opened : withoutImages(opened);
}

function credentials(profile: ModelProfile, secrets: ModelSecrets): Credentials {
  const { apiKeyCommand: command, headers, baseUrl = '' } = withAddress(profile);
  const refresh = refreshKeyFor(profile, baseUrl, secrets);
  return {
    apiKey: (signal) =>
      command === undefined ? secrets.keyFor(baseUrl) : secrets.keyCommand(command, baseUrl).key(signal),
    ...(headers && { headers: () => fillHeaders(headers, (name) => secrets.named(name, baseUrl)) }),
    ...(refresh && { refreshKey: refresh }),
  };
}

function certified({ tls, baseUrl = '' }: ModelProfile, secrets: ModelSecrets): Fetch | undefined {
  if (!tls) return undefined;
  return certifiedTransport(tls, async () => {
    const { passphrase = '' } = tls;
    const filled = await fillHeaders({ passphrase }, (name) => secrets.named(name, baseUrl));
    return filled.type === 'filled' ? filled.headers['passphrase'] : undefined;
  });
}

/** A rejected key is renewed: by its command, or by the user in the password box for that origin. */
function refreshKeyFor(
  profile: ModelProfile,
  baseUrl: string,
  secrets: ModelSecrets,
): RefreshKey | undefined {
  const { id, name = id, apiKeyCommand: command, headers } = profile;
  if (command !== undefined) {
    return async () => {
      secrets.keyCommand(command, baseUrl).forget();
      return true;
    };
  }
  const [secret] = headerSecrets(headers);
  return async (signal) => {
    const asked =
      secret === undefined
        ? secrets.askForKey?.(name, baseUrl)
        : secrets.askForNamed?.(secret, name, baseUrl);
    return (asked && (await unlessAborted(asked, signal))) ?? false;
  };
}
