import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { visibleText } from '../base/text';
import { settings } from '../manifest/settings';
import { Sandbox, type SandboxOptions } from '../node/sandbox/sandbox';
import { noSandbox, type SandboxSettings } from '../node/sandbox/settings';
import { UsageError } from './command-line';
import { said } from './language';

interface SandboxValues {
  readonly sandbox?: boolean | undefined;
  readonly 'sandbox-settings'?: string | undefined;
}

/** `--sandbox` runs commands in the sandbox, unasked; the file has the other settings. */
export async function sandboxOf(
  values: SandboxValues,
): Promise<Pick<SandboxOptions, 'settings' | 'stateFolder'> | undefined> {
  const file = values['sandbox-settings'];
  if (!values.sandbox) {
    if (file !== undefined) throw new UsageError('--sandbox-settings needs --sandbox. Give both.');
    return undefined;
  }
  const given: SandboxSettings = {
    isEnabled: true,
    runUnasked: true,
    allowedDomains: settings['sandbox.allowedDomains'].default,
    readPaths: settings['sandbox.readPaths'].default,
    writePaths: settings['sandbox.writePaths'].default,
    git: settings['sandbox.git'].default,
    outsideCommands: settings['sandbox.outsideCommands'].default,
    ...(file !== undefined && (await readSettings(file))),
  };
  return { settings: () => given, stateFolder: stateFolder() };
}

const FileSettings = z.partial(
  z.strictObject({
    runUnasked: settings['sandbox.runUnasked'].schema,
    allowedDomains: settings['sandbox.allowedDomains'].schema,
    readPaths: settings['sandbox.readPaths'].schema,
    writePaths: settings['sandbox.writePaths'].schema,
    git: settings['sandbox.git'].schema,
    outsideCommands: settings['sandbox.outsideCommands'].schema,
  }),
);

async function readSettings(file: string): Promise<Partial<SandboxSettings>> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read as JSON. It must contain the settings of the sandbox as JSON.`,
      {
        cause: error,
      },
    );
  }
  const checked = FileSettings.safeParse(given);
  if (!checked.success) throw new UsageError(`${file}: ${z.prettifyError(checked.error)}`);
  return Object.fromEntries(Object.entries(checked.data).filter(([, value]) => value !== undefined));
}

/** Reports at once if the sandbox does not work: then commands ask, and no user is available to answer. */
export async function prepareSandbox(sandbox: Sandbox | undefined): Promise<void> {
  if (!sandbox) return;
  for (const { removed, keptIn } of await sandbox.recover()) {
    if (keptIn === undefined) continue;
    process.stderr.write(
      visibleText(
        `${said(`Removed what an earlier command in the sandbox left: ${removed.join(', ')}. It was moved to ${keptIn}.`)}\n`,
      ),
    );
  }
  const status = await sandbox.status();
  if (!status.works)
    process.stderr.write(
      visibleText(`${said('The sandbox does not work here, so commands ask.')} ${said(status.reason)}\n`),
    );
}

/** `parley check sandbox`: one real test. */
export async function checkSandbox(): Promise<number> {
  const sandbox = new Sandbox({ roots: [], settings: () => noSandbox, stateFolder: stateFolder() });
  const status = await sandbox.status();
  await sandbox.close();
  process.stdout.write(
    `${said(status.works ? `The sandbox works, using ${status.program}.` : status.reason)}\n`,
  );
  return status.works ? 0 : 1;
}

/** The folder for data that outlives an invocation. */
export function stateFolder(): string {
  const given = process.env['XDG_STATE_HOME'];
  const top = given !== undefined && path.isAbsolute(given) ? given : path.join(os.homedir(), '.local/state');
  const folder = path.join(top, 'parley/sandbox');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    // Service users have no home.
    return path.join(os.tmpdir(), `parley-state-${os.userInfo().uid}`);
  }
}
