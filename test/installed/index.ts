import { isFine } from '../hosts/results';
import { runSuite, testFiles } from '../hosts/suite';
import { markLines } from '../hosts/test-run';

/** Entry point in the extension host of a VS Code with the installed package: runs every test in this folder. */
export async function run(): Promise<void> {
  const print = (text: string): void => console.log(markLines(text));
  const results = await runSuite({ files: testFiles(__dirname), timeout: 60_000, print });
  if (!isFine(results)) throw new Error('Tests failed, or no test was found.');
}
