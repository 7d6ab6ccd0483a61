import * as vscode from 'vscode';
import type { Seen } from '../../../../models/servers/local-servers';
import { keyOf, seek, type AddParts, type StepOutcome } from './draft-server';
import { askForText, askInList } from './ask-step';
import type { Draft } from './draft';

/** Step 2: asks the server for its models. If it needs a key, the user is asked for one. */
export async function askServerStep(draft: Draft, parts: AddParts): Promise<StepOutcome> {
  const { label = '', baseUrls = [], wantsKey = false } = draft.asked ?? {};
  const [first = ''] = baseUrls;
  if (wantsKey && (await keyOf(first, draft, parts.secrets)) === undefined)
    return toKey(draft, { label, baseUrl: first, isRefused: false });
  const looking = await askInList<Seen>({
    step: 2,
    placeholder: vscode.l10n.t('Asking {0} for its models…', label),
    rows: () => [],
    meanwhile: (signal) => seek(draft, parts, signal),
  });
  if (looking.type !== 'given') return looking;
  const seen = looking.value;
  if (seen.type === 'silent') return tellSilent(label, first, draft);
  if (seen.type === 'unlisted') return toModels(draft, label, seen.baseUrl);
  const { server } = seen;
  if (!server.isLocked)
    return { type: 'next', step: 'model', draft: { ...draft, found: [server] }, isPassed: true };
  const isRefused = (await keyOf(server.baseUrl, draft, parts.secrets)) !== undefined;
  return toKey(draft, { label: server.label, baseUrl: server.baseUrl, isRefused });
}

function toKey(draft: Draft, locked: NonNullable<Draft['locked']>): StepOutcome {
  return { type: 'next', step: 'key', draft: { ...draft, locked }, isPassed: true };
}

/** Without a list, the user types the model name. */
function toModels(draft: Draft, label: string, baseUrl: string): StepOutcome {
  const server = { label, baseUrl, models: [], isLocked: false };
  return { type: 'next', step: 'model', draft: { ...draft, found: [server] }, isPassed: true };
}

/** Still step 2: the key, which is saved only with the model. */
export async function askKey({ locked, ...draft }: Draft, parts: AddParts): Promise<StepOutcome> {
  if (!locked) throw new Error('No server needs a key.');
  const { label, baseUrl, isRefused } = locked;
  const { origin } = new URL(baseUrl);
  const answer = await askForText({
    step: 2,
    title: vscode.l10n.t('Add Model: key for {0}', label),
    prompt: vscode.l10n.t(
      "Sent only to {0}. Stored in VS Code's secret storage when the model is saved.",
      origin,
    ),
    isPassword: true,
    ...(isRefused && {
      refused: vscode.l10n.t('{0} rejected this key. Check the key and enter it again.', label),
    }),
    check: (text) =>
      text === '' ? vscode.l10n.t('Enter the key, or go back to select another server.') : undefined,
  });
  if (answer.type !== 'given') return answer;
  parts.secrets.learnSecret(answer.value);
  // A model that was refused for its key is tried again at once.
  const step = draft.chosen ? 'test' : 'server';
  return { type: 'next', step, draft: { ...draft, key: { origin, text: answer.value } } };
}

async function tellSilent(label: string, baseUrl: string, draft: Draft): Promise<StepOutcome> {
  const answer = await askInList<'again' | 'where' | 'model'>({
    step: 2,
    placeholder: vscode.l10n.t('No server answers at {0}.', baseUrl),
    rows: () => [
      {
        label: vscode.l10n.t('Try again'),
        detail: vscode.l10n.t('Check that the server is running and reachable from this machine'),
        alwaysShow: true,
        value: 'again',
      },
      { label: vscode.l10n.t('Enter another address…'), alwaysShow: true, value: 'where' },
      {
        label: vscode.l10n.t('Enter a model name anyway…'),
        detail: vscode.l10n.t('For a server that is not running yet'),
        alwaysShow: true,
        value: 'model',
      },
    ],
  });
  if (answer.type !== 'given') return answer;
  if (answer.value === 'where') return { type: 'back' };
  if (answer.value === 'again') return { type: 'next', step: 'server', draft, isPassed: true };
  return toModels(draft, label, baseUrl);
}
