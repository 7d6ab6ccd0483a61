import * as vscode from 'vscode';
import { isNear } from '../../../../models/place';
import { withFacts } from '../../../../models/profiles';
import { mergeFacts, type ServerFacts } from '../../../../models/server-facts';
import { askServer } from '../../../../models/servers/ask';
import type { FoundServer } from '../../../../models/servers/local-servers';
import { onOneLine } from '../../../platform/input-text';
import { factsText } from '../../../services/models/facts-text';
import { addressOf, keyOf, type AddParts, type StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import type { Chosen, Draft } from './draft';

type ModelChoice =
  | { readonly type: 'model'; readonly chosen: Chosen }
  | { readonly type: 'unlock'; readonly server: FoundServer }
  | { readonly type: 'again' };

/** Maximum number of models asked about one by one, in list order. */
const MOST_ASKED = 24;

/** Step 3: one of the found models, or a typed name. */
export async function askModel(draft: Draft, parts: AddParts): Promise<StepOutcome> {
  const { found = [] } = draft;
  const known = new Map<string, ServerFacts>();
  const isEmpty = found.every(({ models, isLocked }) => models.length === 0 && !isLocked);
  const [only] = found;
  const answer = await askInList<ModelChoice>({
    step: 3,
    placeholder: isEmpty
      ? vscode.l10n.t('{0} lists no models. Enter a model name as the server knows it.', only?.label ?? '')
      : vscode.l10n.t('Select a model or enter a model name'),
    rows: (typed) => [
      ...found.flatMap((server) => serverRows(server, known)),
      ...(found.length === 1 && only && !only.isLocked ? typedRows(typed, only) : []),
      ...(isEmpty && draft.asked ? [{ ...againRow(), value: { type: 'again' as const } }] : []),
    ],
    meanwhile: async (signal, redraw) => {
      await askAbout(found, { draft, parts, known, redraw }, signal);
      return undefined;
    },
  });
  if (answer.type !== 'given') return answer;
  const { value } = answer;
  if (value.type === 'again') return { type: 'next', step: 'server', draft, isPassed: true };
  if (value.type === 'unlock') {
    const { label, baseUrl } = value.server;
    const asked = { label, baseUrls: [baseUrl] };
    const isRefused = (await keyOf(baseUrl, draft, parts.secrets)) !== undefined;
    return { type: 'next', step: 'key', draft: { ...draft, asked, locked: { label, baseUrl, isRefused } } };
  }
  return { type: 'next', step: 'test', draft: { ...draft, chosen: value.chosen } };
}

function serverRows(
  server: FoundServer,
  known: ReadonlyMap<string, ServerFacts>,
): readonly StepRow<ModelChoice>[] {
  const { label, baseUrl, models, isLocked } = server;
  if (!isLocked && models.length === 0) return [];
  const heading = { label, kind: vscode.QuickPickItemKind.Separator };
  if (isLocked) {
    return [
      heading,
      // Jan accepts any key if none is set in it.
      {
        label: vscode.l10n.t('Enter the key for {0}…', label),
        detail: baseUrl,
        value: { type: 'unlock', server },
      },
    ];
  }
  return [
    heading,
    ...models.map(({ id, facts: listed }) => {
      const facts = mergeFacts([known.get(keyOfModel(server, id)) ?? {}, listed]);
      return {
        label: onOneLine(id),
        detail: [baseUrl, factsText(withFacts({ id, provider: 'openai' }, facts))]
          .filter(Boolean)
          .join(' · '),
        value: { type: 'model' as const, chosen: chosenFrom(server, id, facts) },
      };
    }),
  ];
}

function typedRows(typed: string, server: FoundServer): readonly StepRow<ModelChoice>[] {
  const name = typed.trim();
  if (name === '' || server.models.some(({ id }) => id === name)) return [];
  return [
    {
      label: vscode.l10n.t('Use the name “{0}”', onOneLine(name)),
      detail: server.baseUrl,
      alwaysShow: true,
      value: { type: 'model', chosen: chosenFrom(server, name, {}) },
    },
  ];
}

function againRow(): vscode.QuickPickItem {
  return { label: vscode.l10n.t('Reload models from the server'), alwaysShow: true };
}

/** Ollama is used through its own API, which accepts a window and refuses requests that do not fit. */
function chosenFrom({ label, baseUrl, models }: FoundServer, model: string, facts: ServerFacts): Chosen {
  const isOllama = facts.kind === 'ollama' || models.some((each) => each.facts.kind === 'ollama');
  return { provider: isOllama ? 'ollama' : 'openai', label, baseUrl, model, facts };
}

interface Asking {
  readonly draft: Draft;
  readonly parts: AddParts;
  readonly known: Map<string, ServerFacts>;
  readonly redraw: () => void;
}

/** Details that local servers report of each model besides their list, shown as they arrive. */
async function askAbout(
  found: readonly FoundServer[],
  { draft, parts, known, redraw }: Asking,
  signal: AbortSignal,
): Promise<void> {
  const asked = found
    .filter(({ baseUrl }) => isNear(baseUrl))
    .flatMap((server) => server.models.map(({ id }) => ({ server, id })))
    .slice(0, MOST_ASKED);
  await Promise.all(
    asked.map(async ({ server, id }) => {
      const facts = await askServer(await addressOf(server.baseUrl, draft, parts), id, signal);
      if (!facts || signal.aborted) return;
      known.set(keyOfModel(server, id), facts);
      redraw();
    }),
  );
}

function keyOfModel({ baseUrl }: FoundServer, id: string): string {
  return `${baseUrl} ${id}`;
}
