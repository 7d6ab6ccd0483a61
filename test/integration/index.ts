import { isFine } from '../hosts/results';
import { runSuite, testFiles } from '../hosts/suite';
import { chosenFiles, markLines } from '../hosts/test-run';

/** Entry point in the extension host: runs the chosen tests, or every test in this folder. */
export async function run(): Promise<void> {
  const print = (text: string): void => console.log(markLines(text));
  const results = await runSuite({ files: chosenFiles() ?? testFiles(__dirname), timeout: 30_000, print });
  if (!isFine(results)) throw new Error('Tests failed, or no test was found.');
}
