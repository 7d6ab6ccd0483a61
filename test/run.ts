// Runs tests: `node out/test/run.js`, with `--all` for all tests, or with the names of steps. `--slow` prints the
// slowest tests, too.
import { availableParallelism } from 'node:os';
import { chooseHost, lookAround } from './hosts/choose-host';
import { findChromium } from './hosts/chromium';
import { runInLanes, type Job } from './hosts/lanes';
import { sandboxReport } from './hosts/sandbox-report';
import { installServer } from './hosts/server-install';
import { eachFile, filesOf, integration, inParts, inWindows, npmScript, script } from './hosts/steps';
import { slowestTests, summary, succeeded } from './hosts/summary';
import { floor, newest } from './hosts/vscode-versions';

/** The files of e2e/ that test the main promises of the README and SECURITY.md. */
const promised = ['main-job', 'approvals', 'hostile-workspace'];

/** The jobs of a step. They run in parallel with each other and with other steps. */
const steps: Readonly<Record<string, readonly Job['run'][]>> = {
  types: [npmScript('check')],
  lint: [npmScript('lint')],
  translations: [script('support/generate/write-l10n.js', '--strict')],
  unit: inParts('unit', 6),
  docs: eachFile('docs', 35 * 60_000),
  pages: inParts('pages', 3),
  integration: [integration(floor)],
  'integration-newest': [integration(newest)],
  promised: inWindows(
    promised.map((name) => `e2e/${name}.test.js`),
    floor,
  ),
  e2e: inWindows(filesOf('e2e'), floor),
  'e2e-newest': inWindows(filesOf('e2e'), newest),
  release: inWindows(filesOf('release'), floor),
  network: eachFile('network'),
  long: eachFile('long', 120 * 60_000),
};

/**
 * The steps of `npm test`. First those that need neither VS Code nor a browser, which are downloaded meanwhile; then
 * the longest.
 */
const line = ['unit', 'lint', 'types', 'docs', 'integration', 'promised', 'pages'];

/** The steps of `npm run test:all`: the same with all random cases, and the slow ones that find little. */
const longLine = [
  ...['unit', 'lint', 'types', 'translations', 'docs', 'integration', 'integration-newest'],
  ...['release', 'network', 'e2e', 'e2e-newest', 'pages'],
];

async function main(words: readonly string[]): Promise<void> {
  const isLong = words.includes('--all');
  if (isLong) useNewSeed();
  const named = words.filter((word) => !word.startsWith('--'));
  const jobs = (named.length > 0 ? named : isLong ? longLine : line).flatMap(jobsOf);
  // Two more than there are cores, because tests wait much of the time.
  const run = runInLanes(jobs, availableParallelism() + 2, (text) => process.stdout.write(text));
  const [results] = await Promise.all([run, named.length === 0 && fetchHosts(isLong)]);
  const sandbox = jobs.some(({ step }) => step === 'unit') ? `${await sandboxReport()}\n` : '';
  if (words.includes('--slow')) console.log(`\nThe slowest tests and hooks:\n${slowestTests(results, 50)}`);
  const minutes = (performance.now() / 60_000).toFixed(1);
  console.log(`\nIt took ${minutes} minutes.\n${sandbox}${summary(results)}`);
  process.exitCode = succeeded(results) ? 0 : 1;
}

function jobsOf(step: string): readonly Job[] {
  const runs = steps[step] ?? [() => Promise.reject(new Error(`There is no step ${step}.`))];
  return runs.map((run) => ({ step, run }));
}

/** Makes tests draw new random cases, and all of them; see `hosts/random-cases.ts`. */
function useNewSeed(): void {
  const seed = process.env['PARLEY_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));
  Object.assign(process.env, { PARLEY_SEED: seed, PARLEY_DRAWS: 'all' });
  console.log(`Random cases use PARLEY_SEED=${seed}.`);
}

/**
 * So that no step has to wait for downloads. A step that still finds them missing downloads them itself, and reports
 * a failure.
 */
async function fetchHosts(isLong: boolean): Promise<void> {
  if (chooseHost('tests', lookAround()).type !== 'server') return;
  const servers = installServer(floor).then(() => (isLong ? installServer(newest) : undefined));
  await Promise.allSettled([servers, findChromium()]);
}

void main(process.argv.slice(2));
