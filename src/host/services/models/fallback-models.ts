import type { Fallback } from '../../../agent/prepare-run';
import type { ModelAccess } from '../../../models/open-model';
import { fallbacksOf, type ModelProfile } from '../../../models/profiles';
import type { ModelServers } from './model-servers';
import { probeServer } from './probe-server';
import { profileProblem } from './profile-problem';

interface FallbackParts {
  /** The profiles of the settings. */
  readonly all: readonly ModelProfile[];
  readonly servers: ModelServers;
  readonly access: ModelAccess;
}

/** The usable models to which a profile falls back. Their servers are asked about themselves only then. */
export function fallbackModels(
  profile: ModelProfile,
  { all, servers, access }: FallbackParts,
  signal: AbortSignal,
): readonly Fallback[] {
  const usable = fallbacksOf(profile, all).filter((each) => profileProblem(each, all) === undefined);
  return usable.map((each) => async () => {
    await probeServer(each, servers, signal);
    return { profile: servers.known(each), access };
  });
}
