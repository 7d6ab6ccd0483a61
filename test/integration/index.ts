import { runSuite } from '../hosts/suite';
import { markLines } from '../hosts/test-run';

/** What VS Code calls in the extension host: runs every test beside this file. */
export async function run(): Promise<void> {
  const print = (text: string): void => console.log(markLines(text));
  const { passed, failed } = await runSuite({ where: __dirname, timeout: 30_000, print });
  if (failed > 0) throw new Error(`${failed} of ${passed + failed} tests failed.`);
  if (passed === 0) throw new Error('No test was found.');
}
