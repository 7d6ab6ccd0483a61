import { existsSync } from 'node:fs';
import { findOnPath, firstExisting } from './find-program';

export type Host =
  /** Without an executable, VS Code is downloaded. */
  | { readonly type: 'desktop'; readonly executable: string | undefined }
  | { readonly type: 'server' }
  /** Neither can be had; the message says what to do. */
  | { readonly type: 'none'; readonly message: string };

type Purpose = 'tests' | 'start';

/** What the choice of a host depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly hasDisplay: boolean;
  /** The `code` command of an installed VS Code. */
  readonly installed: string | undefined;
  /** The environment variable PARLEY_HOST. */
  readonly wanted: string | undefined;
  /** The environment variable PARLEY_VSCODE, and whether such a file exists. */
  readonly named: { readonly file: string; readonly exists: boolean } | undefined;
}

/**
 * Chooses where VS Code runs. Tests prefer the server, which is the same everywhere; a person who starts Parley prefers
 * the VS Code that is installed.
 */
export function chooseHost(purpose: Purpose, around: Surroundings): Host {
  const { platform, hasDisplay, installed, wanted, named } = around;
  if (wanted !== undefined && wanted !== 'desktop' && wanted !== 'server') {
    return none(`PARLEY_HOST is ${wanted}: set it to desktop or server, or unset it.`);
  }
  if (named?.exists === false) {
    return none(`PARLEY_VSCODE is ${named.file}, which does not exist: correct it, or unset it.`);
  }
  const type = wanted ?? preferred(purpose, around);
  if (type === 'server' && platform === 'win32') {
    return none('The VS Code server does not run on Windows: unset PARLEY_HOST to use desktop VS Code.');
  }
  if (type === 'desktop' && !hasDisplay) {
    return none('Desktop VS Code needs a display: run this under xvfb-run, or set PARLEY_HOST=server.');
  }
  return type === 'server' ? { type } : { type, executable: named?.file ?? installed };
}

function preferred(
  purpose: Purpose,
  { platform, hasDisplay, installed, named }: Surroundings,
): 'desktop' | 'server' {
  if (named !== undefined || platform === 'win32') return 'desktop';
  return purpose === 'start' && installed !== undefined && hasDisplay ? 'desktop' : 'server';
}

export function lookAround(): Surroundings {
  const { env, platform } = process;
  const file = nonEmpty(env['PARLEY_VSCODE']);
  return {
    platform,
    hasDisplay: platform !== 'linux' || nonEmpty(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']) !== undefined,
    installed: installedVsCode(platform),
    wanted: nonEmpty(env['PARLEY_HOST']),
    named: file === undefined ? undefined : { file, exists: existsSync(file) },
  };
}

function installedVsCode(platform: NodeJS.Platform): string | undefined {
  const onPath = findOnPath([platform === 'win32' ? 'code.cmd' : 'code']);
  const onMac = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
  return onPath ?? (platform === 'darwin' ? firstExisting([onMac]) : undefined);
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function none(message: string): Host {
  return { type: 'none', message };
}
