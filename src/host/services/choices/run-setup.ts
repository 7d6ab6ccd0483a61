import * as vscode from 'vscode';
import { configFor } from '../../../core/run/agent-profile';
import type { Budget } from '../../../core/run/budget';
import type { SessionOptions } from '../../../core/session';
import type { ToolCallConfig } from '../../../core/words/config';
import { judgeCall } from '../../../policy/approvals';
import type { SettingsStore } from '../../platform/settings';
import type { WorkspacePermissions } from './workspace-permissions';
import type { Choices } from './choices';

/** The settings with the overrides of the picked agent. */
export function toolCallConfig(settings: SettingsStore, choices: Choices): ToolCallConfig {
  return { ...configFor(choices.agent, configOf(settings)), mode: choices.mode };
}

/** The settings alone. */
export function configOf(settings: Pick<SettingsStore, 'get'>): ToolCallConfig {
  return {
    enabled: settings.get('toolCalling.enabled'),
    mode: settings.get('toolCalling.mode'),
    toolToggles: settings.get('toolCalling.toolToggles'),
    defaultToolEnabled: settings.get('toolCalling.defaultToolEnabled'),
    toolsOnDemand: settings.get('toolCalling.toolsOnDemand'),
    maxIterations: settings.get('toolCalling.maxIterations'),
    timeout: settings.get('toolCalling.timeout'),
    requireConfirmation: settings.get('toolCalling.requireConfirmation'),
    parallelExecution: settings.get('toolCalling.parallelExecution'),
    recovery: settings.get('toolCalling.recovery'),
    strictness: settings.get('toolCalling.strictness'),
  };
}

/** What a run may use until it pauses. */
export function windowBudget(settings: Pick<SettingsStore, 'get'>): Budget {
  return {
    tokens: settings.get('budget.tokens'),
    minutes: settings.get('budget.minutes'),
    cost: settings.get('budget.cost'),
  };
}

/** The policy with the state of this window: trust, mode, the user's settings and permissions. */
export function judgeInWindow(
  settings: SettingsStore,
  choices: Choices,
  permissions: Pick<WorkspacePermissions, 'grants'>,
): SessionOptions['judge'] {
  return (request, granted) => {
    const rules = { ...toolCallConfig(settings, choices), isTrusted: vscode.workspace.isTrusted };
    return judgeCall(request, rules, [...granted, ...permissions.grants]);
  };
}
