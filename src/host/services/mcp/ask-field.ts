import * as vscode from 'vscode';
import { never } from '../../../base/never';
import {
  fieldProblem,
  type FieldKind,
  type FieldProblem,
  type FieldValue,
  type FormField,
  type TextFormat,
} from '../../../mcp/form';
import { onOneLine } from '../../platform/input-text';
import { formButtons, stepOf, type Step } from './form-step';

interface FieldStep {
  readonly field: FormField;
  readonly title: string;
  /** From 1. */
  readonly at: number;
  readonly total: number;
  /** The user's answer before they came back. */
  readonly given: FieldValue | undefined;
}

/** Asks for one field of a form. */
export function askField(step: FieldStep, signal: AbortSignal): Promise<Step> {
  const { kind } = step.field;
  switch (kind.type) {
    case 'text':
    case 'number':
      return askText(step, kind, signal);
    case 'boolean':
      return askOne(step, yesAndNo(), signal);
    case 'choice':
      return kind.several ? askSeveral(step, kind, signal) : askOne(step, optionItems(kind), signal);
    default:
      return never(kind);
  }
}

function askText(step: FieldStep, kind: FieldKind, signal: AbortSignal): Promise<Step> {
  const { field } = step;
  const box = vscode.window.createInputBox();
  const value = step.given ?? field.default;
  dress(box, step);
  box.prompt = field.isRequired
    ? question(field)
    : vscode.l10n.t('{0} (optional, leave empty to skip)', question(field));
  box.value = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const problemNow = (): string | undefined => {
    if (box.value === '') return field.isRequired ? vscode.l10n.t('Enter an answer.') : undefined;
    const problem = fieldProblem(kind, box.value);
    return problem && problemText(problem);
  };
  // No errors while the user types.
  box.onDidChangeValue(() => (box.validationMessage = undefined));
  const accepted = (): Step | undefined => {
    const problem = problemNow();
    box.validationMessage = problem;
    if (problem !== undefined) return undefined;
    if (box.value === '') return { type: 'next' };
    return { type: 'next', value: kind.type === 'number' ? Number(box.value) : box.value };
  };
  return stepOf(box, accepted, signal);
}

interface ValueItem extends vscode.QuickPickItem {
  /** Absent for the item that skips the field. */
  readonly value?: string | boolean;
}

function askOne(step: FieldStep, items: readonly ValueItem[], signal: AbortSignal): Promise<Step> {
  const { field } = step;
  const pick = pickFor(step);
  pick.items = field.isRequired ? items : [...items, { label: vscode.l10n.t('Skip'), alwaysShow: true }];
  const chosen = step.given ?? field.default;
  pick.activeItems = items.filter(({ value }) => value === chosen);
  const accepted = (): Step | undefined => {
    const [item] = pick.selectedItems;
    if (!item) return undefined;
    return item.value === undefined ? { type: 'next' } : { type: 'next', value: item.value };
  };
  return stepOf(pick, accepted, signal);
}

function askSeveral(
  step: FieldStep,
  kind: FieldKind & { readonly type: 'choice' },
  signal: AbortSignal,
): Promise<Step> {
  const { field } = step;
  const pick = pickFor(step);
  const items = optionItems(kind);
  const { least = 0, most = items.length } = kind.several ?? {};
  const chosen = step.given ?? field.default;
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ value }) => Array.isArray(chosen) && chosen.includes(value));
  const accepted = (): Step | undefined => {
    const values = pick.selectedItems.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
    if (values.length === 0 && !field.isRequired) return { type: 'next' };
    if (values.length >= least && values.length <= most) return { type: 'next', value: values };
    // A list can show an error only as an item, which a filter would hide.
    pick.value = '';
    pick.placeholder =
      values.length < least
        ? vscode.l10n.t('Choose at least {0}; you have chosen {1}.', least, values.length)
        : vscode.l10n.t('Choose at most {0}; you have chosen {1}.', most, values.length);
    return undefined;
  };
  return stepOf(pick, accepted, signal);
}

function pickFor(step: FieldStep): vscode.QuickPick<ValueItem> {
  const pick = vscode.window.createQuickPick<ValueItem>();
  dress(pick, step);
  pick.placeholder = question(step.field);
  return pick;
}

function dress(input: vscode.InputBox | vscode.QuickPick<ValueItem>, { title, at, total }: FieldStep): void {
  input.title = title;
  input.step = at;
  input.totalSteps = total;
  input.buttons = formButtons();
  input.ignoreFocusOut = true;
}

function yesAndNo(): readonly ValueItem[] {
  return [
    { label: vscode.l10n.t('Yes'), value: true },
    { label: vscode.l10n.t('No'), value: false },
  ];
}

function optionItems({ options }: FieldKind & { readonly type: 'choice' }): readonly ValueItem[] {
  return options.map(({ value, title }) => ({ label: onOneLine(title), value }));
}

function question({ title, description }: FormField): string {
  return onOneLine(description === undefined ? title : `${title}: ${description}`);
}

function problemText(problem: FieldProblem): string {
  switch (problem.type) {
    case 'number':
      return vscode.l10n.t('Enter a number.');
    case 'whole':
      return vscode.l10n.t('Enter a whole number.');
    case 'least':
      return vscode.l10n.t('Enter {0} or more.', problem.limit);
    case 'most':
      return vscode.l10n.t('Enter {0} or less.', problem.limit);
    case 'shortest':
      return vscode.l10n.t('Enter at least {0} characters.', problem.limit);
    case 'longest':
      return vscode.l10n.t('Enter at most {0} characters.', problem.limit);
    case 'format':
      return formatText(problem.format);
    default:
      return never(problem);
  }
}

function formatText(format: TextFormat): string {
  switch (format) {
    case 'email':
      return vscode.l10n.t('Enter an email address.');
    case 'uri':
      return vscode.l10n.t('Enter a full address, such as {0}.', 'https://example.org/');
    case 'date':
      return vscode.l10n.t('Enter a date, such as {0}.', '2026-01-31');
    case 'date-time':
      return vscode.l10n.t('Enter a date and time, such as {0}.', '2026-01-31T12:00:00Z');
    default:
      return never(format);
  }
}
