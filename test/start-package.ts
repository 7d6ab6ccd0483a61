// `npm run test:package`: makes the package of this platform, installs it into a separate VS Code and checks that it
// starts.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseHost, lookAround } from './hosts/choose-host';
import { runTestsInDesktop } from './hosts/desktop';
import { repository } from './hosts/repository';
import { mustRun, tail } from './hosts/run-program';
import { copySampleWorkspace } from './hosts/sample-workspace';
import { runTestsInServer } from './hosts/server-tests';
import { trusted } from './hosts/settings';
import { workbenchRelease } from './hosts/vscode-versions';

async function main(): Promise<void> {
  const host = chooseHost('tests', lookAround());
  if (host.type === 'none') throw new Error(host.message);
  const made = await mkdtemp(path.join(tmpdir(), 'parley-vsix-'));
  const folder = await copySampleWorkspace();
  try {
    const file = await makePackage(made);
    console.log(`${path.basename(file)} in VS Code ${workbenchRelease.version}, ${host.type}`);
    const run = {
      release: workbenchRelease,
      folder,
      packages: [file],
      // VS Code runs tests only if an extension is under development.
      extensions: [path.join(repository, 'test/fixtures/test-host')],
      tests: path.join(__dirname, 'installed/index.js'),
      settings: trusted,
      env: {},
      print: (line: string) => console.log(line),
    };
    const end =
      host.type === 'server' ? await runTestsInServer(run) : await runTestsInDesktop(run, host.executable);
    if (!end.passed) throw new Error(`The package did not start well. VS Code said last:\n${tail(end.log)}`);
  } finally {
    for (const each of [made, path.dirname(folder)]) {
      await rm(each, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

async function makePackage(into: string): Promise<string> {
  const target = `${process.platform}-${process.arch}`;
  await mustRun(process.execPath, ['package.mjs', target, '--out', into], { cwd: repository });
  const [name = ''] = await readdir(into);
  return path.join(into, name);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
