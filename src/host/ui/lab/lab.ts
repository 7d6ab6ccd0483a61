import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { ReplyRef } from '../../../core/transcript/references';
import { panels } from '../../../manifest/views';
import type { ModelProfile } from '../../../models/profiles';
import type { LabParts } from './lab-parts';
import type { LabWindow } from './lab-window';

/** The lab of this window. Loaded when it is first opened, or when VS Code restores it. */
export class Lab implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private loading: Promise<LabWindow> | undefined;

  constructor(private readonly parts: LabParts) {
    this.store.add(
      vscode.window.registerWebviewPanelSerializer(panels.lab.id, {
        deserializeWebviewPanel: async (panel) => (await this.load()).adopt(panel),
      }),
    );
  }

  async open(): Promise<void> {
    (await this.load()).open();
  }

  /** Shows how the text of a reply became calls: by default of the newest reply of the conversation. */
  async inspect(reply?: ReplyRef): Promise<void> {
    (await this.load()).inspect(reply);
  }

  /** Opens it with this tool, a wire name. */
  async tryTool(name: string): Promise<void> {
    (await this.load()).open({ tab: 'run', tool: name });
  }

  /** Opens it to find the best protocol for this model. */
  async findProtocol(profile: ModelProfile): Promise<void> {
    (await this.load()).findProtocol(profile);
  }

  dispose(): void {
    this.store.dispose();
  }

  private load(): Promise<LabWindow> {
    this.loading ??= import('./lab-window').then(({ LabWindow }) =>
      this.store.add(new LabWindow(this.parts)),
    );
    return this.loading;
  }
}
