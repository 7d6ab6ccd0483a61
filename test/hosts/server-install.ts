import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { repository } from './repository';
import { mustRun } from './run-program';
import type { VsCodeRelease } from './vscode-versions';

export interface InstalledServer {
  /** The Node that this server wants. */
  readonly node: string;
  readonly main: string;
}

/** Returns the VS Code server of this release. The first use installs it from npm packages into `.vscode-test/`. */
export async function installServer(release: VsCodeRelease): Promise<InstalledServer> {
  const cache = path.join(repository, '.vscode-test');
  const home = path.join(cache, `server-${release.version}`);
  if (!existsSync(home)) {
    await mkdir(cache, { recursive: true });
    // Installs into a temporary folder and renames it: a folder with the final name is always complete.
    const unfinished = await mkdtemp(`${home}-unfinished-`);
    try {
      await install(release, unfinished);
      await moveInto(home, unfinished);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  const modules = path.join(home, 'node_modules');
  return {
    node: path.join(modules, 'node/bin/node'),
    main: path.join(modules, 'code-server/lib/vscode/out/server-main.js'),
  };
}

async function install(release: VsCodeRelease, folder: string): Promise<void> {
  console.log(`Installing the VS Code ${release.version} server (once, about half a minute) …`);
  // The packages' install scripts download some parts and build others; a server does not need them.
  const npmInstall = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
  // Without a package.json there, npm would install into this repository.
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  await mustRun('npm', [...npmInstall, `code-server@${release.codeServer}`, `node@${release.node}`], {
    cwd: folder,
  });
  const modules = path.join(folder, 'node_modules');
  await mustRun(process.execPath, ['installArchSpecificPackage.js'], { cwd: path.join(modules, 'node') });
  const vscode = path.join(modules, 'code-server/lib/vscode');
  await mustRun('npm', npmInstall, { cwd: vscode });
  await addSearch(vscode);
  await copyFile(
    path.join(__dirname, 'server-log.js'),
    path.join(vscode, 'node_modules/@vscode/spdlog/index.js'),
  );
}

/** Older versions download ripgrep in an install script; the ripgrep that Parley ships works as well. */
async function addSearch(vscode: string): Promise<void> {
  const ripgrep = path.join(vscode, 'node_modules/@vscode/ripgrep');
  if (!existsSync(ripgrep)) return;
  const ours = createRequire(__filename).resolve(
    `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
  );
  await mkdir(path.join(ripgrep, 'bin'), { recursive: true });
  await copyFile(ours, path.join(ripgrep, 'bin/rg'));
}

async function moveInto(home: string, installed: string): Promise<void> {
  try {
    await rename(installed, home);
  } catch (error) {
    // Another run may have been faster; its installation is equivalent.
    if (!existsSync(home)) throw error;
  }
}
