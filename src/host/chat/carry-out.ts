import * as vscode from 'vscode';
import type { Choices } from './choices';
import type { Outbox } from './outbox';

/** Has the plan carried out that stands in the conversation, by the agent that was picked before the one that planned. */
export async function carryOut(
  choices: Pick<Choices, 'leavePlan'>,
  outbox: Pick<Outbox, 'send'>,
): Promise<void> {
  if (await choices.leavePlan()) await outbox.send(vscode.l10n.t('Carry out the plan.'));
}
