import * as vscode from 'vscode';
import { findLocalServers, localServers } from '../../../../models/servers/local-servers';
import { keyOf, type AddParts, type StepOutcome } from './draft-server';
import { askInList } from './ask-step';
import type { Draft } from './draft';

/** Replaces steps 1 and 2: servers on this machine. They are asked only when the user clicks. */
export async function lookOnMachine(draft: Draft, parts: AddParts): Promise<StepOutcome> {
  const looking = await askInList({
    step: 2,
    placeholder: vscode.l10n.t('Looking for servers on this machine…'),
    rows: () => [],
    meanwhile: (signal) =>
      findLocalServers(localServers, signal, (baseUrl) => keyOf(baseUrl, draft, parts.secrets)),
  });
  if (looking.type !== 'given') return looking;
  const found = looking.value;
  const hasAny = found.some(({ models, isLocked }) => isLocked || models.length > 0);
  if (hasAny) return { type: 'next', step: 'model', draft: { ...draft, found }, isPassed: true };
  return tellNothing(found[0]?.label, draft);
}

async function tellNothing(running: string | undefined, draft: Draft): Promise<StepOutcome> {
  const servers = localServers.map(({ label, baseUrl }) => `${label} ${new URL(baseUrl).port}`).join(', ');
  const answer = await askInList<'again' | 'where'>({
    step: 2,
    placeholder:
      running === undefined
        ? vscode.l10n.t('No model servers found on 127.0.0.1. Start one and look again.')
        : vscode.l10n.t('{0} is running but has no models. Load one there and look again.', running),
    rows: () => [
      {
        label: vscode.l10n.t('Look again'),
        detail: vscode.l10n.t('Searched: {0}', servers),
        alwaysShow: true,
        value: 'again',
      },
      {
        label: vscode.l10n.t('Select a server or enter an address…'),
        alwaysShow: true,
        value: 'where',
      },
    ],
  });
  if (answer.type !== 'given') return answer;
  return answer.value === 'again'
    ? { type: 'next', step: 'machine', draft, isPassed: true }
    : { type: 'back' };
}
