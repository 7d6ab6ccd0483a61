import { pause } from '../base/async';
import { limits } from '../base/limits';
import { isForGood, type ModelFailure } from '../core/words/model';
import type { RelayBackend } from '../gateway/api';
import { CarriedReplies } from '../gateway/carried-replies';
import type { Upstream } from '../gateway/relay';
import type { ServedRequests } from '../gateway/served-requests';
import { withClientFields } from '../models/apis/client-fields';
import { openModel, type Purpose } from '../models/open-model';
import { promptForm } from '../models/profiles';
import { callsEndThinking, chooseProtocol, findProtocolName } from '../protocols/choose';
import { loadProtocol } from './protocol-for';
import type { Fallback, ModelSource } from './prepare-run';

interface BackendSource extends ModelSource {
  /** The id of a protocol, or `auto`. */
  readonly protocol: string;
  /** Asked in order after the model itself, each in the protocol of its profile. */
  readonly fallbacks?: readonly Fallback[];
  readonly served: ServedRequests;
  readonly newId: () => string;
}

/** What answers the requests to a gateway. */
export function gatewayBackend({ fallbacks = [], ...shared }: BackendSource): RelayBackend {
  const { served, newId, ...source } = shared;
  const { id, model = id } = source.profile;
  const [other, ...others] = fallbacks;
  const carried = new CarriedReplies();
  return {
    model,
    upstream: async (rest) => {
      const { profile, dropped } = withClientFields(source.profile, rest);
      served.noteDropped(dropped);
      return { ...(await openUpstream({ ...source, profile }, 'gateway')), carried };
    },
    ...(other && {
      fallback: async (failure) => {
        if (mayPass(failure)) return undefined;
        const next = await other();
        served.noteFallback(next.profile.name ?? next.profile.id);
        return gatewayBackend({ ...shared, ...next, protocol: 'auto', fallbacks: others });
      },
    }),
    now: Date.now,
    newId,
    watch: (events) => served.watch(events, { door: 'gateway', model }),
    longWait: (signal) => pause(limits.gatewaySilenceMs, signal),
  };
}

/** Whether the client should ask the same model again, now or after a pause. */
function mayPass(failure: ModelFailure): boolean {
  return !isForGood(failure) || (failure.code === 'rate-limited' && failure.retry !== undefined);
}

/** The model that answers another program, and the protocols in which it is asked. */
export async function openUpstream(
  { profile, access, countTokens, protocol }: Omit<BackendSource, 'served' | 'newId' | 'fallbacks'>,
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
