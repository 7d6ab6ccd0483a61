import * as vscode from 'vscode';
import type { Model, ModelRequest } from '../../../core/words/model';
import type { JobReply } from '../../../doctor/do-job';
import { testConnection, type ConnectionReport } from '../../../models/connection-test';
import type { ModelProfile } from '../../../models/profiles';
import { findForms } from '../../../models/form/find-forms';
import type { FormSupport } from '../../../models/fact-types';
import { findLostMarkers } from '../../../models/form/find-lost-markers';
import { isEnforced } from '../../../models/form/form-probe';
import { constrainOptions } from '../../../models/servers/endpoint-options';
import { noticeText } from '../../../base/text';
import type { Secrets } from '../../platform/secrets';
import type { WindowAccess } from '../../services/models/open-in-window';
import { factsText } from '../../services/models/facts-text';
import type { ModelServers } from '../../services/models/model-servers';
import { translated } from '../../platform/translated';

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
  readonly servers: Pick<ModelServers, 'ask' | 'facts' | 'known'>;
}

/** Sends a short request to the model and describes the result in one sentence. */
export async function showConnection(profile: ModelProfile, parts: ConnectionParts): Promise<void> {
  const name = profile.name ?? profile.id;
  const problem = parts.problemOf(profile);
  const report = problem === undefined ? await underWay(profile, name, parts) : undefined;
  if (report?.type === 'works') {
    const known = parts.servers.known(profile);
    // Facts about forms have a separate sentence.
    const facts = factsText({ ...known, forms: {} });
    const said = facts === '' ? '' : ` (${facts})`;
    const text = [works(name, report, known) + said, ...formsText(known), ...lostText(known)].join(' ');
    void vscode.window.showInformationMessage(text);
  } else if (report?.type !== 'stopped') {
    void vscode.window.showWarningMessage(noticeText(problem ?? translated(report?.failure.message ?? '')));
  }
}

/** Sends the short request without notifying the user. `onReply` receives what each reply took. */
export async function tryModel(
  profile: ModelProfile,
  access: WindowAccess,
  signal: AbortSignal,
  onReply: (reply: JobReply) => void,
): Promise<ConnectionReport> {
  const { openInWindow } = await import('../../services/models/open-in-window');
  return testConnection(timed(await openInWindow(profile, access, 'test'), onReply), PROBE, signal);
}

/** The model; what a reply took is reported when it ends, if the server says how many tokens it had. */
function timed(model: Model, onReply: (reply: JobReply) => void): Model {
  return {
    name: model.name,
    async *stream(request, signal) {
      const start = performance.now();
      let firstMs: number | undefined;
      for await (const delta of model.stream(request, signal)) {
        if (delta.type !== 'usage' && delta.type !== 'end') firstMs ??= performance.now() - start;
        const totalMs = performance.now() - start;
        if (delta.type === 'usage' && firstMs !== undefined)
          onReply({ usage: delta.usage, timing: { firstMs, totalMs } });
        yield delta;
      }
    },
  };
}

async function underWay(
  profile: ModelProfile,
  name: string,
  { secrets, servers }: ConnectionParts,
): Promise<ConnectionReport> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Testing {0}…', name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const listening = token.onCancellationRequested(() => stop.abort());
    try {
      const { openInWindow } = await import('../../services/models/open-in-window');
      const { facts } = servers;
      const model = await openInWindow(profile, { secrets, facts }, 'test');
      const report = await testConnection(model, PROBE, stop.signal);
      if (report.type !== 'works') return report;
      await servers.ask(profile, stop.signal);
      const { mode, server } = constrainOptions(servers.known(profile));
      const isEndpoint = profile.provider === 'openai' || profile.provider === 'ollama';
      if (isEndpoint && mode !== 'off') {
        const { forms, lostMarkers } = facts.of(profile);
        await findForms(model, server, forms, stop.signal);
        const { protocols } = await import('../../../protocols');
        await findLostMarkers(model, protocols, { forms: forms.read(), lostMarkers }, stop.signal);
      }
      return stop.signal.aborted ? { type: 'stopped' } : report;
    } finally {
      listening.dispose();
    }
  });
}

/** Whether the server can enforce the form of replies, and what that is good for. */
function formsText({ forms: { grammar, schema } = {} }: ModelProfile): readonly string[] {
  if (isEnforced(grammar))
    return [
      vscode.l10n.t('The server can enforce the form of any text protocol, so that no call is malformed.'),
    ];
  if (isEnforced(schema)) {
    return [
      vscode.l10n.t(
        'The server can enforce a JSON schema, so that with the protocols JSON and JSON envelope no call is malformed.',
      ),
    ];
  }
  const why = schema ?? grammar;
  if (why === undefined) return [];
  return [vscode.l10n.t('The server cannot enforce the form of replies: {0}.', reason(why))];
}

/** What the server drops, and the consequence. */
function lostText({ lostProtocols = [] }: ModelProfile): readonly string[] {
  if (lostProtocols.length === 0) return [];
  return [
    vscode.l10n.t(
      'The server drops control tokens that calls need in these protocols: {0}. Use another one, or start llama.cpp with --special.',
      lostProtocols.join(', '),
    ),
  ];
}

function reason(why: Exclude<FormSupport, 'works' | 'works-opened'>): string {
  switch (why) {
    case 'refused':
      return vscode.l10n.t('the server refuses the option');
    case 'ignored':
      return vscode.l10n.t('the server ignores the option');
    case 'leaks':
      return vscode.l10n.t("the server applies it to the model's thinking instead");
    case 'endless':
      return vscode.l10n.t("the model's thinking never ends");
    case 'schemas-only':
      return vscode.l10n.t('the server supports only JSON schemas');
  }
}

function works(
  name: string,
  { firstMs, tools }: ConnectionReport & { readonly type: 'works' },
  { facts }: ModelProfile,
): string {
  const seconds = (firstMs / 1000).toFixed(1);
  if (tools === 'accepted' && facts?.tools === false) {
    return vscode.l10n.t(
      '{0} works and answered after {1} s. The server accepts native tools, but the chat template drops them, so the model never sees them. Use a text protocol or Auto.',
      name,
      seconds,
    );
  }
  switch (tools) {
    case 'called':
      return vscode.l10n.t('{0} works. It answered after {1} s and calls native tools.', name, seconds);
    case 'accepted':
      return vscode.l10n.t(
        '{0} works and answered after {1} s. It accepts native tools but called none. If this continues, pick a text protocol.',
        name,
        seconds,
      );
    case 'refused':
      return vscode.l10n.t(
        '{0} works and answered after {1} s, but does not support native tools. Pick a text protocol.',
        name,
        seconds,
      );
  }
}
