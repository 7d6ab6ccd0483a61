import * as vscode from 'vscode';
import { prepareSummaryModel } from '../../../agent/prepare-run';
import { noticeText } from '../../../base/text';
import type { Summarizer } from '../../../core/context/run-model';
import { countTokens } from '../../../node/tokens';
import type { Choices } from './choices';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import { translated } from '../../platform/translated';
import type { ModelServers } from '../models/model-servers';
import { profileProblem } from '../models/profile-problem';

interface SummaryParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly choices: Pick<Choices, 'find' | 'modelId'>;
  readonly secrets: Secrets;
  readonly servers: ModelServers;
}

/** Notices about summaries in this window: each is shown once, although every run is new. */
const shownNotices = new Set<string>();

/** The model of `parley.summaryModel`. Created only when a summary is needed, which is rare. */
export function summaryModel(parts: SummaryParts): { readonly summarizer?: Summarizer } {
  const { settings, choices } = parts;
  const id = settings.get('summaryModel');
  if (id === '' || id === choices.modelId) return {};
  const onUnused = (why: string): void => {
    if (shownNotices.has(why)) return;
    shownNotices.add(why);
    void vscode.window.showWarningMessage(noticeText(translated(why)));
  };
  return { summarizer: { open: (signal) => open(id, parts, signal), onUnused } };
}

async function open(
  id: string,
  { settings, choices, secrets, servers }: SummaryParts,
  signal: AbortSignal,
): ReturnType<Summarizer['open']> {
  const wanted = choices.find(id);
  if (!wanted || wanted.provider === 'demo') {
    const text =
      '"parley.summaryModel" names "{0}", which cannot write summaries, so the model of the conversation is used. Use the "id" of a profile in "parley.models".';
    return { problem: vscode.l10n.t(text, id) };
  }
  const wrong = profileProblem(wanted, settings.get('models'));
  if (wrong !== undefined) return { problem: wrong };
  const { windowAccess, probeServer } = await import('../models/open-in-window');
  await probeServer(wanted, servers, signal);
  const profile = choices.find(id) ?? wanted;
  const access = windowAccess({ secrets, facts: servers.facts });
  return prepareSummaryModel({ profile, access, countTokens });
}
