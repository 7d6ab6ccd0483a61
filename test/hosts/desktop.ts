import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from '@vscode/test-electron';
import { repository } from './repository';
import { markedLines } from './test-run';
import type { TestRun, TestRunEnd } from './test-run';

/** Runs tests in a desktop VS Code, by default in a downloaded one of the wanted release. */
export async function runTestsInDesktop(run: TestRun, executable?: string): Promise<TestRunEnd> {
  const user = await mkdtemp(path.join(tmpdir(), 'parley-vscode-'));
  await mkdir(path.join(user, 'User'));
  await writeFile(path.join(user, 'User/settings.json'), JSON.stringify(run.settings));
  const output = new PassThrough();
  const log: string[] = [];
  const lines = createInterface({ input: output }).on('line', (line) => {
    log.push(line);
    markedLines(line).forEach(run.print);
  });
  try {
    const passed = await succeeds(
      runTests({
        vscodeExecutablePath: await desktopProgram(executable, run.release.version),
        extensionDevelopmentPath: [...run.extensions],
        extensionTestsPath: run.tests,
        extensionTestsEnv: run.env,
        launchArgs: [run.folder, '--disable-extensions', '--user-data-dir', user],
        stdout: output,
        stderr: output,
      }),
    );
    const read = once(lines, 'close');
    output.end();
    await read;
    return { passed, log: log.join('\n') };
  } finally {
    await rm(user, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function succeeds(run: Promise<number>): Promise<boolean> {
  try {
    return (await run) === 0;
  } catch (error) {
    if (error instanceof TestRunFailedError) return false;
    throw error;
  }
}

/** Opens a desktop VS Code with Parley on a folder, and leaves it to the user. */
export async function openDesktop(folder: string, executable?: string): Promise<void> {
  const args = [
    '--new-window',
    '--disable-workspace-trust',
    `--extensionDevelopmentPath=${repository}`,
    folder,
  ];
  // VS Code refuses to run as root without these two.
  const asRoot = ['--no-sandbox', '--user-data-dir', path.join(path.dirname(folder), 'user')];
  const program = await desktopProgram(executable, 'stable');
  const child = spawn(program, process.getuid?.() === 0 ? [...args, ...asRoot] : args, {
    detached: true,
    stdio: 'ignore',
  });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  child.unref();
}

async function desktopProgram(executable: string | undefined, version: string): Promise<string> {
  return executable === undefined ? download(version) : programOf(realpathSync(executable));
}

async function download(version: string): Promise<string> {
  try {
    return await downloadAndUnzipVSCode(version);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `VS Code could not be downloaded (${reason}): set PARLEY_VSCODE to an installed one, or set PARLEY_HOST=server.`,
      { cause: error },
    );
  }
}

/** The program behind a `code` command; the command itself does not wait for the end of a test run. */
export function programOf(command: string, exists: (file: string) => boolean = existsSync): string {
  const bin = path.dirname(command);
  if (path.basename(bin) !== 'bin') return command;
  const places = ['../code', '../Code.exe', '../../../MacOS/Electron', '../../../MacOS/Code'];
  return places.map((place) => path.join(bin, place)).find(exists) ?? command;
}
