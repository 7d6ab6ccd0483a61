import * as vscode from 'vscode';
import type { ModelRequest } from '../../core/words/model';
import { testConnection, type ConnectionReport } from '../../models/connection-test';
import type { ModelProfile } from '../../models/profiles';
import { noticeText } from '../../base/text';
import type { Secrets } from '../window/secrets';
import { factsText } from './facts-text';
import type { KnownServers } from './known-servers';
import { translated } from '../window/translated';

const TEXT = 'Call the tool "ping" once and say nothing else.';
const PING = {
  name: 'ping',
  description: 'Answers with "pong".',
  parameters: { type: 'object', properties: {} },
} as const;

/** Written out, so that no protocol has to be loaded for it. */
const PROBE: ModelRequest = {
  messages: [{ role: 'user', content: TEXT }],
  tools: [PING],
  origin: {
    protocol: 'native',
    conversation: { instructions: '', turns: [{ type: 'user', text: TEXT }], tools: [PING] },
  },
};

export interface ConnectionParts {
  readonly secrets: Secrets;
  /** Why a profile cannot be used. */
  readonly problemOf: (profile: ModelProfile) => string | undefined;
  readonly servers: Pick<KnownServers, 'ask' | 'known'>;
}

/** Sends a short request to the model and says in one sentence what came of it. */
export async function showConnection(profile: ModelProfile, parts: ConnectionParts): Promise<void> {
  const name = profile.name ?? profile.id;
  const problem = parts.problemOf(profile);
  const report = problem === undefined ? await underWay(profile, name, parts.secrets) : undefined;
  if (report?.type === 'works') {
    await parts.servers.ask(profile);
    const known = parts.servers.known(profile);
    const facts = factsText(known);
    const said = facts === '' ? '' : ` (${facts})`;
    void vscode.window.showInformationMessage(works(name, report, known) + said);
  } else if (report?.type !== 'stopped') {
    void vscode.window.showWarningMessage(noticeText(problem ?? translated(report?.failure.message ?? '')));
  }
}

async function underWay(profile: ModelProfile, name: string, secrets: Secrets): Promise<ConnectionReport> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Testing {0}…', name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const listening = token.onCancellationRequested(() => stop.abort());
    try {
      const { buildModel } = await import('./build-model');
      return await testConnection(await buildModel(profile, secrets), PROBE, stop.signal);
    } finally {
      listening.dispose();
    }
  });
}

function works(
  name: string,
  { firstMs, tools }: ConnectionReport & { readonly type: 'works' },
  { facts }: ModelProfile,
): string {
  const seconds = (firstMs / 1000).toFixed(1);
  if (tools === 'accepted' && facts?.tools === false) {
    return vscode.l10n.t(
      '{0} works: it answered after {1} s. Its server takes native tools, but the template of the model drops them, so the model never sees them. Use a text protocol; Auto does.',
      name,
      seconds,
    );
  }
  switch (tools) {
    case 'called':
      return vscode.l10n.t('{0} works: it answered after {1} s and calls native tools.', name, seconds);
    case 'accepted':
      return vscode.l10n.t(
        '{0} works: it answered after {1} s. Native tools are accepted, but it called none; if that goes on, pick a text protocol.',
        name,
        seconds,
      );
    case 'refused':
      return vscode.l10n.t(
        '{0} works: it answered after {1} s, but takes no native tools. Pick a text protocol.',
        name,
        seconds,
      );
  }
}
