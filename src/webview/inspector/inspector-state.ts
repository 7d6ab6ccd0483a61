import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { never } from '../../base/never';
import type {
  HostToInspector,
  InspectedReply,
  InspectedRequest,
  InspectorToHost,
  ReplyReading,
} from '../../contract/inspector';
import type { PageHost } from '../shared/page-host';

/** How the user wants the reply to be parsed. */
export interface Draft {
  readonly protocol: string;
  /** The edited reply; absent if the reply is parsed as it was sent. */
  readonly text?: string;
}

/** State that survives hiding the page and opening another reply: a draft and its reply. */
export interface SavedDraft {
  readonly key: string;
  /** Length of that reply: another session may have a reply of the same name. */
  readonly length: number;
  readonly draft: Draft;
}

/** Number of drafts kept, the newest first. */
const MOST_DRAFTS = 10;

/** Milliseconds without typing before the text is parsed. */
const PAUSE = 250;

/** State of the inspector page. */
export class InspectorState {
  /** `undefined` until the host has answered `ready`. */
  readonly reply = signal<InspectedReply | undefined>(undefined);
  readonly request = signal<InspectedRequest | undefined>(undefined);
  /** Another session is shown now. */
  readonly isGone = signal(false);
  /** A sentence about what was just done. */
  readonly note = signal('');
  /** Present while the reply is parsed in another way. */
  readonly draft = signal<Draft | undefined>(undefined);
  private readonly answered = signal<{ readonly id: number; readonly reading: ReplyReading } | undefined>(
    undefined,
  );
  /** Number of the last request, once it is made. */
  private readonly asked = signal(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** The parse result of the draft; nothing while it is parsed. */
  readonly reading = computed(() => {
    const answered = this.answered.value;
    return answered?.id === this.asked.value ? answered : undefined;
  });

  constructor(private readonly host: PageHost<InspectorToHost, readonly SavedDraft[]>) {}

  post(message: InspectorToHost): void {
    this.host.postMessage(message);
  }

  receive(message: HostToInspector): void {
    switch (message.type) {
      case 'reply':
        return this.show(message.reply);
      case 'request':
        this.request.value = message.request;
        return;
      case 'reading':
        this.answered.value = message;
        return;
      case 'gone':
        this.isGone.value = true;
        return;
      case 'note':
        this.note.value = message.text;
        return;
      default:
        return never(message);
    }
  }

  /** Parses the reply as another protocol. */
  pick(protocol: string): void {
    this.change({ ...this.draft.value, protocol });
    this.read();
  }

  /** Starts editing the reply. */
  edit(): void {
    const reply = this.reply.value;
    if (!reply) return;
    const protocol = this.draft.value?.protocol ?? reply.protocol;
    this.change({ protocol, text: textFor(protocol, reply) });
    this.read();
  }

  /** The user is typing. */
  write(text: string): void {
    if (!this.draft.value) return;
    this.change({ ...this.draft.value, text });
    this.asked.value += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  discard(): void {
    clearTimeout(this.timer);
    this.change(undefined);
  }

  /** Continues with the edited reply. */
  goOn(): void {
    const id = this.reading.value?.id;
    if (id !== undefined) this.post({ type: 'go-on', id });
  }

  openLab(): void {
    const id = this.draft.value && this.reading.value?.id;
    this.post({ type: 'open-lab', ...(id !== undefined && { id }) });
  }

  private show(reply: InspectedReply): void {
    const isAnother = this.isGone.value || this.reply.value?.key !== reply.key;
    this.isGone.value = false;
    this.reply.value = reply;
    if (!isAnother) return;
    this.request.value = undefined;
    this.note.value = '';
    this.draft.value = this.drafts.find((saved) => isOf(saved, reply))?.draft;
    this.read();
  }

  private get drafts(): readonly SavedDraft[] {
    return this.host.getState() ?? [];
  }

  private read(): void {
    clearTimeout(this.timer);
    const draft = this.draft.value;
    if (!draft) return;
    this.asked.value += 1;
    this.post({ type: 'read', id: this.asked.value, ...draft });
  }

  private change(draft: Draft | undefined): void {
    this.draft.value = draft;
    this.note.value = '';
    const reply = this.reply.value;
    if (!reply) return;
    const others = this.drafts.filter((saved) => !isOf(saved, reply));
    const own = draft ? [{ key: reply.key, length: reply.raw.length, draft }] : [];
    this.host.setState([...others, ...own].slice(-MOST_DRAFTS));
  }
}

function isOf({ key, length }: SavedDraft, reply: InspectedReply): boolean {
  return key === reply.key && length === reply.raw.length;
}

/** What that protocol parses from the reply. */
function textFor(protocol: string, { raw, recorded }: InspectedReply): string {
  return protocol === 'native' ? (recorded ?? raw) : raw;
}

export const InspectorContext = createContext<InspectorState | undefined>(undefined);

export function useInspector(): InspectorState {
  const inspector = useContext(InspectorContext);
  if (!inspector) throw new Error('This component is used outside the inspector.');
  return inspector;
}
