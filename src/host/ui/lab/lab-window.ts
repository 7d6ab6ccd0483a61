import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { OpenedReply } from '../../../contract/lab-parse';
import { panels } from '../../../manifest/views';
import { pageOptions } from '../../platform/page-html';
import type { ModelProfile } from '../../../models/profiles';
import { Examinations } from '../../services/doctor/examinations';
import { LabPage } from './lab-page';
import type { LabParts } from './lab-parts';
import { LabRuns } from './lab-runs';
import { HandedReply } from './recorded-replies';

/** State of the lab for the lifetime of the window, even without a panel. There is at most one panel. */
export class LabWindow implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private shown: { readonly panel: vscode.WebviewPanel; readonly page: LabPage } | undefined;

  readonly runs: LabRuns;
  readonly handed = new HandedReply();
  readonly examinations: Examinations;

  constructor(private readonly parts: LabParts) {
    this.runs = this.store.add(new LabRuns(parts));
    this.examinations = this.store.add(new Examinations(parts));
    this.store.add(
      this.runs.onEvent(({ type }) => {
        // A call continues without the panel.
        if (type === 'run-end' && !this.shown) this.runs.endCommands();
      }),
    );
  }

  /** With a reply, the Parse tab shows it. */
  open(reply?: OpenedReply): void {
    if (reply) this.handed.hand(reply);
    if (this.shown) return this.shown.panel.reveal();
    const { id } = panels.lab;
    const title = vscode.l10n.t('Parley Lab');
    this.adopt(
      vscode.window.createWebviewPanel(
        id,
        title,
        vscode.ViewColumn.Active,
        pageOptions(this.parts.context.extensionUri),
      ),
    );
  }

  /** Opens the lab with this tool, a wire name. */
  tryTool(name: string): void {
    this.open();
    this.runs.want(name);
  }

  /** Opens the lab to find the best protocol for this model. */
  findProtocol(profile: ModelProfile): void {
    this.open();
    this.examinations.want(profile);
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
