import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Emitter } from '../../base/disposable';
import type { Json } from '../../base/json';
import type { CallAnswer } from '../../contract/calls';
import type { HostToLab, LabAnswer, LabAnswers, LabToHost } from '../../contract/lab';
import type { OpenedReply } from '../../contract/lab-parse';
import type { LabRun } from '../../contract/lab-run';
import type { LabTool, LabToolset } from '../../contract/lab-tools';
import { foldEvents } from '../../core/transcript/fold-events';
import { emptyTranscript, type Transcript } from '../../core/transcript/transcript';
import { appendEvent, type AgentEvent } from '../../core/words/events';
import type { CallHost } from '../shared/calls/call-context';
import { SeenRequests } from '../shared/calls/seen-requests';
import type { KeptStates } from '../shared/kept';
import type { PageHost } from '../shared/page-host';

export type TabId = 'requests' | 'tools' | 'run' | 'parse' | 'doctor' | 'gateway';

/** A typing pause long enough to parse the text, in milliseconds. */
export const PAUSE_MS = 200;

/** State that survives hiding the page and reloading the window. */
export interface SavedLab {
  readonly tab: TabId;
  /** State kept by the parts of the tabs, by name. */
  readonly kept: Readonly<Record<string, Json>>;
}

type Request<Type extends keyof LabAnswers> = Omit<Extract<LabToHost, { type: Type }>, 'id'>;
/** Messages the host sends without a request. */
type News = Exclude<HostToLab, { type: 'answer' }>;

/** Shared state of all tabs: the active tab, the connection to the host, and kept state. */
export class LabState implements KeptStates {
  readonly tab = signal<TabId>('tools');
  /** The reply that another part of the window opened last in *Parse*. */
  readonly opened = signal<OpenedReply | undefined>(undefined);
  private readonly news = new Emitter<News>();
  private readonly asked = new Map<number, (answer: LabAnswer<unknown>) => void>();
  /** Changes with each load of the page, so that answers to the previous one are ignored. */
  private last = Date.now();
  private kept: SavedLab['kept'] = {};

  readonly onNews = this.news.event;
  readonly tools = new ToolList(this);
  readonly run = new RunState(this);

  constructor(private readonly host: PageHost<LabToHost, SavedLab>) {
    this.onNews(({ type }) => {
      if (type === 'target-changed') void this.takeTarget();
    });
    const { tab = 'tools', kept = {} } = host.getState() ?? {};
    this.tab.value = tab;
    this.kept = kept;
  }

  /** Requests the first content. */
  open(): void {
    this.tools.load();
    this.run.load();
    void this.takeTarget();
  }

  show(tab: TabId): void {
    this.tab.value = tab;
    this.save();
  }

  post(message: LabToHost): void {
    this.host.postMessage(message);
  }

  /** Sends a request to the host. Never rejects: an error is an answer. */
  request<Type extends keyof LabAnswers>(message: Request<Type>): Promise<LabAnswer<LabAnswers[Type]>> {
    const id = ++this.last;
    return new Promise((resolve) => {
      // SAFETY: the host answers a request with the entry of `LabAnswers` under its type.
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

  /** Shows what another part of the window wants to show, if anything. */
  private async takeTarget(): Promise<void> {
    const answer = await this.request<'take-target'>({ type: 'take-target' });
    if (!answer.ok || !answer.value) return;
    const target = answer.value;
    this.show(target.tab);
    if (target.tab === 'run') this.run.take(target.tool);
    if (target.tab === 'parse') this.opened.value = target.reply;
  }

  private save(): void {
    this.host.setState({ tab: this.tab.value, kept: this.kept });
  }
}

export const LabContext = createContext<LabState | undefined>(undefined);

export function useLab(): LabState {
  const lab = useContext(LabContext);
  if (!lab) throw new Error('This component is used outside the lab.');
  return lab;
}

/** Tools of the window, as last listed by the host. */
class ToolList {
  readonly toolsets = signal<readonly LabToolset[]>([]);
  /** `false` until the host has answered. */
  readonly isLoaded = signal(false);
  /** Why there is no list. */
  readonly problem = signal('');

  constructor(private readonly lab: LabState) {
    lab.onNews(({ type }) => {
      if (type === 'tools-changed') this.load();
    });
  }

  load(): void {
    void this.lab.request<'list-tools'>({ type: 'list-tools' }).then((answer) => {
      this.isLoaded.value = true;
      this.problem.value = answer.ok ? '' : answer.problem;
      if (answer.ok) this.toolsets.value = answer.value;
    });
  }

  get all(): readonly LabTool[] {
    return this.toolsets.value.flatMap(({ tools }) => tools);
  }

  /** By wire name or qualified name. */
  find(name: string): LabTool | undefined {
    return (
      this.all.find((tool) => tool.name === name) ?? this.all.find((tool) => tool.qualifiedName === name)
    );
  }
}

/** What is shown below the arguments: the current or an earlier run. */
type ShownRun = { readonly type: 'live' } | { readonly type: 'kept'; readonly id: string };

/** Runs of single calls. Events are folded once per frame, however many arrive. */
class RunState implements CallHost {
  /** Name, arguments as JSON and their source: the form reads again what it did not write itself. */
  readonly tool = signal('');
  readonly text = signal('{}');
  readonly source = signal(0);
  readonly live = signal<Transcript>(emptyTranscript);
  /** Last runs, newest first. */
  readonly runs = signal<readonly LabRun[]>([]);
  readonly shown = signal<ShownRun | undefined>(undefined);
  /** Why a run did not start. */
  readonly problem = signal('');
  /** Why the form has no valid arguments. */
  readonly formProblem = signal('');
  /** The host was asked to start and has not answered. */
  readonly isStarting = signal(false);
  readonly answers = signal(0);
  readonly seen = new SeenRequests();
  /** There, Enter would run the tool again. */
  readonly movesOn = false;
  /** Grows when the button that runs the tool should take the focus. */
  readonly focusRequests = signal(0);
  private arrived: AgentEvent[] = [];

  constructor(private readonly lab: LabState) {
    lab.onNews((news) => this.receive(news));
  }

  load(): void {
    // SAFETY: the value under this name was saved by `keep`.
    const kept = this.lab.get('run') as { tool: string; text: string } | undefined;
    if (kept) this.write(kept.tool, kept.text);
    void this.lab.request<'list-runs'>({ type: 'list-runs' }).then((answer) => {
      if (!answer.ok) return;
      const { runs, events } = answer.value;
      // Contains everything that came before the answer.
      this.arrived = [];
      this.runs.value = runs;
      if (events.length === 0) return;
      this.shown.value = { type: 'live' };
      this.live.value = foldEvents(events);
    });
  }

  /** Selects a tool, with initial arguments. */
  take(tool: string, text = '{}'): void {
    this.problem.value = '';
    this.write(tool, text);
    this.keep();
    this.lab.show('run');
  }

  /** The user typed a name, or arguments as JSON. */
  change(part: { readonly tool?: string; readonly text?: string }): void {
    this.problem.value = '';
    this.write(part.tool ?? this.tool.value, part.text ?? this.text.value);
    this.keep();
  }

  /** Written by the form, which knows the value already. */
  fill(text: string): void {
    this.problem.value = '';
    this.text.value = text;
    this.keep();
  }

  get isBusy(): boolean {
    return this.isStarting.value || this.live.value.running;
  }

  async start(): Promise<void> {
    // Two keys may arrive before the page is redrawn.
    if (this.isBusy) return;
    const before = this.shown.value;
    // A result belongs to the arguments above it.
    this.shown.value = undefined;
    this.isStarting.value = true;
    this.problem.value = '';
    const message = { type: 'run-tool', tool: this.tool.value.trim(), arguments: this.text.value } as const;
    const answer = await this.lab.request<'run-tool'>(message);
    this.isStarting.value = false;
    this.problem.value = (answer.ok ? answer.value.problem : answer.problem) ?? '';
    if (this.problem.value !== '') this.shown.value ??= before;
  }

  stop(): void {
    this.lab.post({ type: 'stop' });
  }

  /** Shows an earlier run with its tool and arguments, to run it again. */
  open({ id, tool, arguments: values }: LabRun): void {
    this.take(tool, JSON.stringify(values, undefined, 2));
    this.shown.value = { type: 'kept', id };
  }

  forget(): void {
    this.shown.value = undefined;
    this.lab.post({ type: 'forget-runs' });
  }

  decide(callId: string, answer: CallAnswer): void {
    this.answers.value += 1;
    this.lab.post({ type: 'decide', callId, answer });
  }

  answer(callId: string, text: string): void {
    this.answers.value += 1;
    this.lab.post({ type: 'answer', callId, text });
  }

  showDiff(callId: string): void {
    this.lab.post({ type: 'show-diff', callId });
  }

  requestFocus(): void {
    this.focusRequests.value += 1;
  }

  private receive(news: Exclude<HostToLab, { type: 'answer' }>): void {
    if (news.type === 'runs') this.runs.value = news.runs;
    if (news.type === 'run-kept') this.showEnd(news.run, news.kept);
    if (news.type !== 'run-events') return;
    if (this.arrived.length === 0) requestAnimationFrame(() => this.foldArrived());
    for (const event of news.events) appendEvent(this.arrived, event);
  }

  private showEnd(run: LabRun, kept: readonly string[]): void {
    this.foldArrived();
    this.runs.value = [run, ...this.runs.value].filter(({ id }) => kept.includes(id));
    this.shown.value = { type: 'kept', id: run.id };
  }

  private foldArrived(): void {
    const begin = this.arrived.findLastIndex(({ type }) => type === 'run-start');
    if (begin >= 0) this.shown.value = { type: 'live' };
    const before = begin >= 0 ? emptyTranscript : this.live.value;
    this.live.value = foldEvents(this.arrived.slice(Math.max(begin, 0)), before);
    this.arrived = [];
  }

  private write(tool: string, text: string): void {
    this.tool.value = tool;
    this.text.value = text;
    this.source.value += 1;
    this.formProblem.value = '';
  }

  private keep(): void {
    this.lab.set('run', { tool: this.tool.value, text: this.text.value });
  }
}
