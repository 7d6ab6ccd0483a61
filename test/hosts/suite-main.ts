// Runs a folder of out/test, a part of it (`unit 2/6`) or one of its files by its path there, in this process.
import path from 'node:path';
import { isFine } from './results';
import { partOf, runSuite, testFiles } from './suite';

const [name = '', part = '1/1'] = process.argv.slice(2);
void runSuite({
  files: partOf(testFiles(path.join(__dirname, '..', name)), part),
  timeout: name === 'unit' ? 60_000 : 120_000,
  print: console.log,
}).then((results) => {
  process.exitCode = isFine(results) ? 0 : 1;
  const patience = setTimeout(() => {
    const what = process.getActiveResourcesInfo().join(', ');
    console.error(
      `The tests have ended, but something they started still keeps this process alive: ${what}.`,
    );
    process.exit(1);
  }, 10_000);
  patience.unref();
});
