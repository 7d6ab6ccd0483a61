import * as vscode from 'vscode';
import { onOneLine } from '../../../platform/input-text';
import type { AddParts, StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import type { Chosen, Draft } from './draft';

/** Ids of VS Code models, before vendor and id. */
const PREFIX = 'vscode:';

/**
 * Replaces steps 1 to 3: models that VS Code offers to extensions. Listing them may start the extensions that provide
 * some.
 */
export async function askVsCodeModel(draft: Draft, { choices }: AddParts): Promise<StepOutcome> {
  const rows = (): readonly StepRow<Chosen>[] =>
    choices.pickers.model.options
      .filter(({ value }) => value.startsWith(PREFIX))
      .map(({ value, label, detail = '' }) => ({
        label: onOneLine(label),
        detail: onOneLine(detail),
        value: { provider: 'vscode', label: 'VS Code', model: value.slice(PREFIX.length) },
      }));
  let isOver = false;
  const answer = await askInList<Chosen | 'none'>({
    step: 3,
    placeholder: vscode.l10n.t('VS Code model'),
    rows: () => {
      const found = rows();
      if (found.length > 0 || !isOver) return found;
      return [
        {
          label: vscode.l10n.t('No models available. Go back.'),
          detail: vscode.l10n.t('Sign in to Copilot or install an extension with models, then try again'),
          alwaysShow: true,
          value: 'none',
        },
      ];
    },
    meanwhile: async (_, redraw) => {
      await choices.open('model');
      isOver = true;
      redraw();
      return undefined;
    },
  });
  if (answer.type !== 'given') return answer;
  if (answer.value === 'none') return { type: 'back' };
  return { type: 'next', step: 'test', draft: { ...draft, chosen: answer.value } };
}
