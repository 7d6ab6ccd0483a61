import { plansFor, prepareJob } from '../../../agent/prepare-job';
import type { ToolCallConfig } from '../../../core/words/config';
import type { JobReply } from '../../../doctor/do-job';
import { replyTokensFor } from '../../../doctor/exam-rooms';
import { examJobs } from '../../../doctor/jobs';
import type { Contestant } from '../../../doctor/take-exam';
import { waysFor, type Way } from '../../../doctor/ways';
import {
  bestWay,
  examineWork,
  nextJob,
  QUICK_LOOK_MS,
  type WorkCheck,
  type WorkEnd,
  type WorkExam,
} from '../../../doctor/work-exam';
import type { WorkFindings } from '../../../doctor/work-report';
import type { ModelAccess } from '../../../models/open-model';
import type { ModelProfile } from '../../../models/profiles';
import { openScratchFolder } from '../../../node/scratch-folder';
import { countTokens } from '../../../node/tokens';

export interface WorkParts {
  readonly config: () => ToolCallConfig;
  /** Folders of the extension, for commands: its programs, and what outlives a window. */
  readonly folders: { readonly wasm: string; readonly state: string };
}

/** Who works, and how long. */
interface WorkWanted {
  readonly profile: ModelProfile;
  readonly access: ModelAccess;
  readonly contestants: readonly Contestant[];
  readonly best: Contestant | undefined;
  /** Including those of the jobs that are done. */
  readonly mostRequests: number;
  /** It ends after ten minutes. */
  readonly isQuick: boolean;
}

/** The work exam of one model: small jobs, each in a folder of its own. It can be stopped and resumed. */
export class WorkRun {
  private readonly checked: WorkCheck[] = [];
  private readonly received: JobReply[] = [];
  private ways: readonly Way[] = [];
  private end: WorkEnd | undefined;

  constructor(
    private readonly parts: WorkParts,
    private readonly changed: () => void,
  ) {}

  get checks(): readonly WorkCheck[] {
    return this.checked;
  }

  get replies(): readonly JobReply[] {
    return this.received;
  }

  /** What is found so far; nothing if it has not begun. */
  get findings(): WorkFindings | undefined {
    const { ways, checked: checks, end = { type: 'stopped' } } = this;
    return ways.length === 0 ? undefined : { ways, jobs: examJobs, checks, end };
  }

  /** Whether there is more to do than the last time. */
  get isOver(): boolean {
    const { ways, checked } = this;
    return ways.length > 0 && nextJob({ ways, jobs: examJobs }, checked) === undefined;
  }

  async run(wanted: WorkWanted, signal: AbortSignal): Promise<void> {
    const { contestants, best, profile, isQuick, mostRequests } = wanted;
    this.end = undefined;
    this.ways = waysFor(contestants, plansFor(profile), best);
    const now = (): number => performance.now();
    const exam: WorkExam = {
      ...{ ways: this.ways, jobs: examJobs, mostRequests, now },
      deadline: isQuick ? now() + QUICK_LOOK_MS : Infinity,
      open: this.opening(wanted),
    };
    const running = examineWork(exam, this.checked, signal);
    for (;;) {
      const next = await running.next();
      if (next.done) {
        this.end = next.value;
        return;
      }
      this.checked.push(next.value.check);
      this.received.push(...next.value.replies);
      this.changed();
    }
  }

  /** What is remembered of the model. */
  get result(): { readonly solved: number; readonly of: number; readonly steps?: Way['steps'] } | undefined {
    const { findings } = this;
    const score = findings && bestWay(findings, findings.checks);
    if (score) return { solved: score.solved, of: score.n, steps: score.way.steps };
    return this.isOver ? { solved: 0, of: examJobs.length } : undefined;
  }

  private opening({ profile, access }: WorkWanted): WorkExam['open'] {
    const { config, folders } = this.parts;
    const replyTokens = replyTokensFor(profile.facts?.thinks);
    return async (job, way, limits, signal) => {
      const { files, commands = [] } = job;
      const { wasm: wasmFolder, state: stateFolder } = folders;
      const place = await openScratchFolder({ files, commands, wasmFolder, stateFolder }, signal);
      const source = { profile, access, countTokens, config: config(), place, way, replyTokens };
      return { place, prepareRun: () => prepareJob({ ...source, ...limits }) };
    };
  }
}
