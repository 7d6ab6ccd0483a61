import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import { buildInstructions } from '../../../core/run/instructions';
import type { Model } from '../../../core/words/model';
import type { Protocol } from '../../../core/words/protocol';
import { standingsOf, type Check, type Standing, enteredIn, nextExamOrHelp } from '../../../doctor/contest';
import { estimateCost, estimateJobs, minutesFor, type CostRange } from '../../../doctor/cost';
import { examine, requestsOf, type Examination, type ExaminationEnd } from '../../../doctor/examine';
import { contestantOf, COOL, examRooms, LONGEST_REPLY, type Manner } from '../../../doctor/exam-rooms';
import { examJobs } from '../../../doctor/jobs';
import {
  reportOf,
  speedOf,
  timeoutsFrom,
  type DoctorReport,
  type FoundSettings,
  type ReportEnd,
  type Speed,
} from '../../../doctor/report';
import type { Contestant, ExamResult, ExamRoom, Help, ExamReply } from '../../../doctor/take-exam';
import { QUICK_LOOK_MS } from '../../../doctor/work-exam';
import type { WorkFindings } from '../../../doctor/work-report';
import { timeoutsFor } from '../../../models/exchange/timeouts';
import { canConstrain, findForms } from '../../../models/form/find-forms';
import { findLostMarkers } from '../../../models/form/find-lost-markers';
import { echoFrom } from '../../../models/reasoning-requirements';
import {
  helpsFor,
  withTemperature,
  contextWindow,
  promptForm,
  type ModelProfile,
} from '../../../models/profiles';
import type { FactsOfModel } from '../../../models/model-facts';
import { constrainOptions } from '../../../models/servers/endpoint-options';
import { countTokens } from '../../../node/tokens';
import { callsEndThinking } from '../../../protocols/choose';
import type { ToolSpec } from '../../../core/words/tool';
import type { ModelServers } from '../models/model-servers';
import type { Secrets } from '../../platform/secrets';
import { WorkRun, type WorkParts } from './work-run';

const SEED = 1;

/** `quick`: only small jobs, for ten minutes at most. */
export type ExaminationKind = 'full' | 'quick';

export interface DoctorParts extends WorkParts {
  readonly secrets: Secrets;
  readonly servers: ModelServers;
  readonly output: { error(error: unknown): void };
  /** Tools of the agent. */
  readonly tools: () => Promise<readonly ToolSpec[]>;
  /** Version of Parley. */
  readonly version: string;
}

/** The most ways that a work exam tries. */
const MOST_WAYS = 3;
const QUICK_MINUTES = QUICK_LOOK_MS / 60_000;

/** A failed exam, with the model's reply. */
export interface WrongExam {
  readonly number: number;
  readonly check: Check;
  readonly result: ExamResult;
}

/** The examination of one profile: started, stopped and resumed by the user. */
export class DoctorRun implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly checked: Check[] = [];
  private readonly replies: ExamReply[] = [];
  private wrongExams: readonly WrongExam[] = [];
  private running: AbortController | undefined;
  private ended: ReportEnd | undefined;
  private kind: ExaminationKind = 'full';
  private readonly work: WorkRun;
  private estimated: CostRange | undefined;
  /** Facts that the server reported meanwhile. */
  private window: number | undefined;

  readonly onChange = this.changed.event;
  private readonly helps: readonly Help[];

  private constructor(
    readonly profile: ModelProfile,
    private readonly parts: DoctorParts,
    private readonly protocols: readonly Protocol[],
    private readonly tools: readonly ToolSpec[],
    private entered: readonly Contestant[],
  ) {
    this.helps = helpsFor(profile);
    this.work = new WorkRun(parts, () => this.changed.fire());
  }

  /** Sends nothing. */
  static async prepare(profile: ModelProfile, parts: DoctorParts): Promise<DoctorRun> {
    const { protocols } = await import('../../../protocols');
    const tools = await parts.tools();
    const run = new DoctorRun(profile, parts, protocols, tools, []);
    run.entered = run.contestantsNow();
    return run;
  }

  get state(): 'ready' | 'running' | 'stopped' | 'over' {
    if (this.running) return 'running';
    const { work, checked, kind } = this;
    if (checked.length === 0 && work.checks.length === 0 && !this.ended) return 'ready';
    if (kind === 'quick') return work.isOver ? 'over' : 'stopped';
    const next = nextExamOrHelp(this.entered, this.helps, checked);
    if (next.type === 'exam') return 'stopped';
    return next.end.type === 'none-works' || work.isOver ? 'over' : 'stopped';
  }

  /** The last examination was only a quick look. */
  get isQuick(): boolean {
    return this.kind === 'quick';
  }

  /** Includes those that got help, if a protocol needs it. */
  get contestants(): readonly Contestant[] {
    return enteredIn(this.entered, this.helps, this.checked);
  }

  get checks(): readonly Check[] {
    return this.checked;
  }

  /** Last failed exams, newest first. */
  get wrong(): readonly WrongExam[] {
    return this.wrongExams;
  }

  get standings(): readonly Standing[] {
    return standingsOf(this.contestants, this.checked);
  }

  get seen(): readonly ExamReply[] {
    return this.replies;
  }

  /** The work exam; nothing if it has not begun. */
  get workFindings(): WorkFindings | undefined {
    return this.work.findings;
  }

  /** Milliseconds that all requests took so far. */
  get usedMs(): number {
    return [...this.replies, ...this.work.replies].reduce((sum, { timing }) => sum + timing.totalMs, 0);
  }

  /** What is known of the model, and what is learned of it meanwhile. */
  private get facts(): FactsOfModel {
    return this.parts.servers.facts.of(this.profile);
  }

  get speed(): Speed {
    return speedOf([...this.replies, ...this.work.replies]);
  }

  /** Minutes at the speed measured now or earlier; nothing if there is none. */
  get minutes(): { readonly least: number; readonly most: number; readonly quick: number } | undefined {
    const speed = { ...this.facts.work.read().speed, ...this.speed };
    const { least, most } = this.cost;
    const [first] = this.entered;
    const jobs = first && estimateJobs(first, SEED, examJobs.length, this.common());
    const [low, high, quick] = [least, most, ...(jobs ? [jobs] : [])].map((cost) => minutesFor(cost, speed));
    if (low === undefined || high === undefined || quick === undefined) return undefined;
    // Not all ways need to be tried.
    return {
      least: low + quick,
      most: high + quick * MOST_WAYS,
      quick: Math.min(quick * MOST_WAYS, QUICK_MINUTES),
    };
  }

  get cost(): CostRange {
    return (this.estimated ??= estimateCost(this.entered, SEED, this.common()));
  }

  /** The results so far. */
  report(): DoctorReport | undefined {
    if (!this.ended && this.checked.length === 0 && this.work.checks.length === 0) return undefined;
    const { baseUrl = '', model = this.profile.id, facts } = this.profile;
    const { tokens: window } = contextWindow(this.profile, countTokens);
    return reportOf(
      {
        model,
        endpoint: URL.canParse(baseUrl) ? new URL(baseUrl).origin : '',
        server: [facts?.kind, facts?.version].filter(Boolean).join(' '),
        parley: this.parts.version,
        time: new Date().toISOString(),
        seed: SEED,
        ...(window !== undefined && { window }),
        speed: this.speed,
      },
      this.contestants,
      this.checked,
      this.ended ?? { type: 'stopped' },
      this.found(),
      this.workFindings,
    );
  }

  /** For a profile without its own value. */
  private found(): FoundSettings {
    const { baseUrl = '', timeouts, contextWindow: own, reasoning: ownEcho } = this.profile;
    const { window } = this;
    const reasoning = ownEcho === undefined ? echoFrom(this.facts.requirements.read()) : undefined;
    return {
      ...timeoutsFrom(this.replies, timeoutsFor(baseUrl, timeouts).firstEvent),
      ...(window !== undefined && own === undefined && { contextWindow: window }),
      ...(reasoning && { reasoning }),
    };
  }

  /** Starts or resumes. Never rejects. */
  async start(mostRequests: number, kind: ExaminationKind): Promise<void> {
    if (this.running) return;
    const own = (this.running = new AbortController());
    this.kind = kind;
    this.ended = undefined;
    this.changed.fire();
    try {
      this.ended = await this.examine(mostRequests, own.signal);
    } catch (error) {
      this.parts.output.error(error);
      const message = vscode.l10n.t('Something went wrong. See the log for details.');
      this.ended = { type: 'failed', failure: { code: 'not-configured', message } };
    }
    this.running = undefined;
    this.changed.fire();
  }

  /** Within the current request. */
  stop(): void {
    this.running?.abort();
  }

  dispose(): void {
    this.stop();
    this.changed.dispose();
  }

  private async examine(mostRequests: number, signal: AbortSignal): Promise<ReportEnd> {
    const roomOf = await this.rooms();
    const [first] = this.entered;
    if (this.checked.length === 0 && first) {
      await this.learnForms(roomOf({ ...first, isForced: false }).model, signal);
      this.entered = this.contestantsNow();
      this.estimated = undefined;
    }
    const end: ReportEnd =
      this.kind === 'quick' ? { type: 'quick' } : await this.takeExams({ mostRequests, roomOf }, signal);
    if (end.type === 'best' || end.type === 'quick') await this.doWork(end, mostRequests, signal);
    return end;
  }

  private async takeExams(
    asked: Pick<Examination, 'mostRequests' | 'roomOf'>,
    signal: AbortSignal,
  ): Promise<ExaminationEnd> {
    const { entered: contestants, helps } = this;
    const running = examine({ contestants, helps, seed: SEED, ...asked }, this.checked, signal);
    for (;;) {
      const next = await running.next();
      if (next.done) return next.value;
      const { check, result } = next.value;
      this.checked.push(check);
      this.window = next.value.window ?? this.window;
      this.replies.push(...(result?.replies ?? []));
      if (result && !result.isRight) this.keep(check, result);
      this.changed.fire();
    }
  }

  /** Small jobs; what they show is remembered. */
  private async doWork(end: ReportEnd, mostRequests: number, signal: AbortSignal): Promise<void> {
    const { secrets, servers } = this.parts;
    const { windowAccess } = await import('../models/open-in-window');
    const { contestants } = this;
    const left = mostRequests - requestsOf(this.checked);
    const wanted = {
      ...{ profile: servers.known(this.profile), access: windowAccess({ secrets, facts: servers.facts }) },
      ...{ contestants, mostRequests: left, isQuick: end.type === 'quick' },
      best: contestants.find(({ id }) => end.type === 'best' && id === end.contestant),
    };
    await this.work.run(wanted, signal);
    const { work } = this.facts;
    work.write({ ...work.read(), ...this.work.result, speed: this.speed });
  }

  private keep(check: Check, result: ExamResult): void {
    const number = (this.wrongExams[0]?.number ?? -1) + 1;
    this.wrongExams = [{ number, check, result }, ...this.wrongExams].slice(0, limits.doctorFaults);
  }

  /** Which forms the server can enforce, if not known yet. */
  private async learnForms(model: Model, signal: AbortSignal): Promise<void> {
    const { forms, lostMarkers } = this.facts;
    const { mode, server } = constrainOptions(this.profile);
    if (mode === 'off') return;
    const isKnown = Object.keys(forms.read()).length > 0;
    if (!isKnown) await findForms(model, server, forms, signal);
    if (lostMarkers.read().protocols === undefined)
      await findLostMarkers(model, this.protocols, { forms: forms.read(), lostMarkers }, signal);
  }

  /** Those whose calls arrive whole, as the agent would use them: with an enforced form if the server can do that. */
  private contestantsNow(): readonly Contestant[] {
    const { server, mode } = constrainOptions(this.profile);
    const forms = this.facts.forms.read();
    const lost = this.facts.lostMarkers.read().protocols ?? [];
    const usable = this.protocols.filter(({ id }) => !lost.includes(id));
    return usable.map((protocol) =>
      contestantOf(protocol, mode !== 'off' && canConstrain(protocol, server, forms)),
    );
  }

  private async rooms(): Promise<Examination['roomOf']> {
    const { secrets, servers } = this.parts;
    const { openInWindow } = await import('../models/open-in-window');
    const limited = { ...this.profile, maxOutputTokens: LONGEST_REPLY };
    const cooled = withTemperature(limited, COOL);
    const open = ({ isForced, isCool }: Manner): Promise<Model> => {
      const forcedForm = isForced ? 'on' : 'off';
      const access = { secrets, facts: servers.facts };
      return openInWindow({ ...(isCool ? cooled : limited), forcedForm }, access, 'doctor');
    };
    return examRooms(open, this.common());
  }

  /** With the agent's own tools and instructions. */
  private common(): Omit<ExamRoom, 'model'> {
    const facts = { roots: ['project'], platform: process.platform, hasTools: true, instructions: '' };
    return {
      ...buildInstructions(facts),
      tools: this.tools,
      promptForm: promptForm(this.profile),
      callsEndThinking: callsEndThinking(this.profile.model ?? ''),
      tokensIn: countTokens,
      now: () => performance.now(),
    };
  }
}
