import * as vscode from 'vscode';
import { sentenceTranslator, TITLE } from '../base/translate-sentence';

// Made at first use and kept: the language of a window cannot change.
let translate: ((english: string) => string) | undefined;
let translateTitle: typeof translate;

/** A sentence that is kept in English, in the user's language: a reason, how a run ended, a description. */
export function translated(english: string): string {
  translate ??= sentenceTranslator(vscode.l10n.bundle ?? {});
  return translate(english);
}

/** What a call would do, in a few words: its title, in the user's language. */
export function translatedTitle(english: string): string {
  translateTitle ??= sentenceTranslator(vscode.l10n.bundle ?? {}, TITLE);
  return translateTitle(english);
}
