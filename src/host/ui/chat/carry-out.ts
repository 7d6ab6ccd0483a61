import * as vscode from 'vscode';
import type { Choices } from '../../services/choices/choices';
import type { Outbox } from '../../services/runs/outbox';

/** Carries out the plan in the conversation with the agent picked before the planning agent. */
export async function carryOut(
  choices: Pick<Choices, 'leavePlan'>,
  outbox: Pick<Outbox, 'send'>,
): Promise<void> {
  if (await choices.leavePlan()) await outbox.send(vscode.l10n.t('Carry out the plan.'));
}
