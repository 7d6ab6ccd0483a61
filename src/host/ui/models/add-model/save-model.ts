import * as vscode from 'vscode';
import { noticeText } from '../../../../base/text';
import { vsCodeProfile, withAddress, withFacts } from '../../../../models/profiles';
import { translated } from '../../../platform/translated';
import { factsText } from '../../../services/models/facts-text';
import { changeOwnModels } from '../own-models';
import type { AddParts } from './draft-server';
import type { OwnProfile } from '../own-models';
import { profileOf, type Draft } from './draft';

/** Saves the model and its key, picks it, and notifies the user. */
export async function saveModel(draft: Draft, parts: AddParts): Promise<void> {
  const { choices, secrets, servers, findProtocol } = parts;
  const { chosen, key, isForDoctor = false, protocol, tried } = draft;
  if (!chosen) throw new Error('No model was chosen.');
  // It is in the list without a profile.
  const isListed = chosen.provider === 'vscode' && protocol === undefined;
  const profile = isListed ? vsCodeProfile(chosen.model) : await keepProfile(draft, parts);
  if (!profile) return;
  if (key && chosen.baseUrl !== undefined && key.origin === new URL(chosen.baseUrl).origin)
    await secrets.keepKey(chosen.baseUrl, key.text);
  if (tried && 'solved' in tried) {
    const { work } = servers.facts.of(withAddress(profile));
    work.write({ ...work.read(), ...tried });
  }
  await servers.ask(profile);
  await choices.pick('model', profile.id);
  const known = choices.find(profile.id) ?? withFacts(profile, chosen.facts);
  if (isForDoctor) return findProtocol(known);
  const name = profile.name ?? profile.model ?? profile.id;
  const words = [translated(choices.protocol.label), factsText({ ...known, forms: {} })];
  const text = vscode.l10n.t(
    'Parley now uses {0} ({1}). Send a message to begin.',
    name,
    words.filter(Boolean).join(' · '),
  );
  void vscode.window.showInformationMessage(noticeText(text));
}

async function keepProfile(draft: Draft, { settings }: AddParts): Promise<OwnProfile | undefined> {
  let kept: OwnProfile | undefined;
  const isKept = await changeOwnModels(settings, (profiles) => {
    const profile = profileOf(draft, profiles);
    kept = profile;
    return profiles.some(({ id }) => id === profile.id)
      ? profiles.map((each) => (each.id === profile.id ? profile : each))
      : [...profiles, profile];
  });
  return isKept ? kept : undefined;
}
