import type { ResponseFormat } from '../../core/words/grammar';
import type { ModelProfile } from '../profiles';
import { constrainOptions } from '../servers/endpoint-options';
import { stepsOf } from '../steps';
import { formType } from './form-fields';
import { isEnforced } from './form-probe';

/**
 * The form that holds the replies of a model to steps of one call; nothing if it may have many calls, or if its server
 * enforces no form.
 */
export function stepForm(profile: ModelProfile): ResponseFormat['type'] | undefined {
  const { mode, server, mayProbe } = constrainOptions(profile);
  if (stepsOf(profile) !== 'one' || mode === 'off' || server === undefined) return undefined;
  const type = formType(NO_SCHEMA, server) ?? 'schema';
  const known = profile.forms?.[type];
  const isLikely = known === undefined ? mode === 'on' || mayProbe : isEnforced(known);
  return isLikely ? type : undefined;
}

/** A form as text. */
const NO_SCHEMA = {};
