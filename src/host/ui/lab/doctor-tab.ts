import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type {
  DoctorCost,
  DoctorFault,
  DoctorPage,
  DoctorRow,
  DoctorToHost,
  DoctorWork,
} from '../../../contract/lab-doctor';
import type { Check, Standing } from '../../../doctor/contest';
import { sumOfCosts, type Cost } from '../../../doctor/cost';
import { outcomesOf } from '../../../doctor/report-texts';
import { rowOf as reportRow } from '../../../doctor/report';
import { threeInARow } from '../../../doctor/statistics';
import { tasks } from '../../../doctor/tasks';
import { scoresOf } from '../../../doctor/work-exam';
import type { WorkFindings } from '../../../doctor/work-report';
import { dollarsFor, type ModelProfile } from '../../../models/profiles';
import type { CallStatistics } from '../../services/models/call-statistics';
import type { DoctorRun, WrongExam } from '../../services/doctor/doctor-run';
import { useProtocol, type Examinations } from '../../services/doctor/examinations';
import { translated, translatedTitle } from '../../platform/translated';
import { replyText } from './gateway-tab';
import type { LabParts, LabTab, PagePort } from './lab-parts';

/** Examines a model for the page and reports the results. */
export function doctorTab(
  parts: LabParts,
  examinations: Examinations,
  { tell, show }: PagePort,
): LabTab<DoctorToHost> {
  const { secrets, settings, counts } = parts;
  const store = new DisposableStore();
  store.add(examinations.onChange(() => tell({ type: 'doctor-changed' })));
  const current = async (): Promise<DoctorRun | undefined> => {
    const run = await examinations.current();
    return 'problem' in run ? undefined : run;
  };
  return {
    handlers: {
      'doctor-state': async () => {
        const run = await examinations.current();
        if ('problem' in run) return { ...emptyPage(parts.choices.modelId), problem: run.problem };
        // Changes made meanwhile count.
        const profile = settings.get('models').find(({ id }) => id === run.profile.id) ?? run.profile;
        return pageOf(run, profile, counts);
      },
      'start-doctor': async ({ mostRequests, isQuick }) =>
        void (await current())?.start(mostRequests, isQuick === true ? 'quick' : 'full'),
      'stop-doctor': async () => (await current())?.stop(),
      'restart-doctor': () => examinations.forget(),
      'parse-exam': async ({ exam, reply: at }) => {
        const run = await current();
        const wrong = run?.wrong.find(({ number }) => number === exam);
        const reply = wrong?.result.replies[at];
        const protocol = run?.contestants.find(({ id }) => id === wrong?.check.contestant)?.protocol.id;
        if (!reply || protocol === undefined) return false;
        await secrets.learn(settings.get('models'));
        const name = vscode.l10n.t('a doctor reply');
        const text = secrets.redact(replyText({ protocol, deltas: reply.deltas }));
        show({ tab: 'parse', reply: { name, reply: text, protocol } });
        return true;
      },
      'use-protocol': async () => {
        const run = await current();
        if (run) await useProtocol(run, parts);
        tell({ type: 'doctor-changed' });
      },
      'save-report': async () => {
        const report = (await current())?.report();
        if (report) await saveJson(vscode.l10n.t('Save Report'), report);
      },
      'save-counts': async () => {
        const run = await current();
        if (run) await saveJson(vscode.l10n.t('Save Counts'), counts.of(run.profile));
      },
      'forget-counts': async () => {
        await counts.forget();
        tell({ type: 'doctor-changed' });
      },
    },
    dispose: () => store.dispose(),
  };
}

const NO_COST: DoctorCost = { requests: 0, inputTokens: 0, outputTokens: 0 };

function emptyPage(model: string): DoctorPage {
  return {
    model,
    state: 'ready',
    cost: { least: NO_COST, most: NO_COST },
    used: NO_COST,
    usedMs: 0,
    tasks: titles(),
    rows: [],
    faults: [],
    counts: [],
    thinking: { replies: 0, of: 0 },
    speed: {},
  };
}

function pageOf(run: DoctorRun, profile: ModelProfile, counts: CallStatistics): DoctorPage {
  const { checks, state } = run;
  const { least, most } = run.cost;
  const report = state === 'running' ? undefined : run.report();
  const { recommended, settings = {}, why } = report ?? {};
  const { protocol, forcedForm = profile.forcedForm, prompt = profile.prompt } = settings;
  const { temperature = profile.temperature, steps = profile.steps } = settings;
  const { minutes, workFindings: work } = run;
  const isUsed =
    profile.protocol === protocol &&
    profile.forcedForm === forcedForm &&
    profile.prompt === prompt &&
    profile.steps === steps &&
    profile.temperature === temperature;
  return {
    model: profile.name ?? profile.id,
    state,
    cost: { least: priced(least, profile), most: priced(most, profile) },
    ...(minutes && { minutes }),
    isQuick: run.isQuick,
    ...(work && { work: workOf(work) }),
    used: priced(sumOfCosts([...checks, ...(work?.checks ?? [])]), profile),
    usedMs: run.usedMs,
    tasks: titles(),
    rows: run.standings.map((standing) => rowOf(standing, checks)),
    faults: run.wrong.map(faultOf),
    counts: counts.of(profile).map(({ protocol: id, counts: { clean, repaired, recovered, malformed } }) => {
      return { protocol: id, clean, repaired, recovered, malformed };
    }),
    ...(why !== undefined && { why: translated(why) }),
    ...(recommended !== undefined && { recommended: { id: recommended, isUsed } }),
    thinking: { replies: run.seen.filter(({ hasReasoning }) => hasReasoning).length, of: run.seen.length },
    speed: run.speed,
  };
}

function titles(): DoctorPage['tasks'] {
  return tasks.map(({ id, title }) => ({ id, title: translatedTitle(title) }));
}

function priced({ requests, inputTokens, outputTokens }: Cost, { price }: ModelProfile): DoctorCost {
  const dollars = price && { dollars: dollarsFor({ inputTokens, outputTokens }, price) };
  return { requests, inputTokens, outputTokens, ...dollars };
}

function rowOf({ contestant: id, right, n, interval, isOut }: Standing, checks: readonly Check[]): DoctorRow {
  const own = checks.filter(({ contestant, outcome }) => contestant === id && outcome !== 'refused');
  const called = own.filter(({ form }) => form !== 'none');
  return {
    ...{ id, right, n, interval, isOut },
    threeInARow: threeInARow(interval),
    clean: called.filter(({ form }) => form === 'clean').length,
    called: called.length,
    cells: tasks.map(({ id: task }) => {
      const [row] = reportRow(id, task, own);
      if (!row) return { right: 0, n: 0, skipped: 0 };
      const { right: _, ...faults } = outcomesOf(row);
      const { skipped = 0 } = row;
      return { right: row.right, n: row.n, skipped, ...(row.right < row.n && { faults }) };
    }),
  };
}

function workOf({ ways, jobs, checks }: WorkFindings): DoctorWork {
  return {
    jobs: jobs.map(({ name, title }) => ({ name, title: translatedTitle(title) })),
    ways: scoresOf(ways, checks).map(({ way, solved, n }) => ({
      ...{ id: way.id, protocol: way.contestant, steps: way.steps, tools: way.tools, solved, n },
      ...(way.temperature !== undefined && { temperature: way.temperature }),
      cells: jobs.map(({ name }) => {
        const check = checks.find(({ job, way: id }) => job === name && id === way.id);
        if (!check) return null;
        const { outcome, fault, ms } = check;
        return { outcome, ms, ...(fault !== undefined && { fault: translated(fault) }) };
      }),
    })),
  };
}

function faultOf({ number, check: { contestant, task }, result }: WrongExam): DoctorFault {
  const title = tasks.find(({ id }) => id === task)?.title ?? task;
  return {
    exam: number,
    contestant,
    task: translatedTitle(title),
    fault: translated(result.fault ?? ''),
    replies: result.replies.length,
  };
}

async function saveJson(title: string, value: object): Promise<void> {
  const uri = await vscode.window.showSaveDialog({
    title,
    filters: { JSON: ['json'] },
  });
  if (uri) await vscode.workspace.fs.writeFile(uri, Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`));
}
