import * as vscode from 'vscode';
import type { FieldValue } from '../../../mcp/form';

/** How one step of a form ends. `next` without a value: the field is omitted. */
export type Step =
  { readonly type: 'next'; readonly value?: FieldValue } | { readonly type: 'back' | 'decline' | 'cancel' };

type Input = Pick<
  vscode.InputBox,
  'onDidAccept' | 'onDidTriggerButton' | 'onDidHide' | 'show' | 'hide' | 'dispose'
>;

/** Shows the input until the step ends; input counts when `accepted` returns a step for it. */
export function stepOf(input: Input, accepted: () => Step | undefined, signal: AbortSignal): Promise<Step> {
  return new Promise((resolve) => {
    const hide = (): void => input.hide();
    const end = (step: Step): void => {
      resolve(step);
      hide();
    };
    input.onDidAccept(() => {
      const step = accepted();
      if (step) end(step);
    });
    input.onDidTriggerButton((button) =>
      end({ type: button === vscode.QuickInputButtons.Back ? 'back' : 'decline' }),
    );
    input.onDidHide(() => {
      signal.removeEventListener('abort', hide);
      resolve({ type: 'cancel' });
      input.dispose();
    });
    signal.addEventListener('abort', hide, { once: true });
    input.show();
  });
}

export function formButtons(): readonly vscode.QuickInputButton[] {
  const decline = {
    iconPath: new vscode.ThemeIcon('circle-slash'),
    tooltip: vscode.l10n.t('Decline'),
  };
  return [vscode.QuickInputButtons.Back, decline];
}
