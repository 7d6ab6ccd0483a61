import { writeFileSync } from 'node:fs';
import { visibleText } from '../base/text';
import { buildInstructions } from '../core/run/instructions';
import { type Check, enteredIn } from '../doctor/contest';
import { estimateCost, minutesFor, scaled, type Cost, type CostRange } from '../doctor/cost';
import { examine, requestsOf, type Examination } from '../doctor/examine';
import {
  reportOf,
  speedOf,
  timeoutsFrom,
  type DoctorReport,
  type FoundSettings,
  type ReportEnd,
  type ReportFacts,
  type Speed,
} from '../doctor/report';
import { reportPage, reportText } from '../doctor/report-texts';
import { contestantOf, COOL, examRooms, FORCED, LONGEST_REPLY } from '../doctor/exam-rooms';
import {
  helpsFor,
  withTemperature,
  contextWindow,
  dollarsFor,
  promptForm,
  type ModelProfile,
} from '../models/profiles';
import { echoFrom } from '../models/reasoning-requirements';
import type { Contestant, ExamReply } from '../doctor/take-exam';
import { bestWay } from '../doctor/work-exam';
import type { WorkFindings } from '../doctor/work-report';
import { timeoutsFor } from '../models/exchange/timeouts';
import { canConstrain, findForms } from '../models/form/find-forms';
import { findLostMarkers } from '../models/form/find-lost-markers';
import { openModel, type ModelAccess } from '../models/open-model';
import { constrainOptions } from '../models/servers/endpoint-options';
import { countTokens } from '../node/tokens';
import { findProtocol, protocols } from '../protocols';
import { callsEndThinking } from '../protocols/choose';
import { coreSpecs, untilSignalled } from './built-in';
import { workExam, type WorkOutcome, type WorkSource } from './doctor-work';
import { knownProtocols, readOptions, rejectWords, UsageError } from './command-line';
import { said } from './language';
import { readReport } from './report-file';
import { accessTo, askedProfile, profileOf } from './run-profile';
import { version } from './usage';

const MOST_REQUESTS = '400';

/** `parley doctor`: how a model works best, measured. Tools run only in folders of their own, for small jobs. */
export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    'base-url': { type: 'string' },
    'model-name': { type: 'string' },
    profile: { type: 'string' },
    'api-key-env': { type: 'string', default: 'PARLEY_API_KEY' },
    protocols: { type: 'string' },
    'most-requests': { type: 'string', default: MOST_REQUESTS },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    html: { type: 'string' },
    compare: { type: 'boolean' },
  });
  const form = { isJson: values.json === true, page: values.html };
  if (values.compare) return compare(positionals, form.page);
  rejectWords(positionals, 'Use options only, or compare reports with --compare.');
  if (form.isJson && form.page !== undefined)
    throw new UsageError('--json and --html cannot be combined. Give one of them.');
  const mostRequests = numberOf(values['most-requests'], '--most-requests');
  const seed = numberOf(values.seed, '--seed');
  const wanted = profileOf({ ...values, model: undefined });
  const access = await accessTo(wanted, values['api-key-env']);
  const { signal } = untilSignalled();
  const profile = await askedProfile(wanted, access, signal, log);
  const contestants = await contestantsOf(values.protocols, profile, access, signal);
  const roomOf = await roomsFor(profile, access);
  const helps = helpsFor(profile);
  const [first] = contestants;
  const isQuick = values.quick === true;
  if (first)
    log(isQuick ? QUICK : costText(estimateCost(contestants, seed, roomOf(first)), mostRequests, profile));
  const exams = isQuick ? NO_EXAMS : await follow({ contestants, helps, seed, mostRequests, roomOf }, signal);
  const entered = enteredIn(contestants, helps, exams.checks);
  const work = await workAfter(exams, { profile, access, contestants: entered, mostRequests }, signal);
  const speed = speedOf([...exams.replies, ...(work?.replies ?? [])]);
  const found = foundSettings(profile, access, exams);
  const facts = { ...factsOf(profile, seed), speed };
  write(reportOf(facts, entered, exams.checks, exams.end, found, work?.findings), form);
  return exitCode(exams.end, work?.findings);
}

/** The work exam, if a protocol works or no other exam is wanted. */
async function workAfter(
  { checks, end }: Followed,
  source: Pick<WorkSource, 'profile' | 'access' | 'contestants' | 'mostRequests'>,
  signal: AbortSignal,
): Promise<WorkOutcome | undefined> {
  if (end.type !== 'best' && end.type !== 'quick') return undefined;
  const best = source.contestants.find(({ id }) => end.type === 'best' && id === end.contestant);
  const mostRequests = source.mostRequests - requestsOf(checks);
  return workExam({ ...source, best, mostRequests, isQuick: end.type === 'quick' }, signal);
}

const QUICK = 'This takes at most ten minutes: three small jobs, in up to three ways to work.';

const NO_EXAMS: Followed = { checks: [], replies: [], window: undefined, end: { type: 'quick' } };

/** For a profile without its own values. */
function foundSettings(
  profile: ModelProfile,
  access: ModelAccess,
  { replies, window }: Pick<Followed, 'replies' | 'window'>,
): FoundSettings {
  const { firstEvent } = timeoutsFor(profile.baseUrl ?? '', profile.timeouts);
  const reasoning =
    profile.reasoning === undefined ? echoFrom(access.facts.of(profile).requirements.read()) : undefined;
  return {
    ...timeoutsFrom(replies, firstEvent),
    ...(window !== undefined && profile.contextWindow === undefined && { contextWindow: window }),
    ...(reasoning && { reasoning }),
  };
}

function numberOf(text: string, option: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} must be a whole number, not "${text}".`);
  return Number(text);
}

/** The named protocols, or all whose calls arrive whole: with a forced form if the server supports it, as the agent would use them. */
async function contestantsOf(
  given: string | undefined,
  profile: ModelProfile,
  access: ModelAccess,
  signal: AbortSignal,
): Promise<readonly Contestant[]> {
  if (given !== undefined) return given.split(',').map((id) => contestantNamed(id.trim()));
  const { server, mode } = constrainOptions(profile);
  const { forms, lostMarkers } = access.facts.of(profile);
  if (mode !== 'off') {
    const model = await openModel({ ...profile, forcedForm: 'off' }, access, 'doctor');
    await findForms(model, server, forms, signal);
    await findLostMarkers(model, protocols, { forms: forms.read(), lostMarkers }, signal);
  }
  const lost = lostMarkers.read().protocols ?? [];
  if (lost.length > 0) log(`[markers-lost] ${said(lostMarkersText(lost))}`);
  const usable = protocols.filter(({ id }) => !lost.includes(id));
  return usable.map((protocol) => contestantOf(protocol, canConstrain(protocol, server, forms.read())));
}

function lostMarkersText(lost: readonly string[]): string {
  return `The server drops control tokens that calls need in these protocols, so they are left out: ${lost.join(', ')}. With llama.cpp, --special keeps them.`;
}

function contestantNamed(id: string): Contestant {
  const isForced = id.endsWith(FORCED);
  const protocol = findProtocol(isForced ? id.slice(0, -FORCED.length) : id);
  if (!protocol) throw new UsageError(`there is no protocol "${id}". Use one of: ${knownProtocols()}.`);
  if (isForced && !protocol.grammar)
    throw new UsageError(`"${protocol.id}" has no form that can be forced. Leave "${FORCED}" out.`);
  return contestantOf(protocol, isForced);
}

/** With the agent's own tools and instructions. */
function roomsFor(profile: ModelProfile, access: ModelAccess): Promise<Examination['roomOf']> {
  const limited = { ...profile, maxOutputTokens: LONGEST_REPLY };
  const cooled = withTemperature(limited, COOL);
  const facts = { roots: ['project'], platform: process.platform, hasTools: true, instructions: '' };
  return examRooms(
    ({ isForced, isCool }) =>
      openModel({ ...(isCool ? cooled : limited), forcedForm: isForced ? 'on' : 'off' }, access, 'doctor'),
    {
      ...buildInstructions(facts),
      tools: coreSpecs(),
      promptForm: promptForm(profile),
      callsEndThinking: callsEndThinking(profile.model ?? ''),
      tokensIn: countTokens,
      now: () => performance.now(),
    },
  );
}

interface Followed {
  readonly checks: readonly Check[];
  readonly replies: readonly ExamReply[];
  /** What the server said about it meanwhile. */
  readonly window: number | undefined;
  readonly end: ReportEnd;
}

/** Prints the result of each exam, and how long it may take once the speed is measured. */
async function follow(examination: Examination, signal: AbortSignal): Promise<Followed> {
  const { contestants, seed, mostRequests, roomOf } = examination;
  let hasSpeed = false;
  const timeLeft = (seen: readonly ExamReply[]): string | undefined => {
    const [first] = contestants;
    const speed = speedOf(seen);
    return first && timeText(estimateCost(contestants, seed, roomOf(first)), mostRequests, speed);
  };
  const checks: Check[] = [];
  const replies: ExamReply[] = [];
  let window: number | undefined;
  const running = examine(examination, [], signal);
  for (;;) {
    const next = await running.next();
    if (next.done) return { checks, replies, window, end: next.value };
    const { check, result } = next.value;
    window = next.value.window ?? window;
    checks.push(check);
    replies.push(...(result?.replies ?? []));
    const fault = result?.fault === undefined ? '' : ` ${said(result.fault)}`;
    log(`${check.contestant}, ${check.task}: ${check.outcome}.${fault}`);
    const time: string | undefined = hasSpeed ? undefined : timeLeft(replies);
    if (time !== undefined) log(time);
    hasSpeed ||= time !== undefined;
  }
}

function factsOf(profile: ModelProfile, seed: number): Omit<ReportFacts, 'speed'> {
  const { baseUrl = '', model = profile.id, facts } = profile;
  const { tokens: window } = contextWindow(profile, countTokens);
  return {
    model,
    endpoint: URL.canParse(baseUrl) ? new URL(baseUrl).origin : '',
    server: [facts?.kind, facts?.version].filter(Boolean).join(' '),
    parley: version(),
    time: new Date().toISOString(),
    seed,
    ...(window !== undefined && { window }),
  };
}

function costText({ least, most }: CostRange, mostRequests: number, { price }: ModelProfile): string {
  const range = (count: (cost: Cost) => string): string => `${count(least)} to ${count(most)}`;
  const tokens = `${range((cost) => whole(cost.inputTokens))} tokens in and ${range((cost) => whole(cost.outputTokens))} out`;
  const dollars = price ? `, for ${range((cost) => `$${dollarsFor(cost, price).toFixed(2)}`)}` : '';
  const requests = range((cost) => whole(cost.requests));
  return `This takes ${requests} requests, at most ${whole(mostRequests)}, with ${tokens}${dollars}. With --quick it takes at most ten minutes.`;
}

/** Nothing if the speed is not known yet. */
function timeText({ least, most }: CostRange, mostRequests: number, speed: Speed): string | undefined {
  const part = Math.min(1, mostRequests / most.requests);
  const [low, high] = [minutesFor(least, speed), minutesFor(scaled(most, part), speed)];
  if (low === undefined || high === undefined) return undefined;
  return `At the measured speed it takes about ${whole(Math.min(low, high))} to ${whole(high)} minutes.`;
}

function whole(number: number): string {
  return number.toLocaleString('en');
}

function write(report: DoctorReport, { isJson, page }: { isJson: boolean; page: string | undefined }): void {
  if (page !== undefined) writeFileSync(page, reportPage([report]));
  process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : reportText(report));
}

function compare(files: readonly string[], page: string | undefined): number {
  if (files.length === 0) throw new UsageError('name the reports to compare.');
  const reports = files.map(readReport);
  if (page === undefined) process.stdout.write(reports.map(reportText).join('\n'));
  else writeFileSync(page, reportPage(reports));
  return 0;
}

function exitCode({ type }: ReportEnd, work: WorkFindings | undefined): number {
  if (type === 'best') return 0;
  if (type === 'quick' && work) {
    if (bestWay(work, work.checks)) return 0;
    return work.end.type === 'done' || work.end.type === 'failed' ? 1 : 3;
  }
  return type === 'none-works' || type === 'failed' ? 1 : 3;
}

function log(sentence: string): void {
  process.stderr.write(visibleText(`${said(sentence)}\n`));
}
