import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { Transcript } from '../../core/transcript/transcript';
import { waitingCall } from '../../core/transcript/waiting-call';

const SCHEME = 'parley-preview';

interface Comparison {
  /** File name for the title, and language for the editor. */
  readonly path: string;
  readonly before: string;
  /** A text, or a file that can be edited there. */
  readonly after: string | vscode.Uri;
  readonly title: string;
  /** For a diff shown beside a question. */
  readonly preserveFocus?: boolean;
}

/** Shows proposed edits and changed files in VS Code's diff editor. */
export class DiffView implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private shown = 0;

  constructor() {
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
    this.store.add(
      vscode.workspace.onDidCloseTextDocument((document) => void this.texts.delete(document.uri.toString())),
    );
  }

  async show(transcript: Transcript, callId: string): Promise<void> {
    const preview = waitingCall(transcript, callId)?.request.preview;
    if (preview?.type !== 'diff') return;
    await this.compare({
      ...preview,
      title: vscode.l10n.t('{0} (proposed by the model)', preview.path),
    });
  }

  async compare({ path, before, after, title, preserveFocus = false }: Comparison): Promise<void> {
    // Numbered, because another session may have a call of the same id: its tab must not be reused for this one.
    const number = String(++this.shown);
    const left = this.hold('before', number, path, before);
    const right = typeof after === 'string' ? this.hold('after', number, path, after) : after;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true, preserveFocus });
  }

  /** A read-only text. */
  async open({ path, text }: { readonly path: string; readonly text: string }): Promise<void> {
    const uri = this.hold('text', String(++this.shown), path, text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  private hold(side: string, number: string, path: string, text: string): vscode.Uri {
    // The path keeps its extension, so that VS Code highlights the language.
    const uri = vscode.Uri.from({ scheme: SCHEME, authority: side, path: `/${path}`, query: number });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}
