// `npm run film`: the first steps of a new user as pictures in out/film, from the installed package to the end of
// the first task. Uses the model server that runs on this machine, counts clicks and keys, and prints the time.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ParleyWindow, until } from './e2e/parley-window';
import { repository } from './hosts/repository';

const pictures = path.join(repository, 'out', 'film');

const FILES = {
  'package.json': '{ "name": "greeter", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/greet.js':
    '/** Greets somebody by name. */\nexport function greet(name) {\n  return `Hello, ${name}!`;\n}\n',
};

/** The package of this platform, in a separate folder. */
function makePackage(folder: string): string {
  execFileSync(process.execPath, ['package.mjs', '--out', folder], { cwd: repository, stdio: 'pipe' });
  const ours = readdirSync(folder).find((name) => name.includes(process.platform));
  if (ours === undefined) throw new Error('There is no package for this platform.');
  return path.join(folder, ours);
}

async function main(): Promise<void> {
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-film-'));
  try {
    await film(makePackage(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function film(file: string): Promise<void> {
  const window = await ParleyWindow.open({
    extensions: [],
    packages: [file],
    files: FILES,
    viewport: { width: 1100, height: 900 },
  });
  const started = performance.now();
  let clicks = 0;
  let keys = 0;
  let shots = 0;
  const { page } = window.workbench;
  const shoot = async (what: string): Promise<void> => {
    shots += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${shots}. ${what} (${clicks} clicks, ${keys} keys, ${seconds} s)`);
    await page.screenshot({ path: path.join(pictures, `${String(shots).padStart(2, '0')}.png`) });
  };
  const click = async (target: Locator): Promise<void> => {
    await target.click();
    clicks += 1;
  };
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    keys += 1;
  };
  const list = page.locator('.quick-input-widget');
  const step = async (title: RegExp, timeout = 60_000): Promise<void> => {
    await until(() => list.innerText(), title, timeout);
  };
  try {
    await window.button('Look for models on this machine').waitFor();
    await shoot('The chat, opened for the first time');
    await click(window.button('Look for models on this machine'));
    await step(/\(3\/5\)[^]*llama/);
    await shoot('The models of this machine');
    await press('Enter');
    // The connection test shows no question if the model answers.
    await step(/\(5\/5\)/, 300_000);
    await shoot('The model is tested, and its protocol is asked for');
    await press('Enter');
    await list.waitFor({ state: 'hidden' });
    await until(() => window.picked('Model'), /^(?!demo)/);
    await shoot('The model is there and picked');
    await click(window.button('Explain src/greet.js'));
    await press('Enter');
    // A small model on a small machine is slow.
    await window.button('Send').waitFor({ timeout: 600_000 });
    await shoot('The first task has ended');
    console.log(`The end of the conversation:\n${(await window.log.innerText()).trim().slice(-500)}`);
  } finally {
    await window.close();
  }
}

void main();
