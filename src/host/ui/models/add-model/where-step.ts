import * as vscode from 'vscode';
import { never } from '../../../../base/never';
import type { StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import type { Draft } from './draft';
import { knownServers, typedAddress, type Where } from './where-rows';

/** Step 1: a known server, an address, this machine, or VS Code. */
export async function askWhere(draft: Draft): Promise<StepOutcome> {
  const answer = await askInList<Where>({
    step: 1,
    placeholder: vscode.l10n.t(
      'Select a server or enter its address, such as {0}',
      '8081, 192.168.1.5:8000, llm.example.com',
    ),
    rows,
  });
  if (answer.type !== 'given') return answer;
  const { key } = draft;
  // Data entered for another server is dropped, except its key.
  const fresh: Draft = key ? { key } : {};
  const { value } = answer;
  switch (value.type) {
    case 'machine':
    case 'vscode':
      return { type: 'next', step: value.type, draft: fresh };
    case 'known': {
      const { server, isService } = value;
      const asked = { label: server.label, baseUrls: [server.baseUrl], wantsKey: isService };
      return { type: 'next', step: 'server', draft: { ...fresh, asked } };
    }
    case 'typed': {
      const { host: label, baseUrls, api } = value;
      const asked = { label, baseUrls, ...(api !== undefined && { api }) };
      return { type: 'next', step: 'server', draft: { ...fresh, asked } };
    }
    case 'import':
      await vscode.commands.executeCommand('parley.importModels');
      return { type: 'left' };
    default:
      return never(value);
  }
}

function rows(typed: string): readonly StepRow<Where>[] {
  const where = typedAddress(typed);
  return [
    ...(where ? [typedRow(where)] : []),
    {
      label: vscode.l10n.t('Look for models on this machine'),
      detail: vscode.l10n.t('Find models in Ollama, LM Studio, llama.cpp, vLLM and others'),
      iconPath: new vscode.ThemeIcon('search'),
      value: { type: 'machine' },
    },
    {
      label: vscode.l10n.t('VS Code models'),
      detail: vscode.l10n.t('From Copilot and other extensions, without address or key'),
      iconPath: new vscode.ThemeIcon('vscode'),
      value: { type: 'vscode' },
    },
    {
      label: vscode.l10n.t('Import models…'),
      detail: vscode.l10n.t('From Continue, Cline, Roo Code or VS Code custom endpoints'),
      iconPath: new vscode.ThemeIcon('cloud-download'),
      value: { type: 'import' },
    },
    heading(vscode.l10n.t('On this machine')),
    ...knownServers.filter(({ isService }) => !isService).map(knownRow),
    heading(vscode.l10n.t('On the internet, with a key')),
    ...knownServers.filter(({ isService }) => isService).map(knownRow),
  ];
}

function typedRow(where: Where & { readonly type: 'typed' }): StepRow<Where> {
  const [first = ''] = where.baseUrls;
  return {
    label: vscode.l10n.t('Load models from {0}', where.host),
    detail: first,
    iconPath: new vscode.ThemeIcon('server'),
    alwaysShow: true,
    value: where,
  };
}

function knownRow(where: Where & { readonly type: 'known' }): StepRow<Where> {
  return { label: where.server.label, description: where.server.baseUrl, value: where };
}

function heading(label: string): StepRow<Where> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
