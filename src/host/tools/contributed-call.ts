import * as vscode from 'vscode';
import { isJsonObject } from '../../base/json';
import { Mutex } from '../../base/mutex';
import type { Approve } from '../../core/approval';
import { executeGiven } from '../../core/execute';
import type { ToolResult } from '../../core/messages';
import { ToolError } from '../../core/tool';
import { judgeCall } from '../../policy/approvals';
import { wireNameOf } from '../../tools/contributed';
import { askInDialog } from './ask-in-dialog';
import type { Choices } from '../choices';
import type { DiffView } from '../diff-view';
import { imagePart } from '../models/image-part';
import { configOf } from '../run-setup';
import type { SettingsStore } from '../settings';
import type { WindowTools } from './window-tools';
import type { Output } from '../output';

export interface ContributedCallParts {
  readonly tools: Pick<WindowTools, 'get'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly choices: Pick<Choices, 'mode'>;
  readonly diffs: Pick<DiffView, 'compare'>;
  readonly log: Pick<Output, 'info'>;
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
  { tools, settings, choices, diffs, log }: ContributedCallParts,
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
    log.info(`${name} for another agent: ${result.status} in ${result.durationMs} ms`);
    if (result.status !== 'success') throw new Error(result.result);
    return new vscode.LanguageModelToolResult(partsOf(result));
  } finally {
    listening.dispose();
  }
}

function partsOf({ result, images = [] }: ToolResult): vscode.LanguageModelTextPart[] {
  return [new vscode.LanguageModelTextPart(result), ...images.flatMap((image) => imagePart(image) ?? [])];
}
