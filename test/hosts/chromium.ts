import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { findOnPath, firstExisting } from './find-program';
import { runProgram } from './run-program';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless Chromium with a fresh profile. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...flags, ...more] });
}

/** Returns the path of a Chromium: named by the environment, installed, or downloaded now. */
export async function findChromium(): Promise<string> {
  const found = named() ?? installed() ?? (await downloaded()) ?? (await fromDebian());
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium was found and none could be installed: install Chromium, Chrome or Edge, or set PARLEY_CHROMIUM to its path.',
  );
}

function named(): string | undefined {
  for (const name of ['PARLEY_CHROMIUM', 'CHROME_PATH']) {
    const file = process.env[name];
    if (file === undefined || file === '') continue;
    if (existsSync(file)) return file;
    throw new Error(
      `${name} is ${file}, which does not exist: correct it, or unset it to search for a browser.`,
    );
  }
  return undefined;
}

function installed(): string | undefined {
  if (process.platform === 'darwin') {
    return firstExisting(
      ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      ),
    );
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(
      (name) => process.env[name] ?? [],
    );
    const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return firstExisting(roots.flatMap((root) => programs.map((program) => path.join(root, program))));
  }
  // The headless shell comes first: it has no browser windows and takes half the processor time.
  return findOnPath([
    ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    ...['microsoft-edge', 'microsoft-edge-stable'],
  ]);
}

async function downloaded(): Promise<string | undefined> {
  const file = chromium.executablePath();
  if (existsSync(file)) return file;
  console.log('Downloading Chromium (once) …');
  const cli = path.join(
    path.dirname(createRequire(__filename).resolve('playwright-core/package.json')),
    'cli.js',
  );
  // Without a network this fails within seconds; then the next source is tried.
  await runProgram(process.execPath, [cli, 'install', 'chromium', '--no-shell'], { timeout: 300_000 });
  return existsSync(file) ? file : undefined;
}

async function fromDebian(): Promise<string | undefined> {
  const apt = findOnPath(['apt-get']);
  if (apt === undefined || process.getuid?.() !== 0) return undefined;
  console.log('Installing the Chromium package (once) …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runProgram(apt, ['update'], { env });
  const wait = 'DPkg::Lock::Timeout=300';
  // Older releases of Debian and its derivatives have no separate package for the headless shell.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    await runProgram(apt, ['install', '-y', '--no-install-recommends', '-o', wait, name], { env });
    const file = installed();
    if (file !== undefined) return file;
  }
  return undefined;
}
