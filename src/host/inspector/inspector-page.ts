import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { never } from '../../base/never';
import {
  InspectorToHost,
  type HostToInspector,
  type InspectedReply,
  type InspectedRequest,
  type InspectorSection,
} from '../../contract/inspector';
import { CallIds } from '../../core/call-ids';
import { parseReply } from '../../core/parse-reply';
import type { Protocol } from '../../core/protocol';
import { parserOptions, type GivenReply } from '../../core/reply';
import { findReply, type ReplyRef } from '../../core/reply-ref';
import type { ReplyEntry } from '../../core/transcript';
import { inspectorPanel } from '../../manifest/views';
import { replyDeltas } from '../../models/reply-deltas';
import { protocolNames } from '../../protocols/names';
import { redacted } from '../../sessions/redacted';
import { confirmRewind } from '../confirm-rewind';
import { recordedText } from '../lab/recorded-replies';
import { loadProtocol } from '../load-protocol';
import { pageHtml } from '../page-html';
import {
  callsOf,
  inspectedBody,
  inspectedMessage,
  json,
  readingOf,
  readingOfParsed,
  type RequestBody,
} from './inspected-reply';
import type { InspectorParts } from './inspector-window';
import { renderedRequest, renderedResults, startOf } from './rendered-request';
import { replyKey, type SentRequest } from './request-log';
import { withoutKeys } from './without-keys';

/** What the user wants to go on with: a reply of that text, read in the form of a protocol. */
interface HeldReading {
  readonly id: number;
  readonly protocol: Protocol;
  readonly text: string;
}

/** One load of the page: what it shows of one reply, and what it does with it. */
export class InspectorPage implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private isReady = false;
  private reading: HeldReading | undefined;
  /** What the page shows as the request, and what that was made for. */
  private request: { readonly made: object; readonly shown: InspectedRequest } | undefined;
  private isLost = false;
  /** The number of the mended reply that is about to begin: it is shown then. */
  private awaited: number | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly parts: InspectorParts,
    private ref: ReplyRef,
  ) {
    this.store.add(webview.onDidReceiveMessage((message: unknown) => this.receive(message)));
    const title = vscode.l10n.t(inspectorPanel.title);
    webview.html = pageHtml(webview, parts.context.extensionUri, { name: 'inspector', title });
  }

  show(reply: ReplyRef): void {
    this.ref = reply;
    this.reading = undefined;
    this.awaited = undefined;
    this.isLost = false;
    this.update();
  }

  /** The conversation has another reply than the one that is shown. */
  lose(): void {
    this.isLost = true;
    this.reading = undefined;
    this.awaited = undefined;
    this.post({ type: 'gone' });
  }

  /** Shows the reply as it is now. */
  update(): void {
    const { awaited } = this;
    const { replies } = this.parts.conversation.session.transcript;
    if (awaited !== undefined && replies > awaited) return this.show({ number: awaited });
    const found = this.found();
    if (this.isReady && found) this.attempt(this.tell(found));
  }

  dispose(): void {
    this.isReady = false;
    this.store.dispose();
  }

  private receive(message: unknown): void {
    const checked = InspectorToHost.safeParse(message);
    if (!checked.success) {
      const code = checked.error.issues[0]?.code ?? '';
      this.parts.log.warn(`The inspector page sent a message of an unknown form: ${code}`);
      return;
    }
    const { data } = checked;
    switch (data.type) {
      case 'ready':
        this.isReady = true;
        return this.isLost ? this.post({ type: 'gone' }) : this.update();
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

  private found(): ReplyEntry | undefined {
    if (this.isLost) return undefined;
    return findReply(this.parts.conversation.session.transcript, this.ref)?.reply;
  }

  private async tell(reply: ReplyEntry): Promise<void> {
    const { ref } = this;
    const next = this.parts.requests.find({ ...ref, number: ref.number + 1 });
    const shown = await this.inspected(reply, next);
    if (!this.isShown(ref)) return;
    this.post({ type: 'reply', reply: shown });
    const sent = this.parts.requests.find(ref);
    const made = sent?.body ?? sent?.request ?? ref;
    if (this.request?.made !== made) {
      const request = await this.inspectedRequest(reply, sent);
      if (!this.isShown(ref)) return;
      this.request = { made, shown: request };
    }
    this.post({ type: 'request', request: this.request.shown });
  }

  private isShown(ref: ReplyRef): boolean {
    return ref === this.ref && !this.isLost;
  }

  private async inspected(reply: ReplyEntry, next: SentRequest | undefined): Promise<InspectedReply> {
    const { ref } = this;
    const { secrets } = this.parts;
    const { protocol, raw } = reply;
    const parsed = withoutKeys(readingOf(reply), raw, (text) => secrets.redact(text));
    const whyNotMended = this.whyNotMended(reply);
    const whyNotGoOn = this.whyNotGoOn();
    const used = await protocolOf(next?.request.origin.protocol ?? protocol);
    return {
      key: replyKey(ref),
      number: ref.number + 1,
      isInner: ref.callId !== undefined,
      model: this.modelOf(ref),
      protocol,
      protocols: protocolNames.map(({ id, label }) => ({ id, label })),
      isMended: reply.isMended === true,
      isOpen: reply.ended === undefined && this.parts.conversation.session.transcript.running,
      raw,
      ...(protocol === 'native' && { recorded: recordedText(reply) }),
      parsed,
      states: callsOf(reply),
      results: {
        isSent: next !== undefined,
        messages: used ? renderedResults(reply, used, next?.request).map(inspectedMessage) : [],
      },
      ...(whyNotMended !== undefined && { whyNotMended }),
      ...(whyNotGoOn !== undefined && { whyNotGoOn }),
    };
  }

  /** Only what was said in the conversation itself is told with its model. */
  private modelOf({ number, callId }: ReplyRef): string {
    const { events } = this.parts.conversation.session;
    const start = callId === undefined ? events[startOf(number, events)] : undefined;
    return start?.type === 'round-start' ? start.model : '';
  }

  private async inspectedRequest(
    reply: ReplyEntry,
    sent: SentRequest | undefined,
  ): Promise<InspectedRequest> {
    if (reply.isMended) {
      return { type: 'none', why: vscode.l10n.t('Nothing was sent for this reply: you have mended it.') };
    }
    const rendered = sent ?? (await this.renderedAnew(reply));
    if ('problem' in rendered) return { type: 'none', why: rendered.problem };
    return { type: sent ? 'sent' : 'anew', ...inspectedBody(bodyOf(rendered)) };
  }

  private async renderedAnew(reply: ReplyEntry): Promise<SentRequest | { readonly problem: string }> {
    const { conversation, prepareRun } = this.parts;
    const { number, callId } = this.ref;
    if (callId !== undefined) {
      const text =
        'The requests of a sub-agent are kept only for a while, and only in the window they were made in.';
      return { problem: vscode.l10n.t(text) };
    }
    const { events } = conversation.session;
    const setup = await prepareRun();
    if ('problem' in setup) return setup;
    const protocol = await protocolOf(reply.protocol);
    if (!protocol) return { problem: noProtocol(reply.protocol) };
    return { request: renderedRequest(events, number, protocol, setup) };
  }

  private async copy(section: InspectorSection): Promise<void> {
    const reply = this.found();
    if (!reply) return;
    const text = await this.textOf(section, reply);
    await vscode.env.clipboard.writeText(text);
    this.post({ type: 'note', text: vscode.l10n.t('Copied.') });
  }

  private async textOf(section: InspectorSection, reply: ReplyEntry): Promise<string> {
    const { requests, secrets } = this.parts;
    const clean = (value: unknown): string => json(redacted(value, (text) => secrets.redact(text)));
    switch (section) {
      case 'request': {
        if (reply.isMended) return '';
        const rendered = requests.find(this.ref) ?? (await this.renderedAnew(reply));
        if ('problem' in rendered) return '';
        return clean(bodyOf(rendered));
      }
      case 'reply':
        return secrets.redact(reply.raw);
      case 'calls': {
        const states = new Map(callsOf(reply).map((each) => [each.id, each]));
        const { calls, warnings } = readingOf(reply);
        return clean({ calls: calls.map((each) => ({ ...each, ...states.get(each.id) })), warnings });
      }
      case 'results': {
        const next = requests.find({ ...this.ref, number: this.ref.number + 1 })?.request;
        const used = await protocolOf(next?.origin.protocol ?? reply.protocol);
        return used ? clean(renderedResults(reply, used, next)) : '';
      }
      default:
        return never(section);
    }
  }

  private async read({ id, protocol: wanted, text }: PageReading): Promise<void> {
    const reply = this.found();
    const protocol = await protocolOf(wanted);
    if (!reply || !protocol || (text !== undefined && this.whyNotMended(reply) !== undefined)) return;
    const setup = await this.parts.prepareRun();
    if ('problem' in setup) {
      this.post({ type: 'note', text: setup.problem });
      return;
    }
    const written = text ?? textFor(protocol, reply);
    const config = setup.config();
    const tools = config.enabled ? setup.tools.offered(config) : [];
    const { ids: _, ...options } = parserOptions(
      { tools: setup.tools, ids: new CallIds() },
      { config, tools },
    );
    const parsed = parseReply(protocol, replyDeltas(protocol.id, written, 0), options);
    this.reading = { id, protocol, text: written };
    const redact = (each: string): string => this.parts.secrets.redact(each);
    this.post({ type: 'reading', id, reading: withoutKeys(readingOfParsed(parsed), parsed.raw, redact) });
  }

  /** What goes on is what was read last and shown, and asks as everything does. */
  private async goOn(id: number): Promise<void> {
    const { conversation, checkpoints } = this.parts;
    const { session } = conversation;
    const { reading } = this;
    if (reading?.id !== id) return;
    const entry = this.entry();
    const why = this.whyNotGoOn();
    if (why !== undefined) {
      this.post({ type: 'note', text: why });
      return;
    }
    if (!(await confirmRewind(entry, { conversation, checkpoints }))) return;
    // The user may have gone on in another way while a question was open.
    if (conversation.session !== session || entry !== this.entry() || session.transcript.running) return;
    const { protocol, text } = reading;
    const given: GivenReply = { protocol, deltas: [...replyDeltas(protocol.id, text, 0)] };
    this.awaited = session.transcript.replies;
    void session.mend(entry, given);
  }

  private async openLab(id: number | undefined): Promise<void> {
    const reply = this.found();
    if (!reply) return;
    const reading = this.reading?.id === id ? this.reading : undefined;
    const protocol = reading?.protocol ?? (await protocolOf(reply.protocol));
    if (!protocol) {
      this.post({ type: 'note', text: noProtocol(reply.protocol) });
      return;
    }
    const text = reading?.text ?? textFor(protocol, reply);
    const name = vscode.l10n.t('reply {0} of the conversation', this.ref.number + 1);
    const clean = this.parts.secrets.redact(text);
    await this.parts.lab.open({ name, reply: clean, protocol: protocol.id });
  }

  /** Where the reply stands in the conversation; -1 where it is no part of it. */
  private entry(): number {
    const { number, callId } = this.ref;
    if (callId !== undefined) return -1;
    const { entries } = this.parts.conversation.session.transcript;
    return entries.findIndex((entry) => entry.type === 'reply' && entry.number === number);
  }

  /** The page would give back a text without the key. */
  private whyNotMended({ raw }: ReplyEntry): string | undefined {
    if (this.parts.secrets.redact(raw) === raw) return undefined;
    return vscode.l10n.t(
      'This reply holds what looks like a key, which is not shown here. It can be read in another form, but not be mended.',
    );
  }

  private whyNotGoOn(): string | undefined {
    const { running } = this.parts.conversation.session.transcript;
    if (this.ref.callId !== undefined) {
      return vscode.l10n.t(
        'A sub-agent has said this. Only a reply of the conversation itself can be gone on with.',
      );
    }
    if (this.entry() < 0) {
      return vscode.l10n.t('This reply was left out of the conversation, which goes on without it.');
    }
    return running ? vscode.l10n.t('A run goes on. Stop it first, or wait for its end.') : undefined;
  }

  /** What a click has begun nobody waits for: what breaks is logged and said. */
  private attempt(action: Promise<unknown>): void {
    action.catch((error: unknown) => {
      this.parts.log.error(error instanceof Error ? error : String(error));
      this.post({ type: 'note', text: vscode.l10n.t('That did not work. The log says why.') });
    });
  }

  /** The one way to the page: no key takes it. */
  private post(message: HostToInspector): void {
    if (!this.isReady) return;
    void this.webview.postMessage(redacted(message, (text) => this.parts.secrets.redact(text)));
  }
}

type PageReading = Extract<InspectorToHost, { type: 'read' }>;

/** What the protocol reads of the reply as it was. */
function textFor({ id }: Protocol, reply: ReplyEntry): string {
  return id === 'native' && reply.protocol === 'native' ? recordedText(reply) : reply.raw;
}

/** A session may have been held in a protocol that there is no more. */
async function protocolOf(id: string): Promise<Protocol | undefined> {
  const name = protocolNames.find((each) => each.id === id);
  return name && loadProtocol(name);
}

function noProtocol(id: string): string {
  return vscode.l10n.t('There is no protocol "{0}" in this version of Parley.', id);
}

/** Where no endpoint has told what it was sent: what that was made from. */
function bodyOf({ request, body }: SentRequest): RequestBody {
  const { messages, tools, stop } = request;
  return body ?? { messages, ...(tools && { tools }), ...(stop && { stop }) };
}
