import { wilson } from '../../../src/doctor/statistics';
import { median } from '../measure';
import { REASONS } from './failures';
import { sum, type JobRun } from './run-job';

/** A table with a row for each agent and its settings, and why runs failed. */
export function report(runs: readonly JobRun[]): string {
  const names = [...new Set(runs.map(({ result }) => rowName(result)))];
  const groups = names.map((name) => runs.filter(({ result }) => rowName(result) === name));
  const [first = []] = groups;
  const rows = groups.map((group) => row(group, group === first ? undefined : first));
  return [HEAD, LINE, ...rows, '', ...groups.map(failures)].join('\n');
}

const HEAD =
  '| agent, settings | solved | 95 % | rounds | tokens read | written | longest reply | seconds, median | longest | won, lost |';
const LINE = '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|';

function rowName({ agent, settings }: JobRun['result']): string {
  return `${agent} ${settings}`;
}

/** `first` are the runs that these are compared with, each with the run of the same job and seed. */
function row(runs: readonly JobRun[], first: readonly JobRun[] | undefined): string {
  const results = runs.map(({ result }) => result);
  const right = results.filter(({ solved }) => solved).length;
  const [low, high] = wilson({ right, n: runs.length });
  const seconds = results.map((result) => result.seconds);
  const perRun = (values: readonly number[]): string => (sum(values) / runs.length).toFixed(1);
  const cells = [
    results[0] ? rowName(results[0]) : '',
    `${right} of ${runs.length}`,
    `${percent(low)}–${percent(high)} %`,
    perRun(results.map(({ rounds }) => rounds)),
    sum(results.map(({ inputTokens }) => inputTokens)),
    sum(results.map(({ outputTokens }) => outputTokens)),
    Math.max(...runs.map(({ longestReply }) => longestReply)),
    median(seconds).toFixed(0),
    Math.max(...seconds).toFixed(0),
    first ? pairs(runs, first) : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** In how many jobs with the same seed only these, or only the first, were right. */
function pairs(runs: readonly JobRun[], first: readonly JobRun[]): string {
  const wins = (ones: readonly JobRun[], others: readonly JobRun[]): number =>
    ones.filter(({ result }) => {
      const other = others.find((each) => each.result.job === result.job && each.result.seed === result.seed);
      return result.solved && other?.result.solved === false;
    }).length;
  return `${wins(runs, first)}, ${wins(first, runs)}`;
}

/** In one line, for each reason its jobs. */
function failures(runs: readonly JobRun[]): string {
  const failed = runs.filter(({ result }) => !result.solved).map(({ result }) => result);
  const reasons = REASONS.map((why) => ({ why, of: failed.filter((result) => result.why === why) }));
  const texts = reasons
    .filter(({ of }) => of.length > 0)
    .map(({ why, of }) => `${of.length} ${why} (${[...new Set(of.map(({ job }) => job))].join(', ')})`);
  return `${runs[0] ? rowName(runs[0].result) : ''}: ${texts.join(' · ') || 'all solved'}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
