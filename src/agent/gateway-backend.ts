import { pause } from '../base/async';
import { limits } from '../base/limits';
import type { RelayBackend } from '../gateway/api';
import type { Upstream } from '../gateway/relay';
import type { ServedRequests } from '../gateway/served-requests';
import { withClientFields } from '../models/apis/client-fields';
import { openModel, type Purpose } from '../models/open-model';
import { apiOf, promptForm } from '../models/profiles';
import { callsEndThinking, chooseProtocol, findProtocolName } from '../protocols/choose';
import { loadProtocol } from './protocol-for';
import type { ModelSource } from './prepare-run';

interface BackendSource extends ModelSource {
  /** The id of a protocol, or `auto`. */
  readonly protocol: string;
  readonly served: ServedRequests;
  readonly newId: () => string;
}

/** What answers the requests to a gateway. */
export function gatewayBackend({ served, newId, ...source }: BackendSource): RelayBackend {
  const { id, model = id } = source.profile;
  return {
    model,
    upstream: (rest, stop = []) => {
      const { profile, dropped } = withClientFields(source.profile, rest);
      const isStopDropped = apiOf(profile) === 'responses' && stop.length > 0;
      served.noteDropped([...dropped, ...(isStopDropped ? ['stop'] : [])]);
      return openUpstream({ ...source, profile }, 'gateway');
    },
    now: Date.now,
    newId,
    watch: (events) => served.watch(events, { door: 'gateway', model }),
    longWait: (signal) => pause(limits.gatewaySilenceMs, signal),
  };
}

/** The model that answers another program, and the protocols in which it is asked. */
export async function openUpstream(
  { profile, access, countTokens, protocol }: Omit<BackendSource, 'served' | 'newId'>,
  purpose: Purpose,
): Promise<Upstream> {
  return {
    model: await openModel(profile, access, purpose),
    protocol: await loadProtocol(chooseProtocol(protocol, profile)),
    // SAFETY: there is always a native protocol.
    plain: await loadProtocol(findProtocolName('native')!),
    promptForm: promptForm(profile),
    callsEndThinking: callsEndThinking(profile.model ?? ''),
    tokensIn: countTokens,
  };
}
