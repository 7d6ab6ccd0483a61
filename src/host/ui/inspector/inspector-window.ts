import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { ReplyRef } from '../../../core/transcript/references';
import type { AgentEvent } from '../../../core/words/events';
import { inspectorPanel } from '../../../manifest/views';
import { pageOptions } from '../../platform/page-html';
import { InspectorPage } from './inspector-page';
import type { InspectorParts } from './inspection';

/** The panel of the inspector. At most one; it closes with the window. */
export class InspectorWindow implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private shown: { readonly panel: vscode.WebviewPanel; readonly page: InspectorPage } | undefined;

  constructor(private readonly parts: InspectorParts) {
    const { conversation } = parts;
    this.store.add(
      conversation.onEvent((event) => {
        // A hidden page is gone; the next one asks by itself.
        if (isTelling(event) && this.shown?.panel.visible) this.shown.page.update();
      }),
    );
    this.store.add(conversation.onReplaced(() => this.shown?.page.lose()));
  }

  open(reply: ReplyRef): void {
    if (this.shown) {
      this.shown.panel.reveal();
      return this.shown.page.show(reply);
    }
    const { extensionUri } = this.parts.context;
    const panel = vscode.window.createWebviewPanel(
      inspectorPanel.id,
      vscode.l10n.t(inspectorPanel.title),
      vscode.ViewColumn.Active,
      pageOptions(extensionUri),
    );
    const page = new InspectorPage(panel.webview, this.parts, reply);
    this.shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      this.shown = undefined;
    });
  }

  dispose(): void {
    this.shown?.page.dispose();
    this.store.dispose();
  }
}

/** Streaming deltas and command output are frequent, and the page shows neither. */
function isTelling(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return isTelling(event.event);
  return !['text', 'reasoning', 'call-start', 'call-delta', 'tool-output', 'file-change'].includes(
    event.type,
  );
}
