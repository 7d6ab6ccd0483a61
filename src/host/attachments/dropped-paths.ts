import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import { ToolError } from '../../core/tool';
import type { Files } from '../../tools/workspace';
import { pathOf } from '../files/virtual-path';
import { pathMention } from './mention-path';

/** What was dropped, or pasted, as it comes into a message. */
export interface DroppedPaths {
  /** The mentions of what can go along. */
  readonly text: string;
  /** One sentence about the others, for people. */
  readonly problem?: string;
}

/** Files and folders of the workspace as mentions. What lies outside is left out: whoever wants it names it by hand. */
export async function mentionsOf(uris: readonly string[], files: Files): Promise<DroppedPaths> {
  const mentions: string[] = [];
  const refused: string[] = [];
  for (const uri of uris) {
    const mention = await mentionOf(uri, files);
    if (mention === undefined) refused.push(nameOf(uri));
    else if (!mentions.includes(mention)) mentions.push(mention);
  }
  const text = mentions.map((mention) => `${mention} `).join('');
  if (refused.length === 0) return { text };
  const problem = vscode.l10n.t(
    'Only files and folders of the workspace become mentions: {0}. Name another file with @file:"/its/path".',
    visibleText(refused.slice(0, 3).join(', ')),
  );
  return { text, problem };
}

async function mentionOf(text: string, files: Files): Promise<string | undefined> {
  const uri = parsed(text);
  if (!uri || !vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  try {
    const place = await files.resolve(pathOf(uri), 'list');
    const info = place.verdict.isOutside === true ? undefined : await files.stat(place);
    if (info?.kind !== 'file' && info?.kind !== 'folder') return undefined;
    return pathMention(uri, info.kind);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** What a page says may be anything. */
function parsed(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    // The window names the files of a remote machine so; to what runs there they are its own.
    return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // It is no address, so it names no file.
    return undefined;
  }
}

function nameOf(uri: string): string {
  const name = uri.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  return name === '' ? uri.slice(0, 100) : name.slice(0, 100);
}
