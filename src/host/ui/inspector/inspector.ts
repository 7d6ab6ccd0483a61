import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { ReplyRef } from '../../../core/transcript/references';
import type { InspectorParts } from './inspection';
import type { InspectorWindow } from './inspector-window';

/** Shows how the text of a reply became calls. Loaded when it is first opened. */
export class Inspector implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private loading: Promise<InspectorWindow> | undefined;

  constructor(private readonly parts: InspectorParts) {}

  /** Without a name: the newest reply of the current conversation. */
  async open(reply?: ReplyRef): Promise<void> {
    const { replies } = this.parts.conversation.session.transcript;
    if (!reply && replies === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('There is no reply yet. Send a message first.'),
      );
      return;
    }
    (await this.load()).open(reply ?? { number: replies - 1 });
  }

  dispose(): void {
    this.store.dispose();
  }

  private load(): Promise<InspectorWindow> {
    this.loading ??= import('./inspector-window').then(({ InspectorWindow }) =>
      this.store.add(new InspectorWindow(this.parts)),
    );
    return this.loading;
  }
}
