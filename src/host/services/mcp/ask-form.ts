import * as vscode from 'vscode';
import type { FieldValue, Form } from '../../../mcp/form';
import type { FormAnswer } from '../../../mcp/ports';
import { askField } from './ask-field';
import { linesFor, onOneLine } from '../../platform/input-text';
import { stepOf, type Step } from './form-step';
import { inTurn } from './input-turns';

/**
 * Shows a form for a server, step by step, and waits for the user. Never rejects: a form that is dismissed or aborted
 * is answered with `cancel`.
 */
export function askForm(server: string, form: Form, signal: AbortSignal): Promise<FormAnswer> {
  return inTurn<FormAnswer>(() => fill(server, form, signal), { action: 'cancel' }, signal);
}

async function fill(server: string, form: Form, signal: AbortSignal): Promise<FormAnswer> {
  const values = new Map<string, FieldValue>();
  const title = vscode.l10n.t('MCP server {0} asks', onOneLine(server));
  const total = form.fields.length;
  // The first step shows which server asks.
  for (let at = 0; at <= total;) {
    if (signal.aborted) return { action: 'cancel' };
    const field = form.fields[at - 1];
    const step = field
      ? await askField({ field, title, at, total, given: values.get(field.key) }, signal)
      : await showNote({ title, server, form }, signal);
    if (step.type === 'decline' || step.type === 'cancel') return { action: step.type };
    if (field) {
      values.delete(field.key);
      if (step.type === 'next' && step.value !== undefined) values.set(field.key, step.value);
    }
    at += step.type === 'next' ? 1 : -1;
  }
  return { action: 'accept', content: Object.fromEntries(values) };
}

interface Note {
  readonly title: string;
  readonly server: string;
  readonly form: Form;
}

interface NoteItem extends vscode.QuickPickItem {
  /** Absent for a read-only line. */
  readonly step?: Step;
}

/** Shows who asks and why, in the server's own words, before anything is answered. */
function showNote({ title, server, form }: Note, signal: AbortSignal): Promise<Step> {
  const pick = vscode.window.createQuickPick<NoteItem>();
  const { length } = form.fields;
  const questions = length === 1 ? vscode.l10n.t('One question') : vscode.l10n.t('{0} questions', length);
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Your answers are sent to the server. Do not enter passwords or keys.');
  pick.ignoreFocusOut = true;
  pick.items = [
    length === 0
      ? { label: vscode.l10n.t('Accept'), step: { type: 'next' } }
      : { label: vscode.l10n.t('Answer'), description: questions, step: { type: 'next' } },
    { label: vscode.l10n.t('Decline'), step: { type: 'decline' } },
    {
      label: vscode.l10n.t('What {0} says', onOneLine(server)),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...linesFor(form.message).map((label) => ({ label, alwaysShow: true })),
  ];
  return stepOf(pick, () => pick.selectedItems[0]?.step, signal);
}
