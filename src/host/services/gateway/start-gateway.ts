import { randomUUID } from 'node:crypto';
import { gatewayBackend } from '../../../agent/gateway-backend';
import { gatewayRoutes } from '../../../gateway/routes';
import type { ServedRequests } from '../../../gateway/served-requests';
import type { ModelProfile } from '../../../models/profiles';
import { GatewayServer, randomToken } from '../../../node/endpoint/gateway-server';
import { countTokens } from '../../../node/tokens';
import { fallbackModels } from '../models/fallback-models';
import type { ModelServers } from '../models/model-servers';
import type { Output } from '../../platform/output';
import type { Secrets } from '../../platform/secrets';

export interface GatewayParts {
  readonly secrets: Secrets;
  readonly servers: ModelServers;
  readonly output: Output;
  readonly served: ServedRequests;
  /** The profiles of the settings. */
  readonly all: readonly ModelProfile[];
}

/** A running gateway. */
export interface RunningGateway {
  readonly address: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/** Listens on this machine for requests to the model of this profile, until it is stopped. */
export async function startGateway(
  profile: ModelProfile,
  { secrets, servers, output, served, all }: GatewayParts,
): Promise<RunningGateway> {
  const { windowAccess } = await import('../models/open-in-window');
  const access = windowAccess({ secrets, facts: servers.facts });
  const token = randomToken();
  const stopped = new AbortController();
  const fallbacks = fallbackModels(profile, { all, servers, access }, stopped.signal);
  const server = await GatewayServer.start({
    port: 0,
    token,
    routes: gatewayRoutes(
      gatewayBackend({
        profile,
        access,
        countTokens,
        protocol: 'auto',
        served,
        newId: randomUUID,
        fallbacks,
      }),
    ),
    onError: (error) => output.error(error),
  });
  const stop = (): Promise<void> => {
    stopped.abort();
    return server.stop();
  };
  return { address: server.address, token, stop };
}
