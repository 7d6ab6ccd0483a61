import * as vscode from 'vscode';
import { DisposableStore, Emitter } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import type { LabAnswers } from '../../../contract/lab';
import type { OpenedReply, PageProblem } from '../../../contract/lab-parse';
import type { InspectorSection, RequestsToHost } from '../../../contract/lab-requests';
import type { EditedReply, RunSetup } from '../../../core/run/agent-options';
import { CallIds } from '../../../core/reply/call-ids';
import { parseReply, type ParsedReply } from '../../../core/reply/parse-reply';
import { parserOptions } from '../../../core/run/round';
import type { ReplyRef } from '../../../core/transcript/references';
import type { ReplyEntry } from '../../../core/transcript/transcript';
import type { AgentEvent } from '../../../core/words/events';
import type { Protocol } from '../../../core/words/protocol';
import { replyDeltas } from '../../../models/recorded-reply';
import { tellBusy } from '../../services/conversation/conversation';
import { foundParts, redactParts } from './inspected-reply';
import { Inspection, noProtocol, protocolOf } from './inspection';
import { replyKey } from '../../services/conversation/request-log';
import { confirmRewind } from '../../services/sessions/checkpoints';
import { inParseThread } from './in-parse-thread';
import type { LabParts } from './lab-parts';
import { recordedText } from './recorded-replies';

/** The reply to continue with: its text, and the protocol to parse it with. */
interface Continuation {
  /** Number of the request that parsed it. */
  readonly id: number;
  readonly protocol: Protocol;
  readonly text: string;
  /** The user edited it; else it is the original reply. */
  readonly isEdited: boolean;
}

/** The reply that *Requests* shows, while the window is open, and what the user does with it. */
export class ReplyInspector implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<undefined>());
  private inspection: Inspection | undefined;
  /** Another session has replaced the one of the reply. */
  private isReplaced = false;
  private reading: Continuation | undefined;
  /** The parse that the page requested last. */
  private latest: number | undefined;
  private parsing = new AbortController();
  /** Number of the edited reply that is about to start: it is shown then. */
  private awaited: number | undefined;

  /** Fires when another reply is open, or the open one may look different. */
  readonly onChange = this.changes.event;

  constructor(private readonly parts: LabParts) {
    const { conversation } = parts;
    this.store.add(
      conversation.onEvent((event) => {
        if (changesReply(event)) this.update();
      }),
    );
    this.store.add(conversation.onReplaced(() => this.close()));
  }

  show(reply: ReplyRef): void {
    // The page still shows its parse result.
    if (this.inspection?.key !== replyKey(reply)) this.open(new Inspection(this.parts, reply));
    this.changes.fire(undefined);
  }

  /** The open reply, or a sentence about why there is none. */
  async shown(): Promise<LabAnswers['inspected-reply']> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection) return { problem: this.whyNothing };
    if (!reply) return { problem: vscode.l10n.t('This reply was removed from the conversation.') };
    await this.learnKeys();
    return inspection.shown(reply);
  }

  /** The request for the open reply. */
  async request(): Promise<LabAnswers['sent-request']> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection || !reply) return undefined;
    await this.learnKeys();
    return { key: inspection.key, request: await inspection.request(reply) };
  }

  /** `false` if no reply is open. */
  async copy(section: InspectorSection): Promise<boolean> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection || !reply) return false;
    await this.learnKeys();
    await vscode.env.clipboard.writeText(await inspection.textOf(section, reply));
    return true;
  }

  async parse({ id, protocol: wanted, text }: ParseAgain): Promise<LabAnswers['parse-again']> {
    this.latest = id;
    this.parsing.abort();
    this.parsing = new AbortController();
    const { signal } = this.parsing;
    const { inspection } = this;
    const reply = inspection?.reply;
    const protocol = await protocolOf(wanted);
    if (!inspection || !reply || !protocol) return SUPERSEDED;
    const whyNot = text === undefined ? undefined : inspection.whyNotEditable(reply);
    if (whyNot !== undefined) return { problem: whyNot };
    await this.learnKeys();
    // Nothing runs that could be stopped.
    const setup = await this.parts.prepareRun(new AbortController().signal, { isPreview: true });
    const isLate = (): boolean => inspection !== this.inspection || id !== this.latest;
    if (isLate()) return SUPERSEDED;
    if ('problem' in setup) return setup;
    const written = text ?? textFor(protocol, reply);
    const parsed = await parsedNow({ protocol, text: written, setup }, signal);
    if (!parsed || isLate()) return SUPERSEDED;
    if ('problem' in parsed) return parsed;
    this.reading = { id, protocol, text: written, isEdited: text !== undefined };
    const redact = (each: string): string => this.parts.secrets.redact(each);
    return { type: 'reading', number: id, parts: redactParts(foundParts(parsed), parsed.raw, redact) };
  }

  /** Continues with the reply parsed last; its calls ask as always. */
  async goOn(id: number): Promise<PageProblem | undefined> {
    const { conversation, checkpoints } = this.parts;
    const { session } = conversation;
    const { inspection, reading } = this;
    if (!inspection || reading?.id !== id) return undefined;
    if (!reading.isEdited && inspection.isCutOff) {
      const text = 'This reply was cut off, so its calls do not run. Edit it first.';
      return { problem: vscode.l10n.t(text) };
    }
    const { entry, whyNotGoOn } = inspection;
    if (whyNotGoOn !== undefined) return { problem: whyNotGoOn };
    if (!(await confirmRewind(entry, { conversation, checkpoints }))) return undefined;
    // The user may have continued in another way while a question was open.
    if (conversation.session !== session || inspection.entry !== entry) return undefined;
    if (session.isBusy) {
      tellBusy(session);
      return undefined;
    }
    const { protocol, text } = reading;
    const edited: EditedReply = { protocol, deltas: [...replyDeltas(protocol.id, text, 0)] };
    this.awaited = session.transcript.replies;
    void session.replaceReply(entry, edited).finally(() => {
      // A run that did not start leaves nothing to wait for.
      this.awaited = undefined;
    });
    return undefined;
  }

  /** The reply for the Parse tab: the original, or the one of that parse result. */
  async forParse(id: number | undefined): Promise<OpenedReply | PageProblem | undefined> {
    const { inspection } = this;
    const reply = inspection?.reply;
    if (!inspection || !reply) return undefined;
    const reading = this.reading?.id === id ? this.reading : undefined;
    const protocol = reading?.protocol ?? (await protocolOf(reply.protocol));
    if (!protocol) return { problem: noProtocol(reply.protocol) };
    const name = vscode.l10n.t('reply {0} in the conversation', inspection.number);
    const text = this.parts.secrets.redact(reading?.text ?? textFor(protocol, reply));
    return { name, reply: text, protocol: protocol.id };
  }

  dispose(): void {
    this.parsing.abort();
    this.store.dispose();
  }

  private get whyNothing(): string {
    return this.isReplaced
      ? vscode.l10n.t('Another session is open. Choose "Inspect" on one of its replies to inspect it.')
      : vscode.l10n.t(
          'Requests are kept in memory only, until the window is closed or reloaded. Choose "Inspect" on a reply in the chat to see it here.',
        );
  }

  private update(): void {
    const { awaited } = this;
    const { replies } = this.parts.conversation.session.transcript;
    if (awaited !== undefined && replies > awaited) this.show({ number: awaited });
    else this.changes.fire(undefined);
  }

  private open(inspection: Inspection | undefined): void {
    this.inspection = inspection;
    this.reading = undefined;
    this.awaited = undefined;
  }

  /** The new session has a different reply of that name. */
  private close(): void {
    this.isReplaced ||= this.inspection !== undefined;
    this.open(undefined);
    this.changes.fire(undefined);
  }

  /** Includes keys that were not used yet in this window. */
  private async learnKeys(): Promise<void> {
    await this.parts.secrets.learn(this.parts.settings.get('models'));
  }
}

type ParseAgain = Extract<RequestsToHost, { type: 'parse-again' }>;

const SUPERSEDED = { type: 'superseded' } as const;

/** Streaming deltas and command output are frequent, and the page shows neither. */
function changesReply(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return changesReply(event.event);
  const { type } = event;
  return !['text', 'reasoning', 'call-start', 'call-delta', 'tool-output', 'file-change'].includes(type);
}

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
