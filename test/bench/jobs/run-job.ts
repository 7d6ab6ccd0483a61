import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atExit } from '../../hosts/at-exit';
import { endProcessesOfHome } from '../../support/processes/home-processes';
import type { Agent, Command, Place } from './agents';
import { whyFailed } from './failures';
import { isAnswerOnly, type Job } from './job';
import { JobFolder } from './job-folder';
import { Tap } from './tap';

/** A line of `--json`. */
export interface JobResult {
  readonly agent: string;
  readonly settings: string;
  readonly job: string;
  readonly seed: number;
  readonly solved: boolean;
  /** The kind of failure. */
  readonly why?: string;
  readonly rounds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly seconds: number;
}

/** A run with what is not in its line. */
export interface JobRun {
  readonly result: JobResult;
  /** Output tokens. */
  readonly longestReply: number;
  /** What the check found wrong. */
  readonly problem: string;
  readonly log: string;
}

export interface RunOptions {
  /** Of the Chat Completions API. */
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: number;
  /** Milliseconds. */
  readonly limit: number;
}

/** Has an agent do a job in a new folder, with a new home folder, and ends every process that it started. */
export async function runJob(job: Job, agent: Agent, options: RunOptions): Promise<JobRun> {
  const { model, seed } = options;
  const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-job-')));
  const [home, work] = [path.join(scratch, 'home'), path.join(scratch, 'project')];
  for (const folder of [home, work]) await mkdir(folder);
  const forget = atExit(() => {
    endProcessesOfHome(home);
    rmSync(scratch, { recursive: true, force: true });
  });
  const tap = await Tap.start(options.baseUrl, agent.fields({ model, seed }));
  try {
    const folder = new JobFolder(work, job.files);
    const place: Place = { job, work, home, baseUrl: tap.baseUrl, model, seed };
    const ended = await runToEnd(await agent.command(place), place, options.limit);
    await tap.stop();
    const account = agent.account(ended.stdout, tap.replies, ended.code);
    const problem = ended.isTimeOut ? 'The time was over.' : problemOf(job, folder, account.answer);
    const isChanged = problemOf({ check: () => folder.changedOnly() }, folder, '') !== '';
    const failed = { ...account, ...ended, isAnswerOnly: isAnswerOnly(job), replies: tap.replies, isChanged };
    const { replies } = tap;
    return {
      result: {
        ...{ agent: agent.name, settings: agent.settings, job: job.name, seed },
        ...(problem === '' ? { solved: true } : { solved: false, why: whyFailed(failed) }),
        rounds: replies.length,
        inputTokens: sum(replies.map(({ inputTokens }) => inputTokens)),
        outputTokens: sum(replies.map(({ outputTokens }) => outputTokens)),
        seconds: Math.round(ended.seconds * 10) / 10,
      },
      longestReply: Math.max(0, ...replies.map(({ outputTokens }) => outputTokens)),
      problem,
      log: JSON.stringify(
        { task: job.task, problem, account, replies, stdout: ended.stdout, stderr: ended.stderr },
        null,
        1,
      ),
    };
  } finally {
    await tap.stop();
    endProcessesOfHome(home);
    forget();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Empty if the check passes. */
function problemOf({ check }: Pick<Job, 'check'>, folder: JobFolder, answer: string): string {
  try {
    check(folder, answer);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly isTimeOut: boolean;
}

/** Milliseconds in which an agent may end its commands once its time is over. */
const PATIENCE = 5_000;
/** The command line was wrong, not the model. */
const USAGE_ERROR = 2;

async function runToEnd(command: Command, { home, work }: Place, limit: number): Promise<Ended> {
  const start = performance.now();
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...command.env };
  const child = spawn(command.program, command.args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr, isTimeOut] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const timers = [
    setTimeout(() => {
      isTimeOut = true;
      child.kill();
    }, limit),
    setTimeout(() => endProcessesOfHome(home), limit + PATIENCE),
  ];
  const code = await exitCode(child);
  for (const timer of timers) clearTimeout(timer);
  if (code === USAGE_ERROR) throw new Error(`The agent was started wrongly: ${stderr}`);
  return { code, stdout, stderr, seconds: (performance.now() - start) / 1000, isTimeOut };
}

/** Once everything that it printed has arrived. */
async function exitCode(child: ChildProcess): Promise<number | null> {
  // SAFETY: the arguments of this event.
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Writes the log of a run, for reading what a model did. */
export async function writeLog(folder: string, { result, log }: JobRun): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { agent, settings, job, seed } = result;
  const name = `${agent}-${settings}-${job}-${seed}`.replace(/[^\w.=-]+/g, '_');
  await writeFile(path.join(folder, `${name}.json`), log);
}
