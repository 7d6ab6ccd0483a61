import { signal } from '@preact/signals';
import { Emitter } from '../../base/emitter';
import type { Json } from '../../base/json';
import type { HostToLab, LabAnswer, LabAnswers, LabToHost } from '../../contract/lab';
import type { KeptStates } from '../shared/kept';
import type { PageHost } from '../shared/page-host';
import { RunState } from './run-state';
import { ToolList } from './tool-list';

export type TabId = 'tools' | 'run' | 'parse';

/** What survives hiding the page and reloading the window. */
export interface SavedLab {
  readonly tab: TabId;
  /** What the parts of the tabs have kept, each under a name of its own. */
  readonly kept: Readonly<Record<string, Json>>;
}

type Request<Type extends keyof LabAnswers> = Omit<Extract<LabToHost, { type: Type }>, 'id'>;
/** What the host tells without being asked. */
type News = Exclude<HostToLab, { type: 'answer' }>;

/** What all tabs share: which of them is shown, the line to the host, and what is kept. */
export class LabState implements KeptStates {
  readonly tab = signal<TabId>('tools');
  private readonly news = new Emitter<News>();
  private readonly asked = new Map<number, (answer: LabAnswer<unknown>) => void>();
  /** Another one for each load of the page: an answer to the one before is nobody's. */
  private last = Date.now();
  private kept: SavedLab['kept'] = {};

  readonly onNews = this.news.event;
  readonly tools = new ToolList(this);
  readonly run = new RunState(this);

  constructor(private readonly host: PageHost<LabToHost, SavedLab>) {
    const { tab = 'tools', kept = {} } = host.getState() ?? {};
    this.tab.value = tab;
    this.kept = kept;
  }

  /** Asks the host for what it knows. */
  open(): void {
    this.tools.load();
    this.run.load();
  }

  show(tab: TabId): void {
    this.tab.value = tab;
    this.save();
  }

  post(message: LabToHost): void {
    this.host.postMessage(message);
  }

  /** Asks the host. Never rejects: what went wrong is an answer. */
  request<Type extends keyof LabAnswers>(message: Request<Type>): Promise<LabAnswer<LabAnswers[Type]>> {
    const id = ++this.last;
    return new Promise((resolve) => {
      // SAFETY: the host answers a request with what stands in `LabAnswers` under its type.
      this.asked.set(id, resolve as (answer: LabAnswer<unknown>) => void);
      // SAFETY: a request with its id is a message again.
      this.post({ ...message, id } as unknown as LabToHost);
    });
  }

  receive(message: HostToLab): void {
    if (message.type !== 'answer') return this.news.fire(message);
    const resolve = this.asked.get(message.id);
    this.asked.delete(message.id);
    resolve?.(message.answer);
  }

  get(key: string): Json | undefined {
    return this.kept[key];
  }

  set(key: string, value: Json | undefined): void {
    const { [key]: _, ...others } = this.kept;
    this.kept = value === undefined ? others : { ...others, [key]: value };
    this.save();
  }

  private save(): void {
    this.host.setState({ tab: this.tab.value, kept: this.kept });
  }
}
