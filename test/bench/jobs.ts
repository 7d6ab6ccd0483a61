// Has a real model do small coding jobs through the built command line, and says how many it solved. See jobs/README.md.
//   npm run bench:jobs -- --base-url URL [--model-name NAME] | --folder FOLDER
//     [--settings 'auto;json temperature=0.2 --forced-form off'] [--agents parley,pi,opencode] [--clients FOLDER]
//     [--jobs REGEX] [--half] [--seeds 1,2] [--limit SECONDS] [--json] [--logs FOLDER]
// Needs Linux. Not part of `npm test`.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LlamaServer } from '../real/llama-server';
import { otherAgent, parley, type Agent } from './jobs/agents';
import { allJobs, halfOfJobs } from './jobs/all-jobs';
import { report } from './jobs/report';
import { runJob, writeLog, type JobRun } from './jobs/run-job';

/** Tokens; what the small model of `install.sh` was trained for. */
const CONTEXT = 8_192;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      'model-name': { type: 'string' },
      folder: { type: 'string' },
      settings: { type: 'string', default: 'auto' },
      agents: { type: 'string', default: 'parley' },
      clients: { type: 'string', default: path.join(tmpdir(), 'parley-clients') },
      jobs: { type: 'string', default: '' },
      half: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '1,2' },
      limit: { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
      logs: { type: 'string' },
    },
  });
  const wanted = new RegExp(values.jobs);
  const jobs = (values.half ? halfOfJobs : allJobs).filter(
    ({ name, kind }) => wanted.test(name) || wanted.test(kind),
  );
  const agents = values.agents.split(',').flatMap((name): readonly Agent[] => {
    if (name !== 'parley') return [otherAgent(name, path.resolve(values.clients))];
    return values.settings.split(';').map((settings) => parley(settings.trim()));
  });
  const server =
    values.folder === undefined
      ? undefined
      : await LlamaServer.start(values.folder, { context: CONTEXT, hasTools: true });
  const baseUrl = server?.baseUrl ?? values['base-url'];
  if (baseUrl === undefined) throw new Error('Give the address of a server with --base-url, or --folder.');
  const runs: JobRun[] = [];
  try {
    const model = values['model-name'] ?? (await firstModel(baseUrl));
    for (const job of jobs)
      for (const seed of values.seeds.split(',').map(Number))
        // In turns, so that a busy machine slows all of them.
        for (const agent of agents) {
          const run = await runJob(job, agent, { baseUrl, model, seed, limit: Number(values.limit) * 1000 });
          runs.push(run);
          console.log(values.json ? JSON.stringify(run.result) : line(run));
          if (values.logs !== undefined) await writeLog(values.logs, run);
        }
  } finally {
    await server?.stop();
  }
  (values.json ? console.error : console.log)(`\n${report(runs)}`);
}

async function firstModel(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/models`);
  // SAFETY: this address lists models in this form; anything else fails below.
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] };
  if (!data[0]) throw new Error(`${baseUrl} has no model. Name one with --model-name.`);
  return data[0].id;
}

function line({ result, problem }: JobRun): string {
  const { agent, settings, job, seed, solved, why = '', rounds, outputTokens, seconds } = result;
  const end = solved ? 'solved' : `${why}: ${(problem.split('\n')[0] ?? '').slice(0, 80)}`;
  const figures = `${rounds} rounds, ${outputTokens} tokens, ${seconds.toFixed(0)} s`;
  return `${job.padEnd(22)} ${agent} ${settings}, seed ${seed}: ${end} (${figures})`;
}

void main();
