import * as vscode from 'vscode';
import { sentenceTranslator, TITLE } from '../../base/translate-sentence';

// Created on first use: the language of a window cannot change.
let translate: ((english: string) => string) | undefined;
let translateTitle: typeof translate;

/** Translates a sentence stored in English: a reason, the end of a run, a description. */
export function translated(english: string): string {
  translate ??= sentenceTranslator(vscode.l10n.bundle ?? {});
  return translate(english);
}

/** Translates the title of a call. */
export function translatedTitle(english: string): string {
  translateTitle ??= sentenceTranslator(vscode.l10n.bundle ?? {}, TITLE);
  return translateTitle(english);
}
