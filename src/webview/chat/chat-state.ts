import { signal } from '@preact/signals';
import { never } from '../../base/never';
import type { ChatToHost, HostToChat, MessageContext, PathCompletion, Pickers } from '../../contract/chat';
import { appendEvent } from '../../core/events';
import type { AgentEvent } from '../../core/events';
import { foldEvents } from '../../core/fold-events';
import { emptyTranscript } from '../../core/transcript';
import type { Transcript } from '../../core/transcript';
import type { PageHost } from '../shared/page-host';

/** What survives a reload of the page without the host. */
export interface SavedState {
  readonly draft: string;
  /** The message that is on its way, and how many the conversation had before it. */
  readonly sending?: { readonly text: string; readonly before: number };
}

/** What the host has told. */
export interface Shown {
  /** Counts the conversations: another number, another conversation. */
  readonly session: number;
  readonly transcript: Transcript;
  readonly pickers: Pickers;
}

export interface Completions {
  readonly id: number;
  readonly items: readonly PathCompletion[];
}

type Answer = Extract<ChatToHost, { type: 'decide' }>['answer'];

/** All that the page knows. Events are folded once a frame, however many arrive. */
export class ChatState {
  /** `undefined` until the host has answered `ready`. */
  readonly shown = signal<Shown | undefined>(undefined);
  /** `false` in Restricted Mode. */
  readonly isTrusted = signal(true);
  /** What stands in the message box. */
  readonly draft = signal('');
  /** The message that is on its way, until its run begins: what it names is being read. */
  readonly sending = signal<string | undefined>(undefined);
  /** What goes along with the next message by itself. */
  readonly context = signal<MessageContext>({ items: [], withEditor: true });
  /** The paths that fit the last question the host has answered. */
  readonly completions = signal<Completions>({ id: 0, items: [] });
  /** Grows when the message box should take the focus. */
  readonly focusRequests = signal(0);
  /** Texts of the editor for the message box, which knows where its caret is. */
  readonly insertions = signal<readonly string[]>([]);
  /** Grows with every answer to a waiting call: what is below it moves. */
  readonly answers = signal(0);
  private arrived: AgentEvent[] = [];
  private asked = 0;
  /** Of the page before this one; what has become of it the host says at the start. */
  private left: SavedState['sending'];
  private saved: SavedState;

  constructor(private readonly host: PageHost<ChatToHost, SavedState>) {
    this.saved = host.getState() ?? { draft: '' };
    this.left = this.saved.sending;
    this.draft.value = this.saved.draft;
    this.sending.value = this.left?.text;
  }

  post(message: ChatToHost): void {
    this.host.postMessage(message);
  }

  send(text: string): void {
    this.sending.value = text;
    this.draft.value = '';
    this.save({ draft: '', sending: { text, before: messagesIn(this.shown.value).length } });
    this.post({ type: 'send', text });
  }

  /** Asks for paths that fit; `completions` has them when it carries the number that this returns. */
  complete(query: string, only: PathCompletion['type'] | undefined): number {
    this.asked += 1;
    this.post({ type: 'complete', id: this.asked, query, ...(only && { only }) });
    return this.asked;
  }

  decide(callId: string, answer: Answer): void {
    this.answers.value += 1;
    this.post({ type: 'decide', callId, answer });
  }

  answer(callId: string, text: string): void {
    this.answers.value += 1;
    this.post({ type: 'answer', callId, text });
  }

  write(draft: string): void {
    this.draft.value = draft;
    this.save({ ...this.saved, draft });
  }

  requestFocus(): void {
    this.focusRequests.value += 1;
  }

  receive(message: HostToChat): void {
    switch (message.type) {
      case 'init':
        this.start(message);
        return;
      case 'events':
        if (this.arrived.length === 0) requestAnimationFrame(() => this.foldArrived());
        for (const event of message.events) appendEvent(this.arrived, event);
        return;
      case 'pickers':
        if (this.shown.value) this.shown.value = { ...this.shown.value, pickers: message.pickers };
        return;
      case 'trust':
        this.isTrusted.value = message.isTrusted;
        return;
      case 'context':
        this.context.value = message.context;
        return;
      case 'completions':
        this.completions.value = { id: message.id, items: message.items };
        return;
      case 'unsent':
        this.putBack(message.text);
        return;
      case 'insert':
        this.insertions.value = [...this.insertions.value, message.text];
        return;
      case 'focus':
        this.requestFocus();
        return;
      default:
        return never(message);
    }
  }

  private start({ events, pickers, sending, unsent }: Extract<HostToChat, { type: 'init' }>): void {
    this.arrived = [];
    const joined: AgentEvent[] = [];
    for (const event of events) appendEvent(joined, event);
    const session = (this.shown.value?.session ?? 0) + 1;
    this.shown.value = fold({ session, transcript: emptyTranscript, pickers }, joined);
    const { left } = this;
    this.left = undefined;
    if (sending !== undefined) this.sending.value = sending;
    else if (unsent !== undefined) this.putBack(unsent);
    else if (left && !messagesIn(this.shown.value).slice(left.before).includes(left.text))
      this.putBack(left.text);
    else this.endSending();
  }

  private foldArrived(): void {
    if (this.arrived.some(({ type }) => type === 'run-start')) this.endSending();
    if (this.shown.value) this.shown.value = fold(this.shown.value, this.arrived);
    this.arrived = [];
  }

  private putBack(text: string): void {
    this.endSending();
    // Nothing of what was written since is lost either.
    this.write([text, this.draft.value].filter(Boolean).join('\n'));
  }

  private endSending(): void {
    this.sending.value = undefined;
    this.save({ draft: this.draft.value });
  }

  private save(state: SavedState): void {
    this.saved = state;
    this.host.setState(state);
  }
}

function messagesIn(shown: Shown | undefined): readonly string[] {
  return (shown?.transcript.entries ?? []).flatMap((entry) => (entry.type === 'user' ? [entry.text] : []));
}

function fold(shown: Shown, events: readonly AgentEvent[]): Shown {
  return { ...shown, transcript: foldEvents(events, shown.transcript) };
}
