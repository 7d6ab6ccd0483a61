import { failure } from './results';
import type { Outcome, StepResult } from './summary';

export type Print = (text: string) => void;

/** What runs by itself, beside others: a step, or a part of one. */
export interface Job {
  readonly step: string;
  readonly run: (print: Print) => Promise<Outcome>;
}

/**
 * Runs so many jobs at a time, in their order. The first lane prints as it goes; what the others print comes when a job
 * has ended, to stay in one piece.
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

/** A job that breaks off counts as one failure, so that those after it still run. */
async function ended(step: string, run: () => Promise<Outcome>, print: Print): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    print(`${message}\n`);
    return { results: [failure(step, message)] };
  }
}
