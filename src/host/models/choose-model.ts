import * as vscode from 'vscode';
import { never } from '../../base/never';
import type { ModelOrigin } from '../../contract/chat';
import { demoProfile } from '../../models/profiles';
import type { Choices } from '../chat/choices';

/** Leads a user who has no model yet to one. */
export async function chooseModel(from: ModelOrigin, choices: Pick<Choices, 'pick'>): Promise<void> {
  switch (from) {
    case 'vscode':
      return vscode.commands.executeCommand('parley.selectModel');
    case 'local':
      return vscode.commands.executeCommand('parley.findLocalServers');
    case 'endpoint':
      return vscode.commands.executeCommand('parley.openModelSettings');
    case 'demo':
      return choices.pick('model', demoProfile.id);
    default:
      return never(from);
  }
}
