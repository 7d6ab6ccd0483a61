import * as vscode from 'vscode';
import { loadProtocol } from '../../../agent/protocol-for';
import { never } from '../../../base/never';
import { redactData } from '../../../base/redact';
import type { InspectedReply, InspectedRequest, InspectorSection } from '../../../contract/lab-requests';
import { findReply, type ReplyRef } from '../../../core/transcript/references';
import type { ReplyEntry } from '../../../core/transcript/transcript';
import type { ChatMessage } from '../../../core/words/model';
import type { Protocol } from '../../../core/words/protocol';
import { protocolNames } from '../../../protocols/names';
import type { LabParts } from './lab-parts';
import { recordedText } from './recorded-replies';
import { translated } from '../../platform/translated';
import {
  callsAndWarnings,
  inspectedBody,
  inspectedCalls,
  inspectedMessage,
  partsOf,
  prettyJson,
  redactParts,
  renderedRequest,
  renderedResults,
  startOf,
  type RequestBody,
} from './inspected-reply';
import { replyKey, type SentRequest } from '../../services/conversation/request-log';

/** Everything known about one reply of the current conversation. */
export class Inspection {
  /** The last request that was shown, and its source. */
  private made: { readonly from: object; readonly request: InspectedRequest } | undefined;

  constructor(
    private readonly parts: LabParts,
    private readonly ref: ReplyRef,
  ) {}

  /** A different key means a different reply. */
  get key(): string {
    return replyKey(this.ref);
  }

  /** The reply ended before the model was done. */
  get isCutOff(): boolean {
    const { ended } = this.reply ?? {};
    return ended !== undefined && ended !== 'stop' && ended !== 'tool-calls';
  }

  /** Nothing if it has not started. */
  get reply(): ReplyEntry | undefined {
    return findReply(this.parts.conversation.session.transcript, this.ref);
  }

  /** Counted from 1. */
  get number(): number {
    return this.ref.number + 1;
  }

  /** Its index in the conversation; -1 if it is not part of it. */
  get entry(): number {
    const { number, callId } = this.ref;
    if (callId !== undefined) return -1;
    const { entries } = this.parts.conversation.session.transcript;
    return entries.findIndex((entry) => entry.type === 'reply' && entry.number === number);
  }

  async shown(reply: ReplyEntry): Promise<InspectedReply> {
    const { ref } = this;
    const { conversation, secrets } = this.parts;
    const { protocol, raw, ended, isEdited = false, usage, timing, cacheBreak } = reply;
    const whyNotEditable = this.whyNotEditable(reply);
    const { whyNotGoOn } = this;
    const { isSent, messages } = await this.results(reply);
    return {
      key: this.key,
      number: this.number,
      isInner: ref.callId !== undefined,
      model: this.model,
      protocol,
      protocols: protocolNames.map(({ id, label }) => ({ id, label: translated(label) })),
      isEdited,
      isCutOff: this.isCutOff,
      ...(usage && { usage }),
      ...(timing && { timing }),
      ...(cacheBreak && { cacheBreak }),
      isOpen: ended === undefined && conversation.session.transcript.running,
      raw,
      ...(protocol === 'native' && { recorded: recordedText(reply) }),
      parsed: redactParts(partsOf(reply), raw, (text) => secrets.redact(text)),
      states: inspectedCalls(reply),
      results: { isSent, messages: messages.map(inspectedMessage) },
      ...(whyNotEditable !== undefined && { whyNotEditable }),
      ...(whyNotGoOn !== undefined && { whyNotGoOn }),
    };
  }

  /** The request sent to the model. */
  async request(reply: ReplyEntry): Promise<InspectedRequest> {
    if (reply.isEdited) {
      return {
        type: 'none',
        why: vscode.l10n.t('No request was sent for this reply because you edited it.'),
      };
    }
    const sent = this.parts.requests.find(this.ref);
    // The body is reported shortly after the request.
    const from = sent?.body ?? sent?.request ?? this.ref;
    if (this.made?.from === from) return this.made.request;
    const rendered = sent ?? (await this.renderedAnew(reply));
    const request: InspectedRequest =
      'problem' in rendered
        ? { type: 'none', why: rendered.problem }
        : { type: sent ? 'sent' : 'anew', ...inspectedBody(bodyOf(rendered)) };
    this.made = { from, request };
    return request;
  }

  /** A part of it for the clipboard, without keys. */
  async textOf(section: InspectorSection, reply: ReplyEntry): Promise<string> {
    const { requests, secrets } = this.parts;
    const clean = (value: unknown): string => prettyJson(redactData(value, (text) => secrets.redact(text)));
    switch (section) {
      case 'request': {
        const rendered = requests.find(this.ref) ?? (await this.renderedAnew(reply));
        return 'problem' in rendered ? rendered.problem : clean(bodyOf(rendered));
      }
      case 'reply':
        return secrets.redact(reply.raw);
      case 'calls':
        return clean(callsAndWarnings(reply));
      case 'results':
        return clean((await this.results(reply)).messages);
      default:
        return never(section);
    }
  }

  /** The page would return a text without the key. */
  whyNotEditable({ raw }: ReplyEntry): string | undefined {
    if (this.parts.secrets.redact(raw) === raw) return undefined;
    return vscode.l10n.t(
      'This reply contains what looks like a key, which is hidden here. You can parse it as another protocol, but not edit it.',
    );
  }

  get whyNotGoOn(): string | undefined {
    const { running } = this.parts.conversation.session.transcript;
    if (this.ref.callId !== undefined) {
      return vscode.l10n.t(
        'This reply is from a sub-agent. You can continue only with replies of the conversation itself.',
      );
    }
    if (this.entry < 0) {
      return vscode.l10n.t('This reply was removed from the conversation.');
    }
    return running ? vscode.l10n.t('A run is in progress. Stop it first, or wait until it ends.') : undefined;
  }

  /** Only the conversation itself records the model. */
  private get model(): string {
    const { number, callId } = this.ref;
    const { events } = this.parts.conversation.session;
    const start = callId === undefined ? events[startOf(number, events)] : undefined;
    return start?.type === 'round-start' ? start.model : '';
  }

  private async renderedAnew(reply: ReplyEntry): Promise<SentRequest | { readonly problem: string }> {
    const { conversation, prepareRun } = this.parts;
    const { number, callId } = this.ref;
    if (callId !== undefined) {
      const text = 'Requests of sub-agents are kept only for a while, and only in the window that sent them.';
      return { problem: vscode.l10n.t(text) };
    }
    const { events } = conversation.session;
    // Nothing runs that could be stopped.
    const setup = await prepareRun(new AbortController().signal, { isPreview: true });
    if ('problem' in setup) return setup;
    const protocol = await protocolOf(reply.protocol);
    if (!protocol) return { problem: noProtocol(reply.protocol) };
    return { request: renderedRequest(events, number, protocol, setup) };
  }

  private async results(
    reply: ReplyEntry,
  ): Promise<{ readonly isSent: boolean; readonly messages: readonly ChatMessage[] }> {
    const next = this.parts.requests.find({ ...this.ref, number: this.ref.number + 1 })?.request;
    const protocol = await protocolOf(next?.origin.protocol ?? reply.protocol);
    return protocol ? renderedResults(reply, protocol, next) : { isSent: false, messages: [] };
  }
}

/** A session may use a protocol that no longer exists. */
export async function protocolOf(id: string): Promise<Protocol | undefined> {
  const name = protocolNames.find((each) => each.id === id);
  return name && loadProtocol(name);
}

export function noProtocol(id: string): string {
  return vscode.l10n.t('There is no protocol "{0}" in this version of Parley.', id);
}

/** If no endpoint reported the body: what it was made from. */
function bodyOf({ request, body }: SentRequest): RequestBody {
  const { messages, tools, stop } = request;
  return body ?? { messages, ...(tools && { tools }), ...(stop && { stop }) };
}
