import * as vscode from 'vscode';
import type { Platform } from '../../platform/platform';
import type { ContributedCallParts } from './contributed-call';

/** Lets VS Code's own agent call our tools by their names in the manifest. Loaded at the first call. */
export function registerContributedTools(
  parts: ContributedCallParts & Pick<Platform, 'context'>,
): vscode.Disposable {
  const { contributes } = parts.context.extension.packageJSON as {
    readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
  };
  const registered = contributes.languageModelTools.map(({ name }) =>
    vscode.lm.registerTool<object>(name, {
      invoke: async ({ input }, token) => {
        const { callContributed } = await import('./contributed-call');
        return callContributed({ name, input }, parts, token);
      },
    }),
  );
  return vscode.Disposable.from(...registered);
}
