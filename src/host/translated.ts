import * as vscode from 'vscode';
import { sentenceTranslator } from '../base/translate-sentence';

// Made at first use and kept: the language of a window cannot change.
let translate: ((english: string) => string) | undefined;

/** A sentence that is kept in English, in the user's language: a reason, how a run ended, a description. */
export function translated(english: string): string {
  translate ??= sentenceTranslator(vscode.l10n.bundle ?? {});
  return translate(english);
}
