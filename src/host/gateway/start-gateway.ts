import { randomUUID } from 'node:crypto';
import { pause } from '../../base/async';
import { limits } from '../../base/limits';
import type { Backend } from '../../gateway/chat-endpoint';
import { gatewayRoutes } from '../../gateway/routes';
import type { ServedRequests } from '../../gateway/served-requests';
import { promptForm, type ModelProfile } from '../../models/profiles';
import { GatewayServer, randomToken } from '../../node/endpoint/gateway-server';
import { countTokens } from '../../node/tokens';
import { callsEndThinking, chooseProtocol } from '../../protocols/choose';
import type { KnownServers } from '../models/known-servers';
import type { Output } from '../window/output';
import type { Secrets } from '../window/secrets';

export interface GatewayParts {
  readonly secrets: Secrets;
  readonly servers: KnownServers;
  readonly output: Output;
  readonly served: ServedRequests;
}

/** A running gateway. */
export interface RunningGateway {
  readonly address: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/** Listens on this machine for requests to the model of this profile, until it is stopped. */
export async function startGateway(profile: ModelProfile, parts: GatewayParts): Promise<RunningGateway> {
  const { output } = parts;
  const token = randomToken();
  const server = await GatewayServer.start({
    port: 0,
    token,
    routes: gatewayRoutes(await backendOf(profile, parts)),
    onError: (error) => output.error(error),
  });
  return { address: server.address, token, stop: () => server.stop() };
}

/** Uses the picked model, with its key and everything known of its server. */
async function backendOf(
  profile: ModelProfile,
  { secrets, servers, served }: GatewayParts,
): Promise<Backend<never>> {
  const [{ findProtocol }, { openInWindow }] = await Promise.all([
    import('../../protocols'),
    import('../models/open-in-window'),
  ]);
  const { model = profile.id, extraBody } = profile;
  const access = { secrets, facts: servers.facts };
  // SAFETY: the table of protocols names none that there is not.
  const protocol = findProtocol(chooseProtocol('auto', profile).id)!;
  // SAFETY: it is one of them.
  const plain = findProtocol('native')!;
  return {
    model,
    upstream: async (rest) => ({
      model: await openInWindow({ ...profile, extraBody: { ...extraBody, ...rest } }, access, 'gateway'),
      protocol,
      plain,
      promptForm: promptForm(profile),
      callsEndThinking: callsEndThinking(model),
      tokensIn: countTokens,
    }),
    now: Date.now,
    newId: randomUUID,
    watch: (events) => served.watch(events, { door: 'gateway', model }),
    longWait: (signal) => pause(limits.gatewaySilenceMs, signal),
  };
}
