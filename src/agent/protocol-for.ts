import type { ModelProfile } from '../models/profiles';
import { stepForm } from '../models/form/step-form';
import { chooseProtocol } from '../protocols/choose';
import type { ProtocolName } from '../protocols/names';

/** The protocol for a model: the wanted one, or by `auto` the one that suits the model, its server and how it works. */
export function protocolFor(wanted: string, profile: ModelProfile): ProtocolName {
  return chooseProtocol(wanted, { ...profile, stepForm: stepForm(profile) });
}
