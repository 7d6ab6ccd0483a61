import * as vscode from 'vscode';
import { Mutex } from '../../../base/async';
import { isJsonObject } from '../../../base/json';
import { noticeText, visibleText } from '../../../base/text';
import type { Approve } from '../../../core/run/agent-options';
import { executeGiven } from '../../../core/run/execute';
import { tightened } from '../../../core/run/hooks';
import type { ApprovalRequest, Decision } from '../../../core/words/approval';
import type { ToolResult } from '../../../core/words/messages';
import { ToolError } from '../../../core/words/tool';
import { judgeCall } from '../../../policy/approvals';
import { wireNameOf } from '../../../tools/registry';
import type { Choices } from '../choices/choices';
import { configOf } from '../choices/run-setup';
import { windowHooks, type HookParts } from '../choices/window-hooks';
import { imagePart } from '../models/vscode-model';
import type { Output } from '../../platform/output';
import type { SettingsStore } from '../../platform/settings';
import { translatedTitle } from '../../platform/translated';
import { askInDialog, detailOf, whyNotShown, type DialogDiffs } from './ask-in-dialog';
import type { WindowTools } from './window-tools';

export interface ContributedCallParts {
  readonly tools: Pick<WindowTools, 'get'>;
  readonly settings: Pick<SettingsStore, 'get' | 'problems'>;
  readonly choices: Pick<Choices, 'mode'>;
  readonly diffs: DialogDiffs;
  readonly output: Pick<Output, 'info'>;
  readonly secrets: HookParts['secrets'];
}

let calls = 0;

/** One question at a time, so that each is answered beside its diff. */
const asking = new Mutex();

/**
 * Runs one call of another agent under the policy of this window; if the policy asks, a dialog does. Nothing is
 * remembered between calls, neither reads nor grants. Rejects with the message for the agent if the call did not
 * succeed.
 */
export async function callContributed(
  { name, input }: { readonly name: string; readonly input: object },
  { tools, settings, choices, diffs, output, secrets }: ContributedCallParts,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const registry = await tools.get();
  const tool = registry.resolve(wireNameOf(name));
  // The agent picked in the chat is Parley's and does not apply to others.
  const config = { ...configOf(settings), mode: choices.mode };
  const unavailable = registry.whyUnavailable(wireNameOf(name), config);
  if (!tool || unavailable !== undefined)
    throw new Error(unavailable ?? `There is no tool ${name} in this window. Do without it.`);
  // A mistake in the settings must not remove a hook.
  const [malformed] = settings.problems();
  if (malformed !== undefined) throw new Error(malformed);
  const { hooks } = windowHooks({ settings, secrets, output });
  const approve: Approve = async (request, _emit, signal) => {
    const rules = { ...config, isTrusted: vscode.workspace.isTrusted };
    const { verdict } = judgeCall(request, rules, []);
    const { decision, reason } = await tightened(hooks, request, verdict, signal);
    if (decision === 'auto') return { type: 'run', by: 'policy', reason };
    if (decision === 'deny') return { type: 'reject', by: 'policy', reason };
    return asking.run(() => askForOther(request, reason, diffs, signal));
  };
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  try {
    const given = { id: `other-${++calls}`, arguments: isJsonObject(input) ? input : {} };
    const options = {
      approve,
      delegate: () => Promise.reject(new ToolError('There is no agent of Parley around this call.')),
      caller: {},
      ...(hooks && { hooks }),
      emit: () => undefined,
      timeoutMs: config.timeout,
    };
    const result = await executeGiven(given, tool, options, stop.signal);
    output.info(`${name} for another agent: ${result.status} in ${result.durationMs} ms`);
    if (result.status !== 'success') throw new Error(result.result);
    return new vscode.LanguageModelToolResult(partsOf(result));
  } finally {
    listening.dispose();
  }
}

function partsOf({ result, images = [] }: ToolResult): vscode.LanguageModelTextPart[] {
  return [new vscode.LanguageModelTextPart(result), ...images.flatMap((image) => imagePart(image) ?? [])];
}

/** What a dialog cannot show completely is refused, because users would not see what they allow. */
async function askForOther(
  request: ApprovalRequest,
  reason: string,
  diffs: DialogDiffs,
  signal: AbortSignal,
): Promise<Decision> {
  const { title, preview } = request;
  const detail = visibleText(detailOf(request, reason));
  const refusal = whyNotShown(detail);
  if (refusal !== undefined) {
    return { type: 'reject', by: 'policy', reason: `${refusal}; ask for it in the chat of Parley` };
  }
  const question = {
    text: vscode.l10n.t('Another agent asks Parley: {0}', noticeText(translatedTitle(title))),
    detail,
    diffTitle: (path: string) => vscode.l10n.t('{0} (proposed by another agent)', path),
    otherwise: vscode.l10n.t('Reject'),
  };
  const isAllowed = await askInDialog(question, preview, diffs, signal);
  return { type: isAllowed ? 'run' : 'reject', by: 'user', reason: '' };
}
