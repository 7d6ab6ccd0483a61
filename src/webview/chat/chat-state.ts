import { computed, signal } from '@preact/signals';
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
import { SeenRequests } from '../shared/calls/seen-requests';
import type { PageHost } from '../shared/page-host';
import { chime } from './chime';
import { FindState } from './find/find-state';
import { FrameFeed } from './frame-feed';
import {
  isOf,
  KeptLook,
  lostMessages,
  savedState,
  type Changing,
  type Editing,
  type SavedState,
  type Completions,
  type Shown,
} from './saved-state';

type QueueChange = Extract<ChatToHost, { type: 'queue' }>['change'];

const EMPTY: OutboxState = { queued: [], isWaiting: false };

/** State of the chat page. Events are folded once per frame, and no more of them than a frame can draw. */
export class ChatState implements CallHost {
  /** `undefined` until the host has answered `ready`. */
  readonly shown = signal<Shown | undefined>(undefined);
  /** `false` in Restricted Mode. */
  readonly isTrusted = signal(true);
  /** Text in the message box. */
  readonly draft = signal('');
  /** Messages whose runs have not started. */
  readonly outbox = signal<OutboxState>(EMPTY);
  /** What a message may begin with, besides our own commands. */
  readonly skills = signal<readonly SkillName[]>([]);
  /** Prompts and resources of MCP servers. */
  readonly servers = signal<ServersOffer>({ prompts: [], hasResources: false });
  readonly isHelpOpen = signal(false);
  /** Images pasted for the next message. */
  readonly images = signal<readonly PastedImage[]>([]);
  /** A sentence about what just happened to the message. */
  readonly note = signal('');
  /** The message box contains an earlier message. */
  readonly editing = signal<Editing | undefined>(undefined);
  /** Number of the queued message that is being edited. */
  readonly changing = signal<Changing | undefined>(undefined);
  /** Context that is sent with the next message automatically. */
  readonly context = signal<MessageContext>({ items: [], withEditor: true });
  /** Matches for the last completion request the host has answered. */
  readonly completions = signal<Completions>({ id: 0, items: [] });
  /** Tasks of the greeting; `undefined` until the host has looked for them. */
  readonly starters = signal<Starters | undefined>(undefined);
  /** Grows when the message box should take the focus. */
  readonly focusRequests = signal(0);
  /** Texts for the message box, which knows where its caret is. */
  readonly insertions = signal<readonly string[]>([]);
  /** Grows with every answer to a waiting call, because content below it moves. */
  readonly answers = signal(0);
  readonly opensPaths = true;
  /** What the user finds in the conversation. */
  readonly find = new FindState({
    entries: computed(() => this.shown.value?.transcript.entries ?? []),
    top: () => this.look.place?.entry ?? Infinity,
  });
  readonly seen = new SeenRequests();
  readonly movesOn = true;
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
  /** What the user unfolded and typed in the conversation, and the scroll position. */
  readonly look: KeptLook;
  /** State of the previous page. The host reports at the start what became of it. */
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

  /** Runs a command that was typed, which the message box then no longer needs. */
  run(command: SlashCommand): void {
    this.write('');
    if (command === 'help') this.isHelpOpen.value = true;
    else this.post({ type: 'run-command', command });
  }

  /** Sends the message to the host. During a run it is queued, or interrupts the run. */
  send(text: string, { interrupts = false } = {}): void {
    const { editing } = this;
    const instead = editing.value?.message;
    this.draft.value = editing.value?.draft ?? '';
    this.note.value = '';
    editing.value = undefined;
    const { sending, queued, isWaiting } = this.outbox.value;
    const isBusy = sending !== undefined || this.shown.value?.transcript.running === true;
    // Kept until the host confirms it with a number; the page must not lose it before.
    const added = { id: -1, text, images: 0 };
    this.outbox.value = isBusy
      ? { ...this.outbox.value, queued: interrupts ? [added, ...queued] : [...queued, added] }
      : { sending: text, queued, isWaiting };
    this.save();
    const message = { text, ...(instead && { instead }), ...(interrupts && { interrupts }) };
    void this.reading.finally(() => this.post({ type: 'send', ...message }));
  }

  /** Reads images for the next message one after another. A message sent meanwhile waits for this. */
  read(file: () => Promise<void>): void {
    this.reading = this.reading.then(file, file);
  }

  /** Puts an earlier message into the message box for editing. */
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

  /** Starts or resumes editing a queued message. */
  changeQueued(changing: Changing): void {
    const isNew = this.changing.value?.id !== changing.id;
    this.changing.value = changing;
    if (isNew) this.changeQueue({ type: 'hold', id: changing.id });
    this.save();
  }

  /** Ends editing a queued message, with or without changes. */
  endChange({ isKept }: { readonly isKept: boolean }): void {
    const changed = this.changing.value;
    if (!changed) return;
    this.changing.value = undefined;
    const isOther = isKept && changed.text.trim() !== '';
    this.changeQueue({ type: 'release', id: changed.id, ...(isOther && { text: changed.text }) });
    this.save();
  }

  /** Requests completions. `completions` has the answer when it carries the returned number. */
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

  /** Shows a sentence about what just happened to the message. */
  say(note: string): void {
    this.note.value = note;
  }

  /** Puts a text into the message box, where the caret is. */
  insert(text: string): void {
    this.insertions.value = [...this.insertions.value, text];
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
        // The message of a run is already among the events.
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
        return this.insert(message.text);
      case 'sandbox-offer':
        this.offeredAt.value = message.callId;
        return;
      case 'focus':
        return this.requestFocus();
      case 'find':
        return this.find.open();
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
    // It may belong to another conversation.
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
    // Text typed since then is not lost either.
    this.write([text, this.draft.value].filter(Boolean).join('\n'));
  }

  /** Continues editing a queued message. If it is no longer queued, its text goes into the message box. */
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

  /** The typed text is kept; only the reference to the replaced message is lost. */
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
