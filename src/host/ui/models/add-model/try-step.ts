import * as vscode from 'vscode';
import { plansFor, prepareJob } from '../../../../agent/prepare-job';
import { minutesFor } from '../../../../doctor/cost';
import { doJob, type JobReply, type JobResult } from '../../../../doctor/do-job';
import { replyTokensFor } from '../../../../doctor/exam-rooms';
import { firstSteps } from '../../../../doctor/jobs';
import { speedOf } from '../../../../doctor/report';
import { ModelFacts } from '../../../../models/model-facts';
import { withFacts, type ModelProfile } from '../../../../models/profiles';
import { stepsOf } from '../../../../models/steps';
import { openScratchFolder } from '../../../../node/scratch-folder';
import { countTokens } from '../../../../node/tokens';
import { configOf } from '../../../services/choices/run-setup';
import { onOneLine } from '../../../platform/input-text';
import { translated, translatedTitle } from '../../../platform/translated';
import { secretsOf, type AddParts, type StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import { profileOf, type Draft, type TriedSteps } from './draft';

/** Requests and minutes of one of the three steps, at most. */
const ROUNDS = 8;
const MINUTES = 5;

/** Within step 5: the model reads, changes and creates a file, in a folder of its own. No command runs. */
export async function trySteps(draft: Draft, parts: AddParts): Promise<StepOutcome> {
  const { chosen } = draft;
  if (!chosen) throw new Error('No model was chosen.');
  const results: JobResult[] = [];
  const answer = await askInList<TriedSteps | 'skip'>({
    step: 5,
    placeholder: vscode.l10n.t('Trying three steps with {0}…', onOneLine(chosen.model)),
    rows: () => [
      ...firstSteps.map(({ title }, at) => stepRow(title, results[at], at === results.length)),
      { label: vscode.l10n.t('Skip'), alwaysShow: true, value: 'skip' },
    ],
    meanwhile: (signal, redraw) => tried(draft, parts, { results, redraw }, signal),
  });
  if (answer.type === 'left') return answer;
  const hasResult = answer.type === 'given' && answer.value !== 'skip';
  const after = hasResult ? { ...draft, tried: answer.value } : draft;
  return { type: 'next', step: 'protocol', draft: after, isPassed: true };
}

/** Minutes for the three steps, as far as the test has measured the speed. */
export function minutesToTry({ chosen, replies = [] }: Draft): number | undefined {
  if (!chosen) return undefined;
  return minutesFor(COSTS[stepsOf(chosen)], speedOf(replies));
}

/**
 * Three steps of about four requests. Simple tools take about 1,200 tokens to describe, the agent's about 4,000; each
 * request adds about 200, and each reply has about 60.
 */
const COSTS = {
  one: { requests: 12, inputTokens: 20_000, newTokens: 3_600, outputTokens: 720 },
  many: { requests: 12, inputTokens: 54_000, newTokens: 6_400, outputTokens: 720 },
} as const;

function stepRow(title: string, result: JobResult | undefined, isNext: boolean): StepRow<never> {
  const icon = !result ? (isNext ? 'loading~spin' : 'circle-outline') : ICONS[result.outcome];
  return {
    label: `$(${icon}) ${translatedTitle(title)}`,
    ...(result && { detail: resultText(result) }),
    alwaysShow: true,
  };
}

const ICONS = {
  solved: 'pass',
  wrong: 'error',
  'no-call': 'error',
  failed: 'warning',
  stopped: 'circle-slash',
} as const satisfies Readonly<Record<JobResult['outcome'], string>>;

function resultText({ outcome, fault = '' }: JobResult): string {
  if (outcome === 'solved') return vscode.l10n.t('right');
  if (outcome === 'no-call') return vscode.l10n.t('no call');
  return translated(fault);
}

interface Progress {
  readonly results: JobResult[];
  readonly redraw: () => void;
}

/** Nothing if it was stopped. */
async function tried(
  draft: Draft,
  parts: AddParts,
  { results, redraw }: Progress,
  signal: AbortSignal,
): Promise<TriedSteps | undefined> {
  const replies: JobReply[] = [];
  const prepare = await preparation(draft, parts);
  for (const job of firstSteps) {
    const folder = await openScratchFolder({ files: job.files, commands: [] }, signal);
    const result = await doJob(job, { place: folder, prepareRun: () => prepare(folder) }, signal);
    if (signal.aborted) return undefined;
    results.push(result);
    replies.push(...result.replies);
    redraw();
    // A server that fails would fail again, and says nothing about the model.
    if (result.outcome === 'failed') return { problem: result.fault ?? '' };
  }
  const solved = results.filter(({ outcome }) => outcome === 'solved').length;
  return { solved, of: results.length, speed: speedOf(replies) };
}

type ScratchFolder = Parameters<typeof prepareJob>[0]['place'];

async function preparation(
  draft: Draft,
  parts: AddParts,
): Promise<(folder: ScratchFolder) => ReturnType<typeof prepareJob>> {
  const { windowAccess } = await import('../../../services/models/open-in-window');
  const profile: ModelProfile = withFacts(profileOf(draft, []), draft.chosen?.facts);
  // Escape must leave nothing behind.
  const access = windowAccess({ secrets: secretsOf(draft, parts), facts: new ModelFacts() });
  const [way = { protocol: 'native', steps: 'many' as const }] = plansFor(profile);
  return (folder) =>
    prepareJob({
      ...{ profile, access, countTokens, way, place: folder, config: configOf(parts.settings) },
      ...{ replyTokens: replyTokensFor(profile.facts?.thinks), rounds: ROUNDS, minutes: MINUTES },
    });
}
