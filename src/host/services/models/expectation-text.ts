import * as vscode from 'vscode';
import { expectationOf, type Expectation } from '../../../models/expectations';
import type { ModelProfile } from '../../../models/profiles';

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

function textFor({ ability, measured }: Expectation): string {
  const text = abilityText(ability);
  if (!measured) return text;
  const ofTen = Math.round((measured.solved * 10) / measured.of);
  return vscode.l10n.t('{0}: {1} of 10 jobs in our measure', text, ofTen);
}

function abilityText(ability: Expectation['ability']): string {
  switch (ability) {
    case 'hardly-calls':
      return vscode.l10n.t('reads and small edits rarely work');
    case 'small-edits':
      return vscode.l10n.t('reads and small edits work, tests rarely');
    case 'short-tasks':
      return vscode.l10n.t('short tasks usually work, long ones rarely (not measured)');
  }
}
