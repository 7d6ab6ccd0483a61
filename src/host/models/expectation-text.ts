import * as vscode from 'vscode';
import { expectationOf, type Expectation, type WorkKind } from '../../models/expectations';
import type { ModelProfile } from '../../models/profiles';

/**
 * What to expect of a model, in one sentence without its full stop: by the jobs that it did here, as measured, or by its
 * size. Empty if nothing can be said.
 */
export function expectationText(profile: ModelProfile): string {
  const { solved, of } = profile.work ?? {};
  const expectation = expectationOf(profile);
  return [
    expectation && textFor(expectation),
    solved !== undefined && of !== undefined && vscode.l10n.t('{0} of {1} small jobs done here', solved, of),
  ]
    .filter(Boolean)
    .join(' · ');
}

function textFor(expectation: Expectation): string {
  const { measured } = expectation;
  const text = kindsText(expectation);
  if (!measured) return text;
  const ofTen = Math.round((measured.solved * 10) / measured.of);
  return vscode.l10n.t('{0}: {1} of 10 in our measure', text, ofTen);
}

function kindsText({ works, rarely, isGuess }: Expectation): string {
  const [some, few] = [listed(works), listed(rarely)];
  if (works.length === 0) return vscode.l10n.t('{0} rarely work', few);
  if (isGuess) return vscode.l10n.t('{0} usually work, {1} rarely (not measured)', some, few);
  return vscode.l10n.t('{0} work, {1} rarely', some, few);
}

function listed(kinds: readonly WorkKind[]): string {
  const [first, second] = kinds.map(kindText);
  return second === undefined ? (first ?? '') : vscode.l10n.t('{0} and {1}', first ?? '', second);
}

function kindText(kind: WorkKind): string {
  switch (kind) {
    case 'reads':
      return vscode.l10n.t('reads');
    case 'small-edits':
      return vscode.l10n.t('small edits');
    case 'tests':
      return vscode.l10n.t('tests');
    case 'long-work':
      return vscode.l10n.t('long tasks');
  }
}
