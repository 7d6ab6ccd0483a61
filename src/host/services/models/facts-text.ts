import * as vscode from 'vscode';
import { isEnforced } from '../../../models/form/form-probe';
import type { ModelProfile } from '../../../models/profiles';

/** Known facts of a model, in a few words: its window and features. Empty if nothing is known. */
export function factsText({
  contextWindow,
  vision,
  forcedForm,
  facts = {},
  forms = {},
}: ModelProfile): string {
  const { tools, thinks, isLoaded } = facts;
  const tried = forcedForm === 'off' ? [] : Object.values(forms);
  const words = [
    contextWindow !== undefined && vscode.l10n.t('{0} tokens', contextWindow.toLocaleString('en')),
    vision && vscode.l10n.t('images'),
    tools && vscode.l10n.t('tools'),
    tools === false && vscode.l10n.t('no native tools'),
    thinks && vscode.l10n.t('thinks'),
    tried.length > 0 &&
      (tried.some(isEnforced) ? vscode.l10n.t('form can be forced') : vscode.l10n.t('form cannot be forced')),
    isLoaded === false && vscode.l10n.t('not loaded'),
  ];
  return words.filter((word) => typeof word === 'string').join(' · ');
}
