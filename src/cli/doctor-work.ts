import { plansFor, prepareJob } from '../agent/prepare-job';
import { visibleText } from '../base/text';
import type { JobReply } from '../doctor/do-job';
import { replyTokensFor } from '../doctor/exam-rooms';
import { examJobs } from '../doctor/jobs';
import type { Contestant } from '../doctor/take-exam';
import { waysFor, type Way } from '../doctor/ways';
import {
  examineWork,
  QUICK_LOOK_MS,
  type JobLimits,
  type WorkCheck,
  type WorkExam,
} from '../doctor/work-exam';
import type { WorkFindings } from '../doctor/work-report';
import type { ModelAccess } from '../models/open-model';
import type { ModelProfile } from '../models/profiles';
import { openScratchFolder } from '../node/scratch-folder';
import { countTokens } from '../node/tokens';
import { defaultConfig } from './built-in';
import { said } from './language';
import { stateFolder } from './sandbox';

export interface WorkSource {
  readonly profile: ModelProfile;
  readonly access: ModelAccess;
  /** All that took exams. */
  readonly contestants: readonly Contestant[];
  readonly best: Contestant | undefined;
  readonly mostRequests: number;
  /** It ends after ten minutes. */
  readonly isQuick: boolean;
}

export interface WorkOutcome {
  readonly findings: WorkFindings;
  readonly replies: readonly JobReply[];
}

/** Has the model do small jobs, each in a folder of its own, and prints the result of each. */
export async function workExam(source: WorkSource, signal: AbortSignal): Promise<WorkOutcome> {
  const { profile, access, contestants, best, mostRequests, isQuick } = source;
  const facts = access.facts.of(profile);
  const known = {
    ...profile,
    ...{ forms: facts.forms.read(), lostProtocols: facts.lostMarkers.read().protocols },
  };
  const now = (): number => performance.now();
  const exam: WorkExam = {
    ...{ ways: waysFor(contestants, plansFor(known), best), jobs: examJobs, mostRequests, now },
    deadline: isQuick ? now() + QUICK_LOOK_MS : Infinity,
    open: async (job, way, limits) => {
      const { files, commands = [] } = job;
      const place = await openScratchFolder({ files, commands, stateFolder: stateFolder() }, signal);
      return { place, prepareRun: () => prepareJob({ ...jobSource(known, way, limits), access, place }) };
    },
  };
  const { ways, jobs } = exam;
  const checks: WorkCheck[] = [];
  const replies: JobReply[] = [];
  const running = examineWork(exam, [], signal);
  for (;;) {
    const next = await running.next();
    if (next.done) return { findings: { ways, jobs, checks, end: next.value }, replies };
    const { check } = next.value;
    checks.push(check);
    replies.push(...next.value.replies);
    log(check);
  }
}

function jobSource(
  profile: ModelProfile,
  way: Way,
  limits: JobLimits,
): Omit<Parameters<typeof prepareJob>[0], 'access' | 'place'> {
  const replyTokens = replyTokensFor(profile.facts?.thinks);
  return { profile, way, countTokens, config: defaultConfig, replyTokens, ...limits };
}

function log({ way, job, outcome, fault }: WorkCheck): void {
  const why = fault === undefined ? '' : ` ${said(fault)}`;
  process.stderr.write(visibleText(`${way}, ${job}: ${outcome}.${why}\n`));
}
