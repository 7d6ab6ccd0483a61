import { signal } from '@preact/signals';
import { never } from '../../base/never';
import type { CallAnswer } from '../../contract/calls';
import type {
  ChatToHost,
  HostToChat,
  MessageContext,
  OutboxState,
  PastedImage,
  ServersOffer,
  SkillName,
  Starters,
  Unsent,
} from '../../contract/chat';
import type { DraftType } from '../../core/mentions';
import type { SlashCommand } from '../../core/slash-commands';
import { foldEvents } from '../../core/transcript/fold-events';
import { isAmong, type EarlierMessage } from '../../core/transcript/references';
import { emptyTranscript, type Entry } from '../../core/transcript/transcript';
import { appendEvent, type AgentEvent } from '../../core/words/events';
import type { CallHost } from '../shared/calls/call-context';
import type { PageHost } from '../shared/page-host';
import { chime } from './chime';
import { FrameFeed } from './frame-feed';
import {
  isOf,
  KeptLook,
  lostMessages,
  savedState,
  type Changing,
  type Editing,
  type SavedState,
} from './saved-state';
import type { Completions, Shown } from './shown';

type QueueChange = Extract<ChatToHost, { type: 'queue' }>['change'];

const EMPTY: OutboxState = { queued: [], isWaiting: false };

/** All that the page knows. Events are folded once a frame, and no more of them than a frame can draw. */
export class ChatState implements CallHost {
  /** `undefined` until the host has answered `ready`. */
  readonly shown = signal<Shown | undefined>(undefined);
  /** `false` in Restricted Mode. */
  readonly isTrusted = signal(true);
  /** What stands in the message box. */
  readonly draft = signal('');
  /** The messages whose runs have not begun. */
  readonly outbox = signal<OutboxState>(EMPTY);
  /** What a message may begin with, besides our own commands. */
  readonly skills = signal<readonly SkillName[]>([]);
  /** What MCP servers have for a message. */
  readonly servers = signal<ServersOffer>({ prompts: [], hasResources: false });
  readonly isHelpOpen = signal(false);
  /** What was pasted for the next message. */
  readonly images = signal<readonly PastedImage[]>([]);
  /** A sentence about what was just done with the message. */
  readonly note = signal('');
  /** The message box holds an earlier message. */
  readonly editing = signal<Editing | undefined>(undefined);
  /** Of the queue. */
  readonly changing = signal<Changing | undefined>(undefined);
  /** What goes along with the next message by itself. */
  readonly context = signal<MessageContext>({ items: [], withEditor: true });
  /** What fits the last question the host has answered. */
  readonly completions = signal<Completions>({ id: 0, items: [] });
  /** What the greeting offers; `undefined` until the host has looked. */
  readonly starters = signal<Starters | undefined>(undefined);
  /** Grows when the message box should take the focus. */
  readonly focusRequests = signal(0);
  /** Texts for the message box, which knows where its caret is. */
  readonly insertions = signal<readonly string[]>([]);
  /** Grows with every answer to a waiting call: what is below it moves. */
  readonly answers = signal(0);
  private readonly offeredAt = signal<string | undefined>(undefined);
  readonly sandboxOffer = {
    callId: this.offeredAt,
    choose: (choice: 'set-up' | 'decline'): void => {
      this.answers.value += 1;
      this.offeredAt.value = undefined;
      this.post({ type: 'sandbox-offer', choice });
    },
  };
  private readonly feed = new FrameFeed((events) => this.fold(events));
  private asked = 0;
  private reading: Promise<void> = Promise.resolve();
  /** What was unfolded and half written in the conversation, and where in it the user is. */
  readonly look: KeptLook;
  /** Of the page before this one; what has become of it the host says at the start. */
  private left: SavedState | undefined;

  constructor(private readonly host: PageHost<ChatToHost, SavedState>) {
    this.left = host.getState();
    this.draft.value = this.left?.draft ?? '';
    this.editing.value = this.left?.editing;
    this.look = new KeptLook(this.left?.conversation, () => this.save());
  }

  post(message: ChatToHost): void {
    this.host.postMessage(message);
  }

  /** What was written instead of a message. */
  run(command: SlashCommand): void {
    this.write('');
    if (command === 'help') this.isHelpOpen.value = true;
    else this.post({ type: 'run-command', command });
  }

  /** Hands it to the host. While a run goes on it waits for the end of that, or interrupts it. */
  send(text: string, { interrupts = false } = {}): void {
    const { editing } = this;
    const instead = editing.value?.message;
    this.draft.value = editing.value?.draft ?? '';
    this.note.value = '';
    editing.value = undefined;
    const { sending, queued, isWaiting } = this.outbox.value;
    const isBusy = sending !== undefined || this.shown.value?.transcript.running === true;
    // Until the host says under which number; the page must not lose it before.
    const added = { id: -1, text, images: 0 };
    this.outbox.value = isBusy
      ? { ...this.outbox.value, queued: interrupts ? [added, ...queued] : [...queued, added] }
      : { sending: text, queued, isWaiting };
    this.save();
    const message = { text, ...(instead && { instead }), ...(interrupts && { interrupts }) };
    void this.reading.finally(() => this.post({ type: 'send', ...message }));
  }

  /** Reads something for the next message, one after another; a message that is sent meanwhile waits for it. */
  read(file: () => Promise<void>): void {
    this.reading = this.reading.then(file, file);
  }

  /** Puts an earlier message into the message box, to go on from there. */
  edit(message: EarlierMessage, text = message.text): void {
    this.editing.value = { message, draft: this.editing.value?.draft ?? this.draft.value };
    this.write(text);
    this.requestFocus();
  }

  stopEditing(): void {
    const { draft } = this.editing.value ?? {};
    this.editing.value = undefined;
    this.write(draft ?? '');
    this.requestFocus();
  }

  changeQueue(change: QueueChange): void {
    this.post({ type: 'queue', change });
  }

  /** Begins to change a queued message, or goes on with it. */
  changeQueued(changing: Changing): void {
    const isNew = this.changing.value?.id !== changing.id;
    this.changing.value = changing;
    if (isNew) this.changeQueue({ type: 'hold', id: changing.id });
    this.save();
  }

  /** The message is as it was, or as it was written now. */
  endChange({ isKept }: { readonly isKept: boolean }): void {
    const changed = this.changing.value;
    if (!changed) return;
    this.changing.value = undefined;
    const isOther = isKept && changed.text.trim() !== '';
    this.changeQueue({ type: 'release', id: changed.id, ...(isOther && { text: changed.text }) });
    this.save();
  }

  /** Asks for what fits; `completions` has it when it carries the number that this returns. */
  complete(query: string, only: DraftType | undefined): number {
    this.asked += 1;
    this.post({ type: 'complete', id: this.asked, query, ...(only && { only }) });
    return this.asked;
  }

  decide(callId: string, answer: CallAnswer): void {
    this.answers.value += 1;
    this.post({ type: 'decide', callId, answer });
  }

  answer(callId: string, text: string): void {
    this.answers.value += 1;
    this.post({ type: 'answer', callId, text });
  }

  showDiff(callId: string): void {
    this.post({ type: 'show-diff', callId });
  }

  write(draft: string): void {
    this.draft.value = draft;
    this.note.value = '';
    this.save();
  }

  /** Says something about what was just done with the message. */
  say(note: string): void {
    this.note.value = note;
  }

  requestFocus(): void {
    this.focusRequests.value += 1;
  }

  receive(message: HostToChat): void {
    switch (message.type) {
      case 'init':
        return this.start(message);
      case 'events':
        this.feed.add(message.events);
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
        return this.putBack(message);
      case 'outbox':
        // A message that runs is one of the events before.
        this.feed.then(() => {
          this.outbox.value = message.outbox;
          this.save();
        });
        return;
      case 'skills':
        this.skills.value = message.skills;
        return;
      case 'servers':
        this.servers.value = message.servers;
        return;
      case 'starters':
        this.starters.value = message.starters;
        return;
      case 'images':
        this.images.value = message.images;
        return;
      case 'note':
        return this.say(message.text);
      case 'insert':
        this.insertions.value = [...this.insertions.value, message.text];
        return;
      case 'sandbox-offer':
        this.offeredAt.value = message.callId;
        return;
      case 'focus':
        return this.requestFocus();
      case 'chime':
        return void chime();
      default:
        return never(message);
    }
  }

  private start({ events, pickers, outbox, images, unsent }: Extract<HostToChat, { type: 'init' }>): void {
    this.feed.clear();
    const joined: AgentEvent[] = [];
    for (const event of events) appendEvent(joined, event);
    const session = (this.shown.value?.session ?? 0) + 1;
    this.shown.value = fold({ session, transcript: emptyTranscript, pickers }, joined);
    const { editing } = this;
    // It may have been one of another conversation.
    if (editing.value && (session > 1 || !this.isShown(editing.value.message)))
      this.keepEdited(editing.value);
    this.outbox.value = outbox;
    this.images.value = images;
    const { left } = this;
    this.left = undefined;
    if (session > 1 || !isOf(left, this.entries)) this.look.clear();
    const lost = lostMessages(left, this.entries, { outbox, unsent });
    if (unsent) this.putBack(unsent);
    this.putBackChanged(left?.changing ?? this.changing.value, lost);
    this.save();
  }

  private fold(arrived: readonly AgentEvent[]): void {
    if (arrived.some(({ type }) => type === 'run-start')) this.endSending();
    const rewinds = arrived.filter((event) => event.type === 'rewind');
    for (const { entry } of rewinds) this.look.dropFrom(entry);
    if (this.shown.value) this.shown.value = fold(this.shown.value, arrived);
    if (rewinds.length > 0) this.save();
  }

  private putBack({ text, instead }: Unsent): void {
    this.endSending();
    if (instead && !this.editing.value && this.isShown(instead)) return this.edit(instead, text);
    // Nothing of what was written since is lost either.
    this.write([text, this.draft.value].filter(Boolean).join('\n'));
  }

  /** What was being changed in the queue is changed on there; where it waits no more, it goes where it would have gone. */
  private putBackChanged(changing: Changing | undefined, lost: readonly string[]): void {
    this.changing.value = undefined;
    const waits = this.outbox.value.queued.some(
      ({ id, text }) => id === changing?.id && text === changing.was,
    );
    const written = changing && !waits && changing.text !== changing.was ? changing : undefined;
    const others = lost.filter((text) => text !== written?.was);
    const texts = [...(written ? [written.text] : []), ...others];
    if (texts.length > 0) this.putBack({ text: texts.join('\n') });
    if (changing && waits) this.changeQueued(changing);
  }

  /** Nothing of what was written is lost; only what it was to replace is. */
  private keepEdited({ message, draft }: Editing): void {
    this.editing.value = undefined;
    const changed = this.draft.value === message.text ? '' : this.draft.value;
    this.write([changed, draft].filter(Boolean).join('\n'));
  }

  private isShown(message: EarlierMessage): boolean {
    return isAmong(message, this.entries);
  }

  private endSending(): void {
    const { sending: _, ...others } = this.outbox.value;
    this.outbox.value = others;
    this.save();
  }

  private save(): void {
    this.host.setState(
      savedState({
        entries: this.entries,
        place: this.look.place,
        look: this.look.saved,
        draft: this.draft.value,
        outbox: this.outbox.value,
        editing: this.editing.value,
        changing: this.changing.value,
      }),
    );
  }

  private get entries(): readonly Entry[] {
    return this.shown.value?.transcript.entries ?? [];
  }
}

function fold(shown: Shown, events: readonly AgentEvent[]): Shown {
  return { ...shown, transcript: foldEvents(events, shown.transcript) };
}
