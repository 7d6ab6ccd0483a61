import * as vscode from 'vscode';
import type { EncodingSettings } from '../../../node/files/guess-encoding';

/** What VS Code's settings say about the encoding of a file, given by its absolute path. */
export function encodingSettings(file: string): EncodingSettings {
  const files = vscode.workspace.getConfiguration('files', vscode.Uri.file(file));
  return {
    encoding: files.get('encoding', 'utf8'),
    isGuessed: files.get('autoGuessEncoding', false),
  };
}
