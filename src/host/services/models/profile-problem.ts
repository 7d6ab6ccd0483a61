import * as vscode from 'vscode';
import { isSendable } from '../../../models/headers';
import { demoProfile, type ModelProfile } from '../../../models/profiles';
import { findProtocolName } from '../../../protocols/choose';
import { protocolNames } from '../../../protocols/names';

/** Why this profile cannot be used, in one sentence with the next step. `all` are the profiles of the settings. */
export function profileProblem(profile: ModelProfile, all: readonly ModelProfile[]): string | undefined {
  const { id, provider, baseUrl, model, protocol, headers = {} } = profile;
  const alike = all.filter((other) => other.id === id);
  if (id === demoProfile.id && alike.length > 0) {
    const text =
      'The id "demo" in "parley.models" belongs to the built-in demo. Give that profile another id.';
    return vscode.l10n.t(text);
  }
  if (alike.length > 1) {
    const text = '{0} profiles in "parley.models" have the id "{1}". Give each a unique id.';
    return vscode.l10n.t(text, alike.length, id);
  }
  if (provider === 'openai' && (baseUrl === undefined || model === undefined)) {
    const text = 'The profile "{0}" in "parley.models" needs both "baseUrl" and "model".';
    return vscode.l10n.t(text, id);
  }
  if (provider === 'ollama' && model === undefined) {
    const text = 'The profile "{0}" in "parley.models" needs a "model", such as "qwen3:8b".';
    return vscode.l10n.t(text, id);
  }
  if (provider === 'vscode' && model === undefined) {
    const text = 'The profile "{0}" in "parley.models" needs a "model", such as "copilot/gpt-4o".';
    return vscode.l10n.t(text, id);
  }
  if (protocol !== undefined && protocol !== 'auto' && !findProtocolName(protocol)) {
    const text = 'The profile "{0}" in "parley.models" has the unknown protocol "{1}". Use one of: {2}.';
    return vscode.l10n.t(text, id, protocol, protocolNames.map((each) => each.id).join(', '));
  }
  const unsendable = Object.entries(headers).find(([name, value]) => !isSendable(name, value));
  if (unsendable) {
    const text =
      'The profile "{0}" in "parley.models" has a header "{1}" that cannot be sent. Remove line breaks and special characters.';
    return vscode.l10n.t(text, id, unsendable[0]);
  }
  return undefined;
}
