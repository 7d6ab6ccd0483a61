import type { JsonObject } from '../base/json';
import type { Fetch } from '../base/transport';
import type { ReplyForm } from '../core/words/grammar';
import type { Model, ModelRequest } from '../core/words/model';
import { Addresses, baseAddresses } from './api-address';
import { bounded } from './bounded';
import { demoModel } from './demo/demo';
import { forClients } from './exchange/timeouts';
import { constrainOutput } from './form/constrained-output';
import { gathered } from './gathered';
import type { Layer } from './layer';
import { invalidateFacts, type FactsOfModel, type ModelFacts } from './model-facts';
import type { OnSend, OpenAiOptions } from './openai';
import type { FailedPass, Passed } from './pass-through';
import { isNear } from './place';
import { apiOf, priced, withAddress, type ModelProfile } from './profiles';
import { learnQuirks, QuirkLearner, sendAdapted } from './quirks/learn-quirks';
import { learnRequirements } from './reasoning-requirements';
import { refreshKey, type RefreshKey } from './refresh-key';
import { retrying } from './retrying';
import type { RenderReply } from './scripted';
import type { ServerAddress } from './servers/ask';
import { constrainOptions, endpointOptions } from './servers/endpoint-options';
import { overOllama } from './servers/ollama';
import { sayingBusy } from './stopped-requests';
import { withoutImages } from './without-images';

/**
 * What a model is opened for: conversations of Parley and of VS Code, requests of other programs, a connection test,
 * or an examination.
 */
export type Purpose = 'chat' | 'gateway' | 'test' | 'doctor';

/** What the window and the command line hand in: where keys and facts are kept, and what may not be imported here. */
export interface ModelAccess {
  readonly credentials: (profile: ModelProfile) => Credentials;
  readonly facts: ModelFacts;
  readonly fetch: Fetch;
  /** How requests of a profile with a client certificate are sent. */
  readonly certified?: (profile: ModelProfile) => Fetch | undefined;
  /** Loaded when a model needs them. */
  readonly protocols: () => Promise<ReplyForms>;
  /** Milliseconds between two pieces of the demo's replies. */
  readonly demoPauseMs: number;
  /** A model that VS Code offers; missing where there is no VS Code. */
  readonly vsCodeModel?: (profile: ModelProfile) => Model;
  /** Called with every body that is sent. */
  readonly onSend?: OnSend;
}

/** For the requests to one endpoint. */
export interface Credentials extends Pick<OpenAiOptions, 'apiKey' | 'headers'> {
  /** Gets another key in place of a refused one; missing if that is impossible. */
  readonly refreshKey?: RefreshKey;
}

/** What models need of the protocols. */
export interface ReplyForms {
  readonly replyForm: (origin: ModelRequest['origin']) => ReplyForm | undefined;
  readonly renderReply: RenderReply;
}

/** A model while it is put together. */
interface Opening {
  readonly profile: ModelProfile;
  readonly purpose: Purpose;
  readonly quirks: QuirkLearner;
  readonly access: ModelAccess;
  readonly facts: FactsOfModel;
  /** Of its server, if it has one. */
  readonly baseUrl: string | undefined;
}

interface LayerRow {
  readonly name: string;
  readonly purposes: readonly Purpose[];
  /** Nothing if this model does not need it. */
  readonly layer: (opening: Opening) => Layer | undefined | Promise<Layer | undefined>;
}

const ALL: readonly Purpose[] = ['chat', 'gateway', 'test', 'doctor'];
/** A gateway reports temporary failures to its client, which decides itself; a test reports them to the user. */
const PATIENT: readonly Purpose[] = ['chat', 'doctor'];

/** Everything between an endpoint and those who ask it, from the endpoint outwards. */
const LAYERS: readonly LayerRow[] = [
  // The first, so that all others see few deltas.
  { name: 'texts that arrive together', purposes: ['gateway'], layer: () => gathered },
  {
    name: 'what the endpoint requires about reasoning',
    purposes: ALL,
    layer: ({ profile: { reasoning = 'auto' }, facts, baseUrl }) =>
      baseUrl !== undefined && reasoning === 'auto' ? learnRequirements(facts.requirements) : undefined,
  },
  {
    name: 'what the endpoint refuses',
    purposes: ALL,
    layer: async (opening) => {
      if (opening.baseUrl === undefined) return undefined;
      const { wholeBody } = await import('./openai');
      const options = optionsOf(opening, opening.purpose);
      return learnQuirks(opening.quirks, (request) => wholeBody(options, request));
    },
  },
  { name: 'constrained output', purposes: ['chat', 'gateway', 'doctor'], layer: constrained },
  { name: 'size', purposes: ALL, layer: () => bounded },
  { name: 'price', purposes: ALL, layer: ({ profile: { price } }) => price && priced(price) },
  {
    name: 'outdated facts',
    purposes: ['chat'],
    layer: ({ facts }) => invalidateFacts(facts),
  },
  {
    name: 'refused keys',
    purposes: ['chat', 'gateway', 'doctor'],
    layer: ({ profile, access, baseUrl }) => {
      const refresh = baseUrl === undefined ? undefined : access.credentials(profile).refreshKey;
      return refresh && refreshKey(refresh);
    },
  },
  {
    name: 'requests that were stopped',
    purposes: PATIENT,
    layer: ({ access: { facts }, baseUrl }) =>
      baseUrl !== undefined && isNear(baseUrl) ? sayingBusy(baseUrl, facts.stopped) : undefined,
  },
  { name: 'temporary failures', purposes: PATIENT, layer: () => (next) => retrying(next) },
  {
    name: 'images',
    purposes: PATIENT,
    layer: ({ profile: { vision = false } }) => (vision ? undefined : withoutImages),
  },
  // Clients know what they send: only a profile that says so leaves images out.
  {
    name: 'images of clients',
    purposes: ['gateway'],
    layer: ({ profile: { vision } }) => (vision === false ? withoutImages : undefined),
  },
];

/** Opens the model of a profile, which must have no problem. The only way to one. */
export async function openModel(
  profile: ModelProfile,
  access: ModelAccess,
  purpose: Purpose,
): Promise<Model> {
  const { provider, baseUrl } = withAddress(profile);
  const hasServer = provider === 'openai' || provider === 'ollama';
  const opening: Opening = {
    profile: withAddress(profile),
    purpose,
    access,
    facts: access.facts.of(profile),
    quirks: new QuirkLearner(access.facts.of(profile).quirks, apiOf(profile)),
    baseUrl: hasServer ? baseUrl : undefined,
  };
  const rows = LAYERS.filter(({ purposes }) => purposes.includes(purpose));
  const layers = await Promise.all(rows.map(async ({ layer }) => layer(opening)));
  return layers.reduce((next, layer) => layer?.(next) ?? next, await innermost(opening));
}

/** Forwards a request to the endpoint of a profile unchanged; nothing if the endpoint needs other requests. */
export function openPass(
  profile: ModelProfile,
  access: ModelAccess,
): ((body: JsonObject, signal: AbortSignal) => Promise<Passed | FailedPass>) | undefined {
  if (profile.provider !== 'openai' || apiOf(profile) !== 'chat') return undefined;
  const quirks = new QuirkLearner(access.facts.of(profile).quirks);
  const options = optionsOf({ profile, access, quirks }, 'gateway');
  const addresses = new Addresses(options);
  const { refreshKey: refresh } = access.credentials(profile);
  return async (body, signal) => {
    const { passThrough } = await import('./pass-through');
    const send = (adapted: JsonObject): Promise<Passed | FailedPass> =>
      passThrough(options, addresses, adapted, signal);
    const passed = await sendAdapted(quirks, body, signal, send);
    const isKeyRefused = passed.type === 'failure' && passed.failure.code === 'unauthorized';
    const isRefreshed = isKeyRefused && (await refresh?.(signal));
    return isRefreshed && !signal.aborted ? sendAdapted(quirks, body, signal, send) : passed;
  };
}

/** To ask the server of a profile about itself. Missing secrets are reported by requests. */
export async function serverAddress(
  profile: ModelProfile,
  access: Pick<ModelAccess, 'credentials' | 'fetch' | 'certified'>,
  signal: AbortSignal,
): Promise<ServerAddress> {
  const { provider, baseUrl = '' } = withAddress(profile);
  const { apiKey, headers } = access.credentials(profile);
  const [key, filled] = [await apiKey(signal), await headers?.()];
  return {
    ...{ baseUrl, fetch: fetchFor(profile, access) },
    kind: provider === 'ollama' ? provider : undefined,
    api: apiOf(profile),
    key: typeof key === 'string' ? key : undefined,
    ...(filled?.type === 'filled' && { headers: filled.headers }),
  };
}

function fetchFor(
  profile: ModelProfile,
  { fetch, certified }: Pick<ModelAccess, 'fetch' | 'certified'>,
): Fetch {
  return (profile.tls && certified?.(profile)) ?? fetch;
}

async function innermost(opening: Opening): Promise<Model> {
  const { profile, access } = opening;
  switch (profile.provider) {
    case 'demo':
      return demoModel((await access.protocols()).renderReply, access.demoPauseMs);
    case 'vscode':
      // SAFETY: the command line refuses such profiles when it reads them.
      return access.vsCodeModel!(profile);
    case 'openai':
    case 'ollama': {
      const { openAiModel } = await import('./openai');
      const options = optionsOf(opening, opening.purpose);
      const isOllama = profile.provider === 'ollama';
      return openAiModel(isOllama ? overOllama(options, profile.contextWindow) : options);
    }
  }
}

function optionsOf(
  { profile, access, quirks }: Pick<Opening, 'profile' | 'access' | 'quirks'>,
  purpose: Purpose,
): OpenAiOptions {
  const { id, name = id, baseUrl = '', model = '', timeouts } = withAddress(profile);
  const { apiKey, headers } = access.credentials(profile);
  const { requirements } = access.facts.of(profile);
  return {
    ...{ name, baseUrl, model, apiKey },
    addresses: baseAddresses(baseUrl),
    ...(headers && { headers }),
    ...endpointOptions(profile),
    ...(purpose === 'gateway' && { timeouts: forClients(timeouts) }),
    requirements: () => requirements.read(),
    quirks: () => quirks.read(),
    onBearer: () => quirks.learnBearer(),
    fetch: fetchFor(profile, access),
    ...(access.onSend && { onSend: access.onSend }),
  };
}

async function constrained({ profile, access, facts, baseUrl }: Opening): Promise<Layer | undefined> {
  const options = constrainOptions(profile);
  if (baseUrl === undefined || options.mode === 'off') return undefined;
  const { replyForm: formOf } = await access.protocols();
  return constrainOutput({ ...options, support: facts.forms, formOf });
}
