import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { LabTarget } from '../../../contract/lab';
import type { ReplyRef } from '../../../core/transcript/references';
import { panels } from '../../../manifest/views';
import { pageOptions } from '../../platform/page-html';
import type { ModelProfile } from '../../../models/profiles';
import { Examinations } from '../../services/doctor/examinations';
import { LabPage } from './lab-page';
import { NextTarget, type LabParts } from './lab-parts';
import { LabRuns } from './lab-runs';
import { ReplyInspector } from './reply-inspector';

/** State of the lab for the lifetime of the window, even without a panel. There is at most one panel. */
export class LabWindow implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private shown: { readonly panel: vscode.WebviewPanel; readonly page: LabPage } | undefined;

  readonly target = new NextTarget();
  readonly inspector: ReplyInspector;
  readonly runs: LabRuns;
  readonly examinations: Examinations;

  constructor(private readonly parts: LabParts) {
    this.inspector = this.store.add(new ReplyInspector(parts));
    this.runs = this.store.add(new LabRuns(parts));
    this.examinations = this.store.add(new Examinations(parts));
    this.store.add(
      this.runs.onEvent(({ type }) => {
        // A call continues without the panel.
        if (type === 'run-end' && !this.shown) this.runs.endCommands();
      }),
    );
  }

  /** With a target, the lab shows it. */
  open(target?: LabTarget): void {
    if (target) this.target.set(target);
    if (this.shown) return this.shown.panel.reveal();
    const { id, title } = panels.lab;
    const options = pageOptions(this.parts.context.extensionUri);
    this.adopt(vscode.window.createWebviewPanel(id, vscode.l10n.t(title), vscode.ViewColumn.Active, options));
  }

  /** Opens a reply in *Requests*: by default the newest of the conversation. */
  inspect(reply?: ReplyRef): void {
    const { replies } = this.parts.conversation.session.transcript;
    if (!reply && replies === 0) {
      const text = 'There is no reply yet. Send a message first.';
      void vscode.window.showInformationMessage(vscode.l10n.t(text));
      return;
    }
    this.inspector.show(reply ?? { number: replies - 1 });
    this.open({ tab: 'requests' });
  }

  /** Opens the lab to find the best protocol for this model. */
  findProtocol(profile: ModelProfile): void {
    this.examinations.want(profile);
    this.open({ tab: 'doctor' });
  }

  /** Uses a panel, a new one or one restored by VS Code. */
  adopt(panel: vscode.WebviewPanel): void {
    // VS Code restores a panel when it becomes visible; a command may have been quicker, and its panel is newer.
    if (this.shown) {
      panel.dispose();
      return this.shown.panel.reveal();
    }
    panel.webview.options = pageOptions(this.parts.context.extensionUri);
    const page = new LabPage(panel, this.parts, this);
    this.shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (this.shown?.page !== page) return;
      this.shown = undefined;
      this.runs.endCommands();
    });
  }

  dispose(): void {
    this.shown?.page.dispose();
    this.store.dispose();
  }
}
