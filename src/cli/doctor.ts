import { writeFileSync } from 'node:fs';
import { visibleText } from '../base/text';
import { buildInstructions } from '../core/run/instructions';
import type { Check } from '../doctor/contest';
import { estimateCost, type Cost, type CostRange } from '../doctor/cost';
import { examine, type Examination, type ExaminationEnd } from '../doctor/examine';
import { reportOf, speedOf, timeoutsFrom, type DoctorReport, type ReportFacts } from '../doctor/report';
import { reportPage, reportText } from '../doctor/report-texts';
import { contestantOf, COOL, examRooms, FORCED, LONGEST_REPLY } from '../doctor/exam-rooms';
import { enteredIn } from '../doctor/help';
import { helpsFor, withTemperature } from '../models/helps';
import { echoFrom } from '../models/reasoning-requirements';
import type { Contestant, ExamReply } from '../doctor/take-exam';
import { timeoutsFor } from '../models/exchange/timeouts';
import { canConstrain, findForms } from '../models/form/find-forms';
import { findLostMarkers } from '../models/form/find-lost-markers';
import { openModel, type ModelAccess } from '../models/open-model';
import { contextWindow, dollarsFor, promptForm, type ModelProfile } from '../models/profiles';
import { constrainOptions } from '../models/servers/endpoint-options';
import { countTokens } from '../node/tokens';
import { findProtocol, protocols } from '../protocols';
import { callsEndThinking } from '../protocols/choose';
import { coreSpecs, untilSignalled } from './built-in';
import { knownProtocols, readOptions, rejectWords, UsageError } from './command-line';
import { said } from './language';
import { readReport } from './report-file';
import { accessTo, askedProfile, profileOf } from './run-profile';
import { version } from './version';

const MOST_REQUESTS = '400';

/** `parley doctor`: which protocol a model speaks best, measured. No tool runs. */
export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    'base-url': { type: 'string' },
    'model-name': { type: 'string' },
    profile: { type: 'string' },
    'api-key-env': { type: 'string', default: 'PARLEY_API_KEY' },
    protocols: { type: 'string' },
    'most-requests': { type: 'string', default: MOST_REQUESTS },
    seed: { type: 'string', default: '1' },
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
  const [first] = contestants;
  if (first) log(costText(estimateCost(contestants, seed, roomOf(first)), mostRequests, profile));
  const helps = helpsFor(profile);
  const examination: Examination = { contestants, helps, seed, mostRequests, roomOf };
  const { checks, replies, window, end } = await follow(examination, signal);
  const facts = { ...factsOf(profile, seed), speed: speedOf(replies) };
  const { firstEvent } = timeoutsFor(profile.baseUrl ?? '', profile.timeouts);
  const reasoning =
    profile.reasoning === undefined ? echoFrom(access.facts.of(profile).requirements.read()) : undefined;
  const found = {
    ...timeoutsFrom(replies, firstEvent),
    ...(window !== undefined && profile.contextWindow === undefined && { contextWindow: window }),
    ...(reasoning && { reasoning }),
  };
  write(reportOf(facts, enteredIn(contestants, helps, checks), checks, end, found), form);
  return exitCode(end);
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
  readonly end: ExaminationEnd;
}

/** Prints the result of each exam. */
async function follow(examination: Examination, signal: AbortSignal): Promise<Followed> {
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
  return `This takes ${requests} requests, at most ${whole(mostRequests)}, with ${tokens}${dollars}.`;
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

function exitCode({ type }: ExaminationEnd): number {
  if (type === 'best') return 0;
  return type === 'none-works' || type === 'failed' ? 1 : 3;
}

function log(sentence: string): void {
  process.stderr.write(visibleText(`${said(sentence)}\n`));
}
