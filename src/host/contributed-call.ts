import * as vscode from 'vscode';
import { isJsonObject } from '../base/json';
import type { Approve } from '../core/approval';
import { execute } from '../core/execute';
import type { ToolCall, ToolResult } from '../core/messages';
import type { SessionOptions } from '../core/session';
import { ToolError } from '../core/tool';
import { wireNameOf } from '../tools/contributed';
import { askInDialog } from './ask-in-dialog';
import type { DiffView } from './diff-view';
import { imagePart } from './image-part';
import type { SettingsStore } from './settings';
import type { WindowTools } from './window-tools';

export interface ContributedCallParts {
  readonly tools: Pick<WindowTools, 'get'>;
  readonly judge: SessionOptions['judge'];
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly diffs: Pick<DiffView, 'compare'>;
  readonly log: Pick<vscode.LogOutputChannel, 'info'>;
}

let calls = 0;

/**
 * Runs one call of somebody else's agent under the policy of this window; where it asks, a dialog does. Nothing is
 * remembered from one call to the next, neither what was read nor what was allowed. Rejects with what the agent is to
 * be told when the call did not succeed.
 */
export async function callContributed(
  { name, input }: { readonly name: string; readonly input: object },
  { tools, judge, settings, diffs, log }: ContributedCallParts,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const tool = (await tools.get()).resolve(wireNameOf(name));
  if (!tool) throw new Error(`There is no tool ${name} in this window. Do without it.`);
  const approve: Approve = async (request, _emit, signal) => {
    const { decision, reason } = judge(request, []).verdict;
    if (decision === 'auto') return { type: 'run', by: 'policy', reason };
    if (decision === 'deny') return { type: 'reject', by: 'policy', reason };
    return askInDialog(request, reason, diffs, signal);
  };
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  try {
    const options = {
      approve,
      delegate: () => Promise.reject(new ToolError('There is no agent of Parley around this call.')),
      caller: {},
      emit: () => undefined,
      timeoutMs: settings.get('toolCalling.timeout'),
    };
    const result = await execute(callOf(tool.spec.name, input), tool, options, stop.signal);
    log.info(`${name} for another agent: ${result.status} in ${result.durationMs} ms`);
    if (result.status !== 'success') throw new Error(result.result);
    return new vscode.LanguageModelToolResult(partsOf(result));
  } finally {
    listening.dispose();
  }
}

function callOf(name: string, input: object): ToolCall {
  const args = isJsonObject(input) ? input : {};
  return { id: `other-${++calls}`, name, arguments: args, start: 0, end: 0, notes: [], mark: 'clean' };
}

function partsOf({ result, images = [] }: ToolResult): vscode.LanguageModelTextPart[] {
  return [new vscode.LanguageModelTextPart(result), ...images.flatMap((image) => imagePart(image) ?? [])];
}
