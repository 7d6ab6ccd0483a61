import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Preview } from '../core/tool';
import type { Transcript } from '../core/transcript';

const SCHEME = 'parley-preview';

/** Shows what a waiting edit would change, in VS Code's own diff editor. Both sides are texts that the call holds. */
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
    const preview = previewOf(transcript, callId);
    if (preview?.type !== 'diff') return;
    // Numbered, because another session may have a call of the same id: its tab must not be taken for this one.
    const number = String(++this.shown);
    const before = this.hold('before', number, preview.path, preview.before);
    const after = this.hold('after', number, preview.path, preview.after);
    const title = vscode.l10n.t('{0} (proposed by the model)', preview.path);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  private hold(side: string, number: string, path: string, text: string): vscode.Uri {
    // The path keeps its ending, so that VS Code colours the language.
    const uri = vscode.Uri.from({ scheme: SCHEME, authority: side, path: `/${path}`, query: number });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

/** Of a call that waits, also inside the agent that another call has started. */
function previewOf({ entries }: Transcript, callId: string): Preview | undefined {
  const states = entries.flatMap((entry) =>
    entry.type === 'reply' ? entry.parts.flatMap((part) => (part.type === 'call' ? [part.state] : [])) : [],
  );
  for (const state of states) {
    if (state.type === 'waiting' && state.call.id === callId) return state.request.preview;
    const inner = 'subAgent' in state ? previewOf(state.subAgent, callId) : undefined;
    if (inner) return inner;
  }
  return undefined;
}
