import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import { never } from '../../../base/never';
import { redactData } from '../../../base/redact';
import { InspectorToHost, type HostToInspector, type InspectorSection } from '../../../contract/inspector';
import type { PageProblem } from '../../../contract/lab-parse';
import type { EditedReply, RunSetup } from '../../../core/run/agent-options';
import { CallIds } from '../../../core/reply/call-ids';
import { parseReply, type ParsedReply } from '../../../core/reply/parse-reply';
import { parserOptions } from '../../../core/run/round';
import type { ReplyRef } from '../../../core/transcript/references';
import type { ReplyEntry } from '../../../core/transcript/transcript';
import type { Protocol } from '../../../core/words/protocol';
import { inspectorPanel } from '../../../manifest/views';
import { replyDeltas } from '../../../models/recorded-reply';
import { tellBusy } from '../../services/conversation/conversation';
import { inParseThread } from '../lab/in-parse-thread';
import { recordedText } from '../lab/recorded-replies';
import { confirmRewind } from '../../services/sessions/checkpoints';
import { pageHtml } from '../../platform/page-html';
import { readingOfParsed, redactReading } from './inspected-reply';
import { Inspection, noProtocol, protocolOf, type InspectorParts } from './inspection';
import { replyKey } from './request-log';

/** The reply to continue with: its text, and the protocol to parse it with. */
interface Continuation {
  readonly id: number;
  readonly protocol: Protocol;
  readonly text: string;
  /** The user edited it; else it is the original reply. */
  readonly isEdited: boolean;
}

/** One load of the page: shows one reply, and does what the user requests. */
export class InspectorPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private isReady = false;
  /** Nothing once another session is shown. */
  private inspection: Inspection | undefined;
  private reading: Continuation | undefined;
  /** The parse that the page requested last. */
  private asked: number | undefined;
  private parsing = new AbortController();
  /** Number of the edited reply that is about to start: it is shown then. */
  private awaited: number | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly parts: InspectorParts,
    reply: ReplyRef,
  ) {
    this.inspection = new Inspection(parts, reply);
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    const title = vscode.l10n.t(inspectorPanel.title);
    webview.html = pageHtml(webview, parts.context.extensionUri, { name: 'inspector', title });
  }

  show(reply: ReplyRef): void {
    // Its parse result is still shown by the page.
    if (this.inspection?.key === replyKey(reply)) return this.update();
    this.inspection = new Inspection(this.parts, reply);
    this.reading = undefined;
    this.awaited = undefined;
    this.update();
  }

  /** Another session is shown, which has a different reply of that name. */
  lose(): void {
    this.inspection = undefined;
    this.reading = undefined;
    this.awaited = undefined;
    this.update();
  }

  /** Shows the current state of the reply. */
  update(): void {
    const { awaited, inspection } = this;
    const { replies } = this.parts.conversation.session.transcript;
    if (awaited !== undefined && replies > awaited) this.show({ number: awaited });
    else if (inspection) this.attempt(this.tell(inspection));
    else this.post({ type: 'gone' });
  }

  dispose(): void {
    this.isReady = false;
    this.parsing.abort();
    this.store.dispose();
  }

  private receive(message: unknown): void {
    const checked = InspectorToHost.safeParse(message);
    if (!checked.success) {
      const code = checked.error.issues[0]?.code ?? '';
      this.parts.output.warn(`The inspector page sent a message of an unknown form: ${code}`);
      return;
    }
    const { data } = checked;
    switch (data.type) {
      case 'ready':
        this.isReady = true;
        return this.update();
      case 'copy':
        return this.attempt(this.copy(data.section));
      case 'read':
        return this.attempt(this.read(data));
      case 'go-on':
        return this.attempt(this.goOn(data.id));
      case 'open-lab':
        return this.attempt(this.openLab(data.id));
      default:
        return never(data);
    }
  }

  /** Includes keys that were not used yet in this window. */
  private async learnKeys(): Promise<void> {
    await this.parts.secrets.learn(this.parts.settings.get('models'));
  }

  private async tell(inspection: Inspection): Promise<void> {
    const { reply } = inspection;
    if (!this.isReady || !reply) return;
    await this.learnKeys();
    const shown = await inspection.shown(reply);
    if (inspection !== this.inspection) return;
    this.post({ type: 'reply', reply: shown });
    const request = await inspection.request(reply);
    if (inspection === this.inspection) this.post({ type: 'request', request });
  }

  private async copy(section: InspectorSection): Promise<void> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection || !reply) return;
    await this.learnKeys();
    await vscode.env.clipboard.writeText(await inspection.textOf(section, reply));
    this.post({ type: 'note', text: vscode.l10n.t('Copied.') });
  }

  private async read({ id, protocol: wanted, text }: PageReading): Promise<void> {
    this.asked = id;
    this.parsing.abort();
    this.parsing = new AbortController();
    const { signal } = this.parsing;
    const { inspection } = this;
    const reply = inspection?.reply;
    const protocol = await protocolOf(wanted);
    if (!inspection || !reply || !protocol) return;
    if (text !== undefined && inspection.whyNotEditable(reply) !== undefined) return;
    await this.learnKeys();
    const setup = await this.parts.prepareRun();
    if (inspection !== this.inspection || id !== this.asked) return;
    if ('problem' in setup) {
      this.post({ type: 'note', text: setup.problem });
      return;
    }
    const written = text ?? textFor(protocol, reply);
    const parsed = await parsedNow({ protocol, text: written, setup }, signal);
    if (!parsed || inspection !== this.inspection || id !== this.asked) return;
    if ('problem' in parsed) {
      this.post({ type: 'note', text: parsed.problem });
      return;
    }
    this.reading = { id, protocol, text: written, isEdited: text !== undefined };
    const redact = (each: string): string => this.parts.secrets.redact(each);
    this.post({ type: 'reading', id, reading: redactReading(readingOfParsed(parsed), parsed.raw, redact) });
  }

  /** Continues with the reply parsed and shown last; its calls ask as always. */
  private async goOn(id: number): Promise<void> {
    const { conversation, checkpoints } = this.parts;
    const { session } = conversation;
    const { inspection, reading } = this;
    if (!inspection || reading?.id !== id) return;
    if (!reading.isEdited && inspection.isCutOff) {
      const text = 'This reply was cut off, so its calls do not run. Edit it first.';
      this.post({ type: 'note', text: vscode.l10n.t(text) });
      return;
    }
    const { entry, whyNotGoOn } = inspection;
    if (whyNotGoOn !== undefined) {
      this.post({ type: 'note', text: whyNotGoOn });
      return;
    }
    if (!(await confirmRewind(entry, { conversation, checkpoints }))) return;
    // The user may have continued in another way while a question was open.
    if (conversation.session !== session || inspection.entry !== entry) return;
    if (session.isBusy) {
      tellBusy(session);
      return;
    }
    const { protocol, text } = reading;
    const edited: EditedReply = { protocol, deltas: [...replyDeltas(protocol.id, text, 0)] };
    this.awaited = session.transcript.replies;
    void session.replaceReply(entry, edited).finally(() => {
      // A run that did not start leaves nothing to wait for.
      this.awaited = undefined;
    });
  }

  private async openLab(id: number | undefined): Promise<void> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection || !reply) return;
    const reading = this.reading?.id === id ? this.reading : undefined;
    const protocol = reading?.protocol ?? (await protocolOf(reply.protocol));
    if (!protocol) {
      this.post({ type: 'note', text: noProtocol(reply.protocol) });
      return;
    }
    const name = vscode.l10n.t('reply {0} in the conversation', inspection.number);
    const text = this.parts.secrets.redact(reading?.text ?? textFor(protocol, reply));
    await this.parts.lab.open({ name, reply: text, protocol: protocol.id });
  }

  /** A click does not wait for the result: errors are logged and shown. */
  private attempt(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      this.parts.output.error(error);
      this.post({ type: 'note', text: vscode.l10n.t('Something went wrong. See the log for details.') });
    });
  }

  /** The only way to the page; it removes keys. */
  private post(message: HostToInspector): void {
    if (!this.isReady) return;
    void this.webview.postMessage(redactData(message, (text) => this.parts.secrets.redact(text)));
  }
}

type PageReading = Extract<InspectorToHost, { type: 'read' }>;

interface Written {
  readonly protocol: Protocol;
  readonly text: string;
  readonly setup: RunSetup;
}

/** Parses it as a run would now. A long reply is parsed in a thread; nothing if the result is no longer needed. */
async function parsedNow(
  { protocol, text, setup }: Written,
  signal: AbortSignal,
): Promise<ParsedReply | PageProblem | undefined> {
  const config = setup.tools.config();
  const callable = config.enabled ? setup.tools.offer.offered(config) : [];
  const options = parserOptions(setup.model, setup.tools, new CallIds(), { config, callable });
  if (text.length <= limits.editedInPlaceCharacters) {
    return parseReply(protocol, replyDeltas(protocol.id, text, 0), options);
  }
  const { tools = [], strictness = config.strictness, recover = false, callsEndThinking } = options;
  const how = { chunk: 0, tools, strictness, recover, ...(callsEndThinking && { callsEndThinking }) };
  const reading = { reply: text, protocol: protocol.id, ...how };
  // SAFETY: a job of that type returns this.
  return (await inParseThread({ type: 'parts', reading }, signal)) as ParsedReply | PageProblem | undefined;
}

/** What the protocol parses from the original reply. */
function textFor({ id }: Protocol, reply: ReplyEntry): string {
  return id === 'native' ? recordedText(reply) : reply.raw;
}
