import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isJsonObject } from '../base/json';
import { fillHeaders } from '../models/headers';
import { ModelFacts } from '../models/model-facts';
import { serverAddress, type Credentials, type ModelAccess } from '../models/open-model';
import { isNear } from '../models/place';
import {
  demoProfile,
  hidesWindow,
  profileSecrets,
  smallerWindow,
  withAddress,
  withFacts,
  type ModelProfile,
} from '../models/profiles';
import { askServer, loadIntoOllama, untilLoaded } from '../models/servers/ask';
import { profile as ProfileSchema } from '../manifest/profile';
import { clientCertificate } from '../node/endpoint/client-certificate';
import { environmentRoute } from '../node/endpoint/environment-proxy';
import { KeyCommand } from '../node/endpoint/key-command';
import { createTransport } from '../node/endpoint/transport';
import { renderReply, replyForm } from '../protocols';
import { required, UsageError } from './command-line';

/** How `parley run` chooses its model. */
export interface ModelValues {
  readonly model?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly 'model-name'?: string | undefined;
  readonly profile?: string | undefined;
}

/** The profile that the options name or describe. */
export function profileOf(values: ModelValues): ModelProfile {
  const { model, 'base-url': baseUrl, 'model-name': name, profile } = values;
  if (profile !== undefined) {
    if (model !== undefined || baseUrl !== undefined || name !== undefined) {
      throw new UsageError(
        '--profile cannot be combined with other model options: the file names the address and the model.',
      );
    }
    return readProfile(profile);
  }
  if (baseUrl === undefined) {
    if (required(model, '--model or --base-url') !== demoProfile.id) {
      throw new UsageError(`unknown model "${model ?? ''}". Use "demo", or --base-url and --model-name.`);
    }
    if (name !== undefined) {
      throw new UsageError('--model-name needs --base-url. Give the address of the server as well.');
    }
    return demoProfile;
  }
  if (model !== undefined) {
    throw new UsageError('--model and --base-url cannot be combined. Name the model with --model-name.');
  }
  if (!URL.canParse(baseUrl))
    throw new UsageError(`"${baseUrl}" is not an address. Give a full one, such as http://localhost/v1.`);
  const wanted = required(name, '--model-name');
  return { id: wanted, provider: 'openai', baseUrl, model: wanted };
}

/** The profile; `--forced-form` overrides it. */
export function withForcedForm(profile: ModelProfile, asked: string | undefined): ModelProfile {
  if (asked === undefined) return profile;
  if (asked !== 'auto' && asked !== 'on' && asked !== 'off') {
    throw new UsageError(`--forced-form must be auto, on or off, not "${asked}".`);
  }
  return { ...profile, forcedForm: asked };
}

/** One entry of `parley.models`; its `id` may be left out, because nothing refers to it here. */
function readProfile(file: string): ModelProfile {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${why}. Check the path, and that it is JSON.`);
  }
  const checked = ProfileSchema.safeParse(isJsonObject(given) ? { id: 'profile', ...given } : given);
  if (!checked.success)
    throw new UsageError(`${file} is not a model profile: ${z.prettifyError(checked.error)}`);
  const { data } = checked;
  if (data.provider === 'demo') return data;
  if (data.provider === 'vscode') {
    throw new UsageError(
      `${file} names a model of VS Code, which only the editor can use. Name one with an address.`,
    );
  }
  const profile = withAddress(data);
  if (profile.model === undefined || profile.baseUrl === undefined) {
    throw new UsageError(`${file} needs both "baseUrl" and "model". Write them into it.`);
  }
  return { ...profile, name: profile.name ?? profile.model };
}

/** The environment variables that contain secrets of the profile: no command of the run may see them. */
export function secretVariables(profile: ModelProfile, keyVariable: string): readonly string[] {
  return [keyVariable, ...profileSecrets(profile)];
}

/**
 * Secrets come from the environment, never from an argument: the key, unless a command of the profile gets it, and
 * those that headers name. So does the proxy. Facts are known for one command. `folders`: of the workspace.
 */
export async function accessTo(
  profile: ModelProfile,
  keyVariable: string,
  folders: readonly string[] = [],
): Promise<ModelAccess> {
  const credentials = await credentialsOf(profile, keyVariable);
  const route = environmentRoute(process.env);
  return {
    credentials: () => credentials,
    facts: new ModelFacts(),
    fetch: createTransport(route),
    certified: ({ tls }) => {
      const passphrase = async (): Promise<string | undefined> => passphraseOf(tls);
      return tls && createTransport(route, clientCertificate(tls, { passphrase, folders }));
    },
    protocols: async () => ({ renderReply, replyForm }),
    demoPauseMs: 0,
  };
}

async function passphraseOf(tls: ModelProfile['tls']): Promise<string | undefined> {
  const filled = await fillHeaders({ passphrase: tls?.passphrase ?? '' }, async (name) => process.env[name]);
  return filled.type === 'filled' ? filled.headers['passphrase'] : undefined;
}

async function credentialsOf(profile: ModelProfile, keyVariable: string): Promise<Credentials> {
  const { headers = {}, apiKeyCommand } = profile;
  const filled = await fillHeaders(headers, async (name) => process.env[name]);
  if (filled.type === 'missing') {
    throw new UsageError(`a header needs "${filled.name}". Set the environment variable of that name.`);
  }
  const filledHeaders = async (): Promise<typeof filled> => filled;
  if (apiKeyCommand === undefined)
    return { apiKey: async () => process.env[keyVariable], headers: filledHeaders };
  const command = new KeyCommand(
    typeof apiKeyCommand === 'string' ? { command: apiKeyCommand } : apiKeyCommand,
    {
      withheld: secretVariables(profile, keyVariable),
    },
  );
  return {
    apiKey: (signal) => command.key(signal),
    headers: filledHeaders,
    refreshKey: async () => {
      command.forget();
      return true;
    },
  };
}

/**
 * The profile with what its server reports about itself. Only servers on this machine and in the local network are
 * asked. `tell` receives sentences for the user.
 */
export async function askedProfile(
  profile: ModelProfile,
  access: ModelAccess,
  signal: AbortSignal,
  tell: (sentence: string) => void,
): Promise<ModelProfile> {
  const { baseUrl, model = '' } = profile;
  if (baseUrl === undefined || !isNear(baseUrl)) return profile;
  const address = await serverAddress(profile, access, signal);
  let facts = await askServer(address, model, signal);
  const say = (): void => tell('The server is loading the model.');
  if (!facts && (await untilLoaded(address, signal, say))) facts = await askServer(address, model, signal);
  if (hidesWindow(withFacts(profile, facts))) {
    tell(`Ollama loads ${model}: only then does it report the context window.`);
    if (await loadIntoOllama(address, model, signal)) facts = await askServer(address, model, signal);
  }
  if (facts) access.facts.of(profile).server.write({ facts });
  const full = withFacts(profile, facts);
  const smaller = smallerWindow(full);
  if (smaller !== undefined) {
    tell(
      `For ${model} the server reports a context window of ${smaller} tokens, the profile ${full.contextWindow}. Start the server with a larger one, or change "contextWindow".`,
    );
  }
  return full;
}
