import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { limits } from '../../base/limits';
import { never } from '../../base/never';
import { redactData } from '../../base/redact';
import { InspectorToHost, type HostToInspector, type InspectorSection } from '../../contract/inspector';
import type { PageProblem } from '../../contract/lab-parse';
import type { GivenReply } from '../../core/run/agent-options';
import { CallIds } from '../../core/run/call-ids';
import { parseReply, type ParsedReply } from '../../core/run/parse-reply';
import { parserOptions } from '../../core/run/reply';
import type { RunSetup } from '../../core/session';
import type { ReplyRef } from '../../core/transcript/references';
import type { ReplyEntry } from '../../core/transcript/transcript';
import type { Protocol } from '../../core/words/protocol';
import { inspectorPanel } from '../../manifest/views';
import { replyDeltas } from '../../models/chat-chunks';
import { tellBusy } from '../chat/conversation';
import { inParseThread } from '../lab/in-parse-thread';
import { recordedText } from '../lab/recorded-replies';
import { confirmRewind } from '../sessions/checkpoints';
import { pageHtml } from '../window/page-html';
import { readingOfParsed, redactReading } from './inspected-reply';
import { Inspection, noProtocol, protocolOf, type InspectorParts } from './inspection';
import { replyKey } from './request-log';

/** What the user wants to go on with: a reply of that text, read in the form of a protocol. */
interface HeldReading {
  readonly id: number;
  readonly protocol: Protocol;
  readonly text: string;
  /** The user has written it; else it is the reply as it was. */
  readonly isEdited: boolean;
}

/** One load of the page: it shows one reply, and does what the user wants done with it. */
export class InspectorPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private isReady = false;
  /** Nothing once another session is shown. */
  private inspection: Inspection | undefined;
  private reading: HeldReading | undefined;
  /** The reading that the page has asked for last. */
  private asked: number | undefined;
  private parsing = new AbortController();
  /** The number of the mended reply that is about to begin: it is shown then. */
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
    // What was read of it is still what the page shows.
    if (this.inspection?.key === replyKey(reply)) return this.update();
    this.inspection = new Inspection(this.parts, reply);
    this.reading = undefined;
    this.awaited = undefined;
    this.update();
  }

  /** Another session is shown, which has another reply of that name. */
  lose(): void {
    this.inspection = undefined;
    this.reading = undefined;
    this.awaited = undefined;
    this.update();
  }

  /** Shows the reply as it is now. */
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

  /** A key that nobody has asked for in this window is one, too. */
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

  /** What goes on is what was read last and shown, and asks as everything does. */
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
    // The user may have gone on in another way while a question was open.
    if (conversation.session !== session || inspection.entry !== entry) return;
    if (session.isBusy) {
      tellBusy(session);
      return;
    }
    const { protocol, text } = reading;
    const given: GivenReply = { protocol, deltas: [...replyDeltas(protocol.id, text, 0)] };
    this.awaited = session.transcript.replies;
    void session.replaceReply(entry, given).finally(() => {
      // One that did not begin leaves nothing to wait for.
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

  /** What a click has begun nobody waits for: what breaks is logged and said. */
  private attempt(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      this.parts.output.error(error);
      this.post({ type: 'note', text: vscode.l10n.t('Something went wrong. See the log for details.') });
    });
  }

  /** The one way to the page: no key takes it. */
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

/** Reads it as a run would now. A long one is read in a thread; nothing where nobody waits for it any more. */
async function parsedNow(
  { protocol, text, setup }: Written,
  signal: AbortSignal,
): Promise<ParsedReply | PageProblem | undefined> {
  const config = setup.config();
  const offered = config.enabled ? setup.tools.offered(config) : [];
  const options = parserOptions({ tools: setup.tools, ids: new CallIds() }, { config, tools: offered });
  if (text.length <= limits.editedInPlaceCharacters) {
    return parseReply(protocol, replyDeltas(protocol.id, text, 0), options);
  }
  const { strictness, recovery } = config;
  const tools = offered.map(({ spec }) => spec);
  const how = { chunk: 0, tools, strictness, recover: recovery !== 'text' };
  const reading = { reply: text, protocol: protocol.id, ...how };
  // SAFETY: this is what a job of that type gives.
  return (await inParseThread({ type: 'parts', reading }, signal)) as ParsedReply | PageProblem | undefined;
}

/** What the protocol reads of the reply as it was. */
function textFor({ id }: Protocol, reply: ReplyEntry): string {
  return id === 'native' ? recordedText(reply) : reply.raw;
}
