import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { JsonObject } from '../../../base/json';
import { redactData } from '../../../base/redact';
import type { LabRun } from '../../../contract/lab-run';
import type { RunSetup } from '../../../core/run/agent-options';
import type { Session } from '../../../core/session';
import { argumentsOf, type CallPart, type Transcript } from '../../../core/transcript/transcript';
import type { AgentEvent } from '../../../core/words/events';
import type { ToolResult } from '../../../core/words/messages';
import type { Tool } from '../../../core/words/tool';
import { contextWindow, demoProfile } from '../../../models/profiles';
import { scriptedModel } from '../../../models/scripted';
import { countTokens } from '../../../node/tokens';
import { NodeSessionFolder } from '../../../sessions/node-folder';
import { Conversation } from '../../services/conversation/conversation';
import { judgeInWindow, toolCallConfig, windowBudget } from '../../services/choices/run-setup';
import { windowHooks } from '../../services/choices/window-hooks';
import { workspaceStorage } from '../../platform/workspace-storage';
import { KeptRuns } from './kept-runs';
import type { LabParts } from './lab-parts';

/** Calls made by the user, each in a separate conversation, and the last results. */
export class LabRuns implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly conversation: Conversation;
  private readonly kept: KeptRuns;
  private called: OneCall | undefined;

  readonly onEvent: vscode.Event<AgentEvent>;
  /** Fires when the list of runs changed. */
  readonly onChange: KeptRuns['onChange'];

  constructor(private readonly parts: LabParts) {
    const { settings, choices, output } = parts;
    const judge = judgeInWindow(settings, choices, { grants: [] });
    this.conversation = this.store.add(
      new Conversation({
        prepareRun: async () => prepareCall(this.called, parts),
        // Grants beyond one call are for calls of models, and the conversation ends with the call.
        judge: (request, granted) => ({ ...judge(request, granted), grants: [] }),
        isAttended: true,
        onError: (error) => output.error(error),
      }),
    );
    const storage = parts.context.globalStorageUri.fsPath;
    this.kept = this.store.add(
      new KeptRuns({
        folder: new NodeSessionFolder(path.join(storage, 'lab', workspaceStorage().folderName)),
        onError: (error) => output.error(error),
      }),
    );
    this.onEvent = this.conversation.onEvent;
    this.onChange = this.kept.onChange;
    this.store.add(output.follow(this.conversation));
    this.store.add(
      this.onEvent((event) => {
        if (event.type === 'run-end') this.keepLast();
      }),
    );
  }

  /** The last ones, newest first. */
  get runs(): readonly LabRun[] {
    return this.kept.runs;
  }

  /** Resolves when runs of earlier windows are included. */
  get loaded(): Promise<void> {
    return this.kept.loaded;
  }

  get session(): Session {
    return this.conversation.session;
  }

  /** Runs the tool once, or returns a sentence about why not. */
  async start(name: string, values: JsonObject): Promise<string | undefined> {
    const registry = await this.parts.tools.get();
    const tool = registry.resolve(name);
    if (!tool) return vscode.l10n.t('There is no tool "{0}". Select one from the list.', name);
    // A toggle decides what models are offered; here the user calls.
    const switchedOn = { enabled: true, toolToggles: { [tool.spec.name]: true }, defaultToolEnabled: true };
    const unavailable = registry.whyUnavailable(name, switchedOn);
    if (unavailable !== undefined) return unavailable;
    if (tool.delegates) {
      return vscode.l10n.t('"{0}" needs a model, which the lab does not have. Try it in the chat.', name);
    }
    // Keys that were not used yet are also removed from what the page gets and what is saved.
    await this.parts.secrets.learn(this.parts.settings.get('models'));
    if (this.session.transcript.running) {
      return vscode.l10n.t('A call is running. Stop it, or wait until it ends.');
    }
    this.called = { tool, arguments: values };
    this.conversation.startNew();
    void this.session.send(tool.spec.name);
    return undefined;
  }

  /** Ends background commands of calls. Not during a call; later ones may read their output, too. */
  endCommands(): void {
    if (!this.session.transcript.running) void this.parts.tools.endCommands(this.conversation);
  }

  forget(): void {
    this.kept.forget();
  }

  dispose(): void {
    this.store.dispose();
  }

  private keepLast(): void {
    const { called } = this;
    if (!called) return;
    const { transcript } = this.session;
    const part = callIn(transcript);
    const run = {
      time: Date.now(),
      tool: called.tool.spec.name,
      arguments: (part && argumentsOf(part.state)) ?? called.arguments,
      result: (part && resultOf(part)) ?? failure(called.tool, transcript),
    };
    const { secrets } = this.parts;
    // SAFETY: the same data with other texts.
    this.kept.add(redactData(run, (text) => secrets.redact(text)) as typeof run);
  }
}

function callIn({ entries }: Transcript): CallPart | undefined {
  const parts = entries.flatMap((entry) => (entry.type === 'reply' ? entry.parts : []));
  return parts.find((part) => part.type === 'call');
}

function resultOf({ state }: CallPart): ToolResult | undefined {
  return state.type === 'ended' || state.type === 'malformed' ? state.result : undefined;
}

/** For a run that ended before its call. */
function failure({ spec }: Tool, { entries }: Transcript): ToolResult {
  const last = entries.at(-1);
  const outcome = last?.type === 'outcome' ? last.outcome : undefined;
  const result =
    outcome && 'message' in outcome
      ? outcome.message
      : vscode.l10n.t('The call was stopped before it started.');
  return { requestId: '', toolName: spec.name, status: 'error', result, durationMs: 0 };
}

interface OneCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
}

/** A run whose model writes only this call; the loop treats it like any other. */
async function prepareCall(
  call: OneCall | undefined,
  { settings, choices, secrets, output }: Pick<LabParts, 'settings' | 'choices' | 'secrets' | 'output'>,
): Promise<RunSetup | { readonly problem: string }> {
  if (!call) throw new Error('The lab does not use a protocol.');
  const [malformed] = settings.problems();
  if (malformed !== undefined) return { problem: malformed };
  const { findProtocol, renderReply } = await import('../../../protocols');
  const protocol = findProtocol('native');
  if (!protocol) throw new Error('There is no protocol "native".');
  const { tool, arguments: values } = call;
  const client = scriptedModel({
    name: 'Lab (scripted)',
    script: ({ turns }) =>
      turns.at(-1)?.type === 'results'
        ? [{ type: 'text', text: 'Done.' }]
        : [{ type: 'call', call: { id: 'lab_1', name: tool.spec.name, arguments: values } }],
    render: renderReply,
    pauseMs: 0,
  });
  return {
    model: { client, window: contextWindow(demoProfile, countTokens) },
    prompt: { protocol, instructions: '' },
    tools: {
      offer: { offered: () => [tool], whyUnavailable: () => undefined },
      config: () => ({
        ...toolCallConfig(settings, choices),
        ...{ enabled: true, toolToggles: {}, toolsOnDemand: 'off' },
      }),
      ...windowHooks({ settings, secrets, output }),
    },
    limits: {
      // One request for the call, one for the end.
      rounds: () => 2,
      budget: () => windowBudget(settings),
    },
  };
}
