import * as vscode from 'vscode';
import type { Image } from '../../core/attachment';

interface DataParts {
  readonly LanguageModelDataPart?: {
    image(data: Uint8Array, mime: string): vscode.LanguageModelTextPart;
  };
}

/** Whether this VS Code passes images on to models: from 1.106 on. */
export function knowsImages(): boolean {
  return (vscode as DataParts).LanguageModelDataPart !== undefined;
}

/** Typed as a text part because the API of our floor knows no other; nothing where there is no such part yet. */
export function imagePart({ data, mediaType }: Image): vscode.LanguageModelTextPart | undefined {
  return (vscode as DataParts).LanguageModelDataPart?.image(Buffer.from(data, 'base64'), mediaType);
}
