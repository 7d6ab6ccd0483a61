import * as vscode from 'vscode';

/** Server type, server, model, test, protocol. */
const STEPS = 5;

export interface StepRow<T> extends vscode.QuickPickItem {
  /** Absent for headings and read-only rows. */
  readonly value?: T;
}

/** How a question was answered: with a value, by *Back*, or by cancelling. */
export type Answer<T> =
  { readonly type: 'given'; readonly value: T } | { readonly type: 'back' } | { readonly type: 'left' };

interface Head {
  /** From 1; the first one has no *Back*. */
  readonly step: number;
  readonly title?: string;
}

export interface ListQuestion<T> extends Head {
  readonly placeholder: string;
  /** Recomputed from the typed text. */
  readonly rows: (typed: string) => readonly StepRow<T>[];
  /** Runs while the list is shown. Its result is the answer; `redraw` recomputes the rows. */
  readonly meanwhile?: (signal: AbortSignal, redraw: () => void) => Promise<T | undefined>;
}

/** Shows a list until the user picks something, or the background work finds an answer. */
export async function askInList<T>(question: ListQuestion<T>): Promise<Answer<T>> {
  const list = vscode.window.createQuickPick<StepRow<T>>();
  const stop = new AbortController();
  head(list, question);
  list.placeholder = question.placeholder;
  list.matchOnDetail = true;
  list.keepScrollPosition = true;
  const draw = (): void => {
    const active = list.activeItems[0]?.label;
    list.items = question.rows(list.value);
    const kept = list.items.filter(({ label, value }) => label === active && value !== undefined);
    if (kept.length > 0) list.activeItems = kept;
  };
  list.items = question.rows('');
  list.onDidChangeValue(() => (list.items = question.rows(list.value)));
  const answer = new Promise<Answer<T>>((resolve, reject) => {
    list.onDidAccept(() => {
      const value = list.selectedItems[0]?.value ?? madeFor(list.value, question);
      if (value !== undefined) resolve({ type: 'given', value });
    });
    list.onDidTriggerButton(() => resolve({ type: 'back' }));
    list.onDidHide(() => resolve({ type: 'left' }));
    list.show();
    if (!question.meanwhile) return;
    list.busy = true;
    question.meanwhile(stop.signal, draw).then((value) => {
      list.busy = false;
      if (value !== undefined) resolve({ type: 'given', value });
    }, reject);
  });
  try {
    return await answer;
  } finally {
    stop.abort();
    list.dispose();
  }
}

/** Enter may come before the row for the typed text is drawn. */
function madeFor<T>(typed: string, { rows }: ListQuestion<T>): T | undefined {
  return typed.trim() === '' ? undefined : rows(typed).find(({ alwaysShow }) => alwaysShow)?.value;
}

interface TextQuestion extends Head {
  readonly prompt: string;
  readonly isPassword?: boolean;
  readonly value?: string;
  /** Error of the last answer. */
  readonly refused?: string;
  /** Error of the current answer. */
  readonly check: (text: string) => string | undefined;
}

/** Asks for a text on one line. */
export async function askForText(question: TextQuestion): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  head(box, question);
  box.prompt = question.prompt;
  box.password = question.isPassword === true;
  box.value = question.value ?? '';
  box.validationMessage = question.refused;
  box.onDidChangeValue(() => (box.validationMessage = undefined));
  try {
    return await new Promise<Answer<string>>((resolve) => {
      box.onDidAccept(() => {
        const wrong = question.check(box.value.trim());
        if (wrong === undefined) resolve({ type: 'given', value: box.value.trim() });
        else box.validationMessage = wrong;
      });
      box.onDidTriggerButton(() => resolve({ type: 'back' }));
      box.onDidHide(() => resolve({ type: 'left' }));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

function head(input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox, { step, title }: Head): void {
  input.title = title ?? vscode.l10n.t('Add Model');
  input.step = step;
  input.totalSteps = STEPS;
  // Users who fetch a key from a browser return to the same state.
  input.ignoreFocusOut = true;
  input.buttons = step === 1 ? [] : [vscode.QuickInputButtons.Back];
}
