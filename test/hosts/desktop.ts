import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  downloadAndUnzipVSCode,
  resolveCliPathFromVSCodeExecutablePath,
  runTests,
  TestRunFailedError,
} from '@vscode/test-electron';
import { repository } from './repository';
import { mustRun } from './run-program';
import { markedLines, type TestRun, type TestRunEnd } from './test-run';

/** Runs tests in a desktop VS Code, by default in a downloaded one of the given release. */
export async function runTestsInDesktop(run: TestRun, executable?: string): Promise<TestRunEnd> {
  const { packages = [] } = run;
  const data = await mkdtemp(path.join(tmpdir(), 'parley-vscode-'));
  const folders = [
    '--user-data-dir',
    path.join(data, 'user'),
    '--extensions-dir',
    path.join(data, 'extensions'),
  ];
  const userSettings = path.join(data, 'user/User/settings.json');
  await mkdir(path.dirname(userSettings), { recursive: true });
  await writeFile(userSettings, JSON.stringify(run.settings));
  const output = new PassThrough();
  const log: string[] = [];
  const lines = createInterface({ input: output }).on('line', (line) => {
    log.push(line);
    markedLines(line).forEach(run.print);
  });
  try {
    const program = await desktopProgram(executable, run.release.version);
    for (const file of packages) await install(file, program, folders);
    const passed = await succeeds(
      runTests({
        vscodeExecutablePath: program,
        extensionDevelopmentPath: [...run.extensions],
        extensionTestsPath: run.tests,
        extensionTestsEnv: run.env,
        launchArgs: [run.folder, ...(packages.length === 0 ? ['--disable-extensions'] : []), ...folders],
        stdout: output,
        stderr: output,
      }),
    );
    const read = once(lines, 'close');
    output.end();
    await read;
    return { passed, log: log.join('\n') };
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Uses the command beside the program, because the program itself does not wait for the installation. */
async function install(file: string, program: string, folders: readonly string[]): Promise<void> {
  const command = resolveCliPathFromVSCodeExecutablePath(program);
  await mustRun(command, ['--install-extension', file, '--force', ...folders], { timeout: 120_000 });
}

async function succeeds(run: Promise<number>): Promise<boolean> {
  try {
    return (await run) === 0;
  } catch (error) {
    if (error instanceof TestRunFailedError) return false;
    throw error;
  }
}

/** Opens a desktop VS Code with Parley on a folder, for the user. */
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

/** Returns the program that a `code` command starts; the command itself does not wait for the end of a test run. */
export function programOf(command: string, exists: (file: string) => boolean = existsSync): string {
  const bin = path.dirname(command);
  if (path.basename(bin) !== 'bin') return command;
  const places = ['../code', '../Code.exe', '../../../MacOS/Electron', '../../../MacOS/Code'];
  return places.map((place) => path.join(bin, place)).find(exists) ?? command;
}
