import type { Model } from '../../core/words/model';
import { bounded } from '../../models/bounded';
import { demoModel } from '../../models/demo/demo';
import { unlessAborted } from '../../base/async';
import { fillHeaders, headerSecrets } from '../../models/headers';
import { doubting } from '../../models/doubting';
import { forcing, type FormBook } from '../../models/form/forcing';
import type { OpenAiOptions } from '../../models/openai';
import { isNear } from '../../models/place';
import { priced, type ModelProfile } from '../../models/profiles';
import { renewing, type RenewKey } from '../../models/renewing';
import { endpointOptions, forcingOptions } from '../../models/servers/endpoint-options';
import { overOllama } from '../../models/servers/ollama';
import { retrying } from '../../models/retrying';
import { sayingBusy, StoppedRequests } from '../../models/stopped-requests';
import { withoutImages } from '../../models/without-images';
import { seesImages } from '../attachments/images';
import type { Secrets } from '../window/secrets';
import { transport } from './transport';
import { vsCodeModel } from './vscode-model';

export { askServer, loadIntoOllama } from '../../models/servers/ask';
export { meetServer } from './meet-server';
export { transport };

/** Milliseconds between two pieces of the demo's replies, so that they visibly stream. */
const DEMO_PAUSE = 8;

/** Extras of a chat model. */
interface Ports extends Pick<OpenAiOptions, 'onSend' | 'lessons'> {
  /** Cached server facts may be outdated. */
  readonly onDoubt?: () => void;
  /** Known support for enforced forms; without it no reply is constrained. */
  readonly forms?: FormBook;
}

/** The same, checked again after a failed request. */
export async function buildPatientModel(
  profile: ModelProfile,
  secrets: Secrets,
  ports: Ports,
): Promise<Model> {
  const { onDoubt, ...others } = ports;
  const plain = await buildModel(profile, secrets, others);
  const built = onDoubt ? doubting(plain, onDoubt) : plain;
  const { provider, baseUrl } = profile;
  const isEndpoint = provider !== 'demo' && provider !== 'vscode' && baseUrl !== undefined;
  const model = retrying(isEndpoint ? attended(built, profile, baseUrl, secrets) : built);
  return seesImages(profile) ? model : withoutImages(model);
}

/** Shared by the window: each run has a new model. */
const stopped = new StoppedRequests();

function attended(model: Model, profile: ModelProfile, baseUrl: string, secrets: Secrets): Model {
  const renewed = renewing(model, renewKey(profile, baseUrl, secrets));
  return isNear(baseUrl) ? sayingBusy(renewed, baseUrl, stopped) : renewed;
}

/** A rejected key is renewed: by its command, or by the user in the password box for that origin. */
function renewKey(profile: ModelProfile, baseUrl: string, secrets: Secrets): RenewKey {
  const { apiKeyCommand: command, headers } = profile;
  return async (signal) => {
    if (command !== undefined) {
      secrets.keyCommand(command, baseUrl).forget();
      return true;
    }
    const name = profile.name ?? profile.id;
    const [secret] = headerSecrets(headers);
    const asked =
      secret === undefined ? secrets.askForKey(name, baseUrl) : secrets.askForNamed(secret, name, baseUrl);
    return (await unlessAborted(asked, signal)) ?? false;
  };
}

/** The user's secrets for the requests of a model. */
export type KeysOfModel = Pick<Secrets, 'keyFor' | 'keyCommand' | 'named'>;

/** The model of a profile, which must have no problem. */
export async function buildModel(
  profile: ModelProfile,
  secrets: KeysOfModel,
  { forms, ...ports }: Omit<Ports, 'onDoubt'> = {},
): Promise<Model> {
  if (profile.provider === 'demo') {
    const { renderReply } = await import('../../protocols');
    return demoModel(renderReply, DEMO_PAUSE);
  }
  const { baseUrl, model = '', headers } = profile;
  if (profile.provider === 'vscode') {
    return bounded(vsCodeModel({ name: profile.name ?? model, model }));
  }
  // SAFETY: an endpoint profile without an address has a problem, and never gets here.
  const address = baseUrl!;
  const { openAiModel } = await import('../../models/openai');
  const options: OpenAiOptions = {
    name: profile.name ?? profile.id,
    baseUrl: address,
    model,
    apiKey: (signal) =>
      profile.apiKeyCommand === undefined
        ? secrets.keyFor(address)
        : secrets.keyCommand(profile.apiKeyCommand, address).key(signal),
    ...(headers && {
      headers: () => fillHeaders(headers, (name) => secrets.named(name, address)),
    }),
    ...endpointOptions(profile),
    ...ports,
    fetch: transport,
  };
  const plain = openAiModel(
    profile.provider === 'ollama' ? overOllama(options, profile.contextWindow) : options,
  );
  const endpoint = forms ? await forced(plain, profile, forms) : plain;
  return profile.price ? priced(bounded(endpoint), profile.price) : bounded(endpoint);
}

async function forced(model: Model, profile: ModelProfile, book: FormBook): Promise<Model> {
  const { replyForm: formOf } = await import('../../protocols');
  return forcing(model, { ...forcingOptions(profile), book, formOf });
}
