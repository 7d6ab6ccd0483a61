import { failure } from './results';
import type { Outcome, StepResult } from './summary';

export type Print = (text: string) => void;

/** A step or a part of one, which can run in parallel with others. */
export interface Job {
  readonly step: string;
  readonly run: (print: Print) => Promise<Outcome>;
}

/**
 * Runs up to `lanes` jobs at a time, in order. The first lane prints immediately; the output of the others is
 * printed when a job has ended, so that it stays together.
 */
export async function runInLanes(
  jobs: readonly Job[],
  lanes: number,
  print: Print,
): Promise<readonly StepResult[]> {
  const queue = [...jobs];
  const results: StepResult[] = [];
  const runLane = async (isLive: boolean): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const kept: string[] = [];
      results.push(await timed(job, isLive ? print : (text) => void kept.push(text)));
      print(kept.join(''));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane === 0)));
  return results;
}

async function timed({ step, run }: Job, print: Print): Promise<StepResult> {
  print(`\n=== ${step} ===\n`);
  const start = Date.now();
  const outcome = await ended(step, () => run(print), print);
  return { name: step, seconds: (Date.now() - start) / 1000, ...outcome };
}

/** A job that throws counts as one failure, so that the jobs after it still run. */
async function ended(step: string, run: () => Promise<Outcome>, print: Print): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    print(`${message}\n`);
    return { results: [failure(step, message)] };
  }
}
