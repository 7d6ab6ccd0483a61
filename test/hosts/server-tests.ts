import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import { developmentFolder } from './development-folder';
import { tail } from './run-program';
import { openServerWindow } from './server-window';
import { markedLines, type TestRun, type TestRunEnd } from './test-run';
import { workbenchUrl } from './workbench-url';

/**
 * Each test has a time limit and prints a line when it ends: after this long without output the extension host is
 * gone.
 */
const longestSilence = 300_000;

/** Small, because less drawing opens editors sooner: a fifth of the time on 1280 × 800. */
const viewport = { width: 600, height: 400 };

/** Runs tests in the extension host of a VS Code server. */
export async function runTestsInServer(run: TestRun): Promise<TestRunEnd> {
  const window = await openServerWindow({ ...run, viewport });
  const { page } = window;
  try {
    const log: string[] = [];
    const exitCodes: number[] = [];
    let lastPrinted = Date.now();
    // The workbench reads these two when it starts.
    await page.exposeFunction('codeAutomationLog', (_type: string, values: readonly unknown[]) => {
      const text = format(...values);
      log.push(text);
      for (const line of markedLines(text)) {
        run.print(line);
        lastPrinted = Date.now();
      }
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => exitCodes.push(code));
    const { port, data } = window.server;
    const extension = await developmentFolder(run.extensions, data);
    await page.goto(workbenchUrl({ port, folder: run.folder, extension, tests: run.tests }));
    while (exitCodes.length === 0) {
      if (Date.now() - lastPrinted > longestSilence) {
        throw new Error(`The tests fell silent. VS Code said last:\n${tail(log.join('\n'))}`);
      }
      await delay(50);
    }
    return { passed: exitCodes[0] === 0, log: log.join('\n') };
  } finally {
    await window.close();
  }
}
