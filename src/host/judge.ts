import * as vscode from 'vscode';
import type { SessionOptions } from '../core/session';
import { judgeCall } from '../policy/approvals';
import { toolCallConfig } from './run-setup';
import type { Choices } from './choices';
import type { SettingsStore } from './settings';

/** The policy with what this window knows: its trust, its mode, the user's settings. */
export function judgeInWindow(settings: SettingsStore, choices: Choices): SessionOptions['judge'] {
  return (request, granted) => {
    const rules = { ...toolCallConfig(settings, choices), isTrusted: vscode.workspace.isTrusted };
    return judgeCall(request, rules, granted);
  };
}
