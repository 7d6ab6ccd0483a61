import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { DisposableStore } from '../../../base/disposable';
import { requestId } from '../../../contract/calls';
import { LabToHost, type HostToLab, type LabAnswer } from '../../../contract/lab';
import type { Examinations } from '../../services/doctor/examinations';
import { pageHtml } from '../../platform/page-html';
import { doctorTab } from './doctor-tab';
import { gatewayTab } from './gateway-tab';
import type { Handlers, LabParts, LabTab, NextTarget, PagePort } from './lab-parts';
import type { LabRuns } from './lab-runs';
import { parseTab } from './parse-tab';
import type { ReplyInspector } from './reply-inspector';
import { requestsTab } from './requests-tab';
import { runTab } from './run-tab';
import { toolsTab } from './tools-tab';

const WithId = z.object({ id: requestId });

/** State that outlives the panel. */
interface PageParts {
  readonly target: NextTarget;
  readonly inspector: ReplyInspector;
  readonly runs: LabRuns;
  readonly examinations: Examinations;
  /** Opens the newest reply of the conversation in *Requests*. */
  inspect(): void;
}

/** The page of a panel, and the tabs that answer it. */
export class LabPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly handlers: Handlers<LabToHost>;
  private state: 'loading' | 'ready' | 'gone' = 'loading';

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly parts: LabParts,
    own: PageParts,
  ) {
    const { target, inspector, runs, examinations } = own;
    const port: PagePort = {
      tell: (message) => this.post(message),
      show: (wanted) => target.set(wanted),
    };
    const handlersOf = <Message extends LabToHost>(tab: LabTab<Message>): Handlers<Message> => {
      if (tab.dispose) this.store.add({ dispose: tab.dispose });
      return tab.handlers;
    };
    this.handlers = {
      'take-target': () => target.take(),
      ...handlersOf(requestsTab(parts, inspector, () => own.inspect(), port)),
      ...handlersOf(toolsTab(parts, port)),
      ...handlersOf(runTab(parts, runs, port)),
      ...handlersOf(parseTab(parts)),
      ...handlersOf(doctorTab(parts, examinations, port)),
      ...handlersOf(gatewayTab(parts, port)),
    };
    this.store.add(target.onChange(() => this.post({ type: 'target-changed' })));
    this.store.add(panel.webview.onDidReceiveMessage((message: unknown) => void this.receive(message)));
    const source = { name: 'lab', title: panel.title } as const;
    panel.webview.html = pageHtml(panel.webview, parts.context.extensionUri, source);
  }

  dispose(): void {
    this.state = 'gone';
    this.store.dispose();
  }

  private post(message: HostToLab): void {
    // A hidden page is gone, and VS Code would keep messages to it for the next one.
    if (this.state === 'ready' && this.panel.visible) void this.panel.webview.postMessage(message);
  }

  private async receive(message: unknown): Promise<void> {
    if (this.state === 'loading') this.state = 'ready';
    const checked = LabToHost.safeParse(message);
    if (!checked.success) {
      // The content stays out of the log: it may be long, and crafted to be read there.
      const code = checked.error.issues[0]?.code ?? '';
      this.parts.output.warn(`The lab page sent a message of an unknown form: ${code}`);
      const id = WithId.safeParse(message);
      // Without an answer the page would wait for it.
      const problem = vscode.l10n.t('This input was rejected. It may be too long: try a shorter one.');
      if (id.success) this.post({ type: 'answer', id: id.data.id, answer: { ok: false, problem } });
      return;
    }
    const { data } = checked;
    const answer = await this.handle(data);
    if ('id' in data) this.post({ type: 'answer', id: data.id, answer });
  }

  /** Errors are logged and are answers too: the page waits for one. */
  private async handle(message: LabToHost): Promise<LabAnswer<unknown>> {
    // SAFETY: each handler is registered under the type of its message.
    const handler = this.handlers[message.type] as (message: LabToHost) => unknown;
    try {
      return { ok: true, value: await handler(message) };
    } catch (error) {
      this.parts.output.error(error);
      return { ok: false, problem: vscode.l10n.t('Something went wrong. See the log for details.') };
    }
  }
}
