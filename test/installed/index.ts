import { isFine } from '../hosts/results';
import { runSuite, testFiles } from '../hosts/suite';
import { markLines } from '../hosts/test-run';

/** What a VS Code with the installed package calls in its extension host: runs every test beside this file. */
export async function run(): Promise<void> {
  const print = (text: string): void => console.log(markLines(text));
  const results = await runSuite({ files: testFiles(__dirname), timeout: 60_000, print });
  if (!isFine(results)) throw new Error('Tests failed, or none was found.');
}
