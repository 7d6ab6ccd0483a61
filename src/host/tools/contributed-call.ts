import * as vscode from 'vscode';
import { Mutex } from '../../base/async';
import { isJsonObject } from '../../base/json';
import { limits } from '../../base/limits';
import { noticeText, visibleText } from '../../base/text';
import type { Approve } from '../../core/run/agent-options';
import { executeGiven } from '../../core/run/execute';
import type { ApprovalRequest, Decision } from '../../core/words/approval';
import type { ToolResult } from '../../core/words/messages';
import { ToolError, type Preview } from '../../core/words/tool';
import { judgeCall } from '../../policy/approvals';
import { wireNameOf } from '../../tools/registry';
import type { Choices } from '../chat/choices';
import { configOf } from '../chat/run-setup';
import { imagePart } from '../models/vscode-model';
import type { DiffView } from '../window/diff-view';
import type { Output } from '../window/output';
import type { SettingsStore } from '../window/settings';
import { translated, translatedTitle } from '../window/translated';
import type { WindowTools } from './window-tools';

export interface ContributedCallParts {
  readonly tools: Pick<WindowTools, 'get'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly choices: Pick<Choices, 'mode'>;
  readonly diffs: Pick<DiffView, 'compare'>;
  readonly output: Pick<Output, 'info'>;
}

let calls = 0;

/** One question at a time, so that each is answered with its own diff in sight. */
const asking = new Mutex();

/**
 * Runs one call of somebody else's agent under the policy of this window; where it asks, a dialog does. Nothing is
 * remembered from one call to the next, neither what was read nor what was allowed. Rejects with what the agent is to
 * be told when the call did not succeed.
 */
export async function callContributed(
  { name, input }: { readonly name: string; readonly input: object },
  { tools, settings, choices, diffs, output }: ContributedCallParts,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const registry = await tools.get();
  const tool = registry.resolve(wireNameOf(name));
  // The agent that is picked in the chat is Parley's own and says nothing about others.
  const config = { ...configOf(settings), mode: choices.mode };
  const unavailable = registry.whyUnavailable(wireNameOf(name), config);
  if (!tool || unavailable !== undefined)
    throw new Error(unavailable ?? `There is no tool ${name} in this window. Do without it.`);
  const approve: Approve = async (request, _emit, signal) => {
    const rules = { ...config, isTrusted: vscode.workspace.isTrusted };
    const { decision, reason } = judgeCall(request, rules, []).verdict;
    if (decision === 'auto') return { type: 'run', by: 'policy', reason };
    if (decision === 'deny') return { type: 'reject', by: 'policy', reason };
    return asking.run(() => askInDialog(request, reason, diffs, signal));
  };
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  try {
    const given = { id: `other-${++calls}`, arguments: isJsonObject(input) ? input : {} };
    const options = {
      approve,
      delegate: () => Promise.reject(new ToolError('There is no agent of Parley around this call.')),
      caller: {},
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

type Diffs = Pick<DiffView, 'compare'>;

/**
 * Asks about a call that no chat shows: in a dialog with all of what would happen, for a change of a file after a look
 * at the diff. What a dialog cannot show whole is refused, because nobody could see what they allow.
 */
export async function askInDialog(
  request: ApprovalRequest,
  reason: string,
  diffs: Diffs,
  signal: AbortSignal,
): Promise<Decision> {
  const { title, preview } = request;
  const told = visibleText(detailOf(request, reason));
  const refusal = whyNotShown(told);
  if (refusal !== undefined) {
    return { type: 'reject', by: 'policy', reason: `${refusal}; ask for it in the chat of Parley` };
  }
  const run = vscode.l10n.t('Run');
  const question = vscode.l10n.t('Another agent asks Parley: {0}', noticeText(translatedTitle(title)));
  const ask = (action: string): Promise<string | undefined> =>
    unlessStopped(vscode.window.showWarningMessage(question, { modal: true, detail: told }, action), signal);
  const isAllowed =
    preview?.type === 'diff'
      ? (await ask(vscode.l10n.t('Show Changes'))) !== undefined &&
        (await askBesideDiff(question, preview, diffs, signal))
      : (await ask(run)) === run;
  return { type: isAllowed ? 'run' : 'reject', by: 'user', reason: '' };
}

/** A change is run after it was shown, never before; and what asks stays until it is answered. */
async function askBesideDiff(
  question: string,
  { path, before, after }: Extract<Preview, { readonly type: 'diff' }>,
  diffs: Diffs,
  signal: AbortSignal,
): Promise<boolean> {
  const title = vscode.l10n.t('{0} (proposed by another agent)', path);
  await diffs.compare({ path, before, after, title });
  const run = { label: vscode.l10n.t('Run') };
  const reject = { label: vscode.l10n.t('Reject') };
  const options = { title: question, ignoreFocusOut: true };
  const answer = await unlessStopped(vscode.window.showQuickPick([run, reject], options), signal);
  return answer === run;
}

/** Why somebody who reads the dialog would not see all of it. */
function whyNotShown(told: string): string | undefined {
  if (told.length > limits.dialogCharacters || told.split('\n').length > limits.dialogLines)
    return 'it is too long to be shown whole in a dialog';
  return PADDING.test(told)
    ? 'it is padded with blanks, behind which something may be out of sight'
    : undefined;
}

const PADDING = /[^\S\n]{24}/;

function detailOf({ accesses, preview, call }: ApprovalRequest, reason: string): string {
  const why = vscode.l10n.t('Parley asks because: {0}', translated(reason));
  if (preview?.type === 'command') return [...commandLines(preview), '', why].join('\n');
  const touched = accesses.map(({ target, notes }) =>
    notes === undefined ? target : `${target} (${notes.map(translated).join('; ')})`,
  );
  const shown = touched.length > 0 ? touched : [JSON.stringify(call.arguments, undefined, 2)];
  const runsCode = preview?.runsCode
    ? [vscode.l10n.t('The file decides what builds, tests or scripts run.')]
    : [];
  return [...shown, ...runsCode, '', why].join('\n');
}

function commandLines({
  command,
  cwd,
  commands,
}: Extract<Preview, { readonly type: 'command' }>): readonly string[] {
  const where = vscode.l10n.t('In the folder {0}', cwd);
  if (commands.length <= 1) return [command, '', where];
  return [
    command,
    '',
    where,
    vscode.l10n.t('Runs {0} commands:', commands.length),
    ...commands.map((words) => `- ${words.join(' ')}`),
  ];
}

/** VS Code cannot take a dialog back; an answer that comes after the stop no longer counts. */
function unlessStopped<T>(answer: Thenable<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped while waiting for an answer.'));
    signal.addEventListener('abort', stop, { once: true });
    void answer.then(resolve, reject).then(() => signal.removeEventListener('abort', stop));
  });
}
