import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSandbox, type SandboxSettings } from '../../../../src/node/sandbox/settings';
import { isSandboxAvailable } from '../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux, long } from '../../../support/platform';

/** Typical work of agents. */
interface Job {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  /** `place`: its folder, links resolved; `folder`: one around the workspace. */
  readonly prepare?: (place: string, folder: string) => void | Promise<void>;
  readonly command: string;
  readonly prints: RegExp;
  /** What the same command prints when it runs once more. */
  readonly printsAgain?: RegExp;
  /** A program without which it is skipped. */
  readonly needs?: string;
  readonly settings?: Partial<SandboxSettings>;
  /** Compiles for seconds: only in the long line. */
  readonly isLong?: true;
}

const COMPILER = path.resolve('node_modules/typescript');

const jobs: readonly Job[] = [
  {
    name: 'a script of node',
    files: {
      'a.mjs': `import os from 'node:os'; console.log('sum', [1, 2].reduce((a, b) => a + b), os.EOL.length)`,
    },
    command: 'node a.mjs',
    prints: /^sum 3 1$/mu,
  },
  {
    name: 'npm test',
    files: {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'a.test.js': `require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2))`,
    },
    command: 'npm test',
    prints: /pass 1/u,
    needs: 'npm',
  },
  {
    name: 'worker threads and child processes of node',
    files: {
      'a.mjs': `
import { Worker } from 'node:worker_threads';
import { execFileSync, fork } from 'node:child_process';
if (process.argv[2] === 'child') process.send('from a child');
else {
  console.log(execFileSync('echo', ['from a program']).toString().trim());
  new Worker("require('node:worker_threads').parentPort.postMessage('from a thread')", { eval: true }).on('message', (text) => console.log(text));
  fork('a.mjs', ['child']).on('message', (text) => console.log(text));
}`,
    },
    command: 'node a.mjs | sort',
    prints: /^from a child\nfrom a program\nfrom a thread$/mu,
  },
  {
    name: 'the compiler of TypeScript',
    isLong: true,
    files: {
      'a.ts': 'export const one: number = 1;\n',
      'tsconfig.json': '{"compilerOptions":{"strict":true}}',
    },
    command: `node ${COMPILER}/lib/tsc.js -p . && cat a.js`,
    prints: /exports\.one = 1|export const one = 1/u,
    settings: { readPaths: [COMPILER, ...nativeCompilers()] },
  },
  {
    name: 'a script of python with processes of its own',
    files: {
      'a.py': `
import multiprocessing, tempfile, sqlite3, subprocess
def double(x): return 2 * x
if __name__ == '__main__':
    with multiprocessing.Pool(2) as pool: print(pool.map(double, [1, 2]))
    with tempfile.NamedTemporaryFile() as made: print(made.name.startswith('/tmp/'))
    print(sqlite3.connect('a.db').execute('select 3').fetchone()[0])
    print(subprocess.run(['echo', 'four'], capture_output=True, text=True).stdout)`,
    },
    command: 'python3 a.py',
    prints: /^\[2, 4\]\nTrue\n3\nfour$/mu,
    needs: 'python3',
  },
  {
    name: 'pytest',
    files: { 'test_a.py': 'def test_a(tmp_path):\n    (tmp_path / "a").write_text("a")\n' },
    command: 'pytest -q',
    prints: /1 passed/u,
    needs: 'pytest',
  },
  {
    name: 'make and a C compiler',
    files: {
      Makefile: 'a: a.c\n\tgcc -O1 -o a a.c\n',
      'a.c': '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n',
    },
    command: 'make -s && ./a',
    prints: /^compiled$/mu,
    needs: 'gcc',
  },
  {
    name: 'go run',
    isLong: true,
    files: {
      'go.mod': 'module a\n\ngo 1.18\n',
      'main.go': 'package main\n\nfunc two() int { return 2 }\n\nfunc main() { println(two()) }\n',
    },
    command: 'go run . && go list .',
    prints: /^2\na$/mu,
    needs: 'go',
  },
  {
    name: 'cargo build',
    isLong: true,
    files: {
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2018"\n',
      'src/main.rs': 'fn main() { println!("built"); }\n',
    },
    command: 'cargo build -q && ./target/debug/a',
    prints: /^built$/mu,
    needs: 'cargo',
  },
  {
    name: 'reading a repository',
    files: { 'a.txt': 'one\n' },
    prepare: (place) => commitAll(place),
    command:
      'echo two >> a.txt; git status --short; git diff | tail -1; git log --format=%s; git show --stat | tail -1; git blame -s a.txt | head -1; git grep -c one',
    prints: /^ M a\.txt\n\+two\nfirst\n 1 file changed.*\n\^?[\da-f]+ 1\) one\na\.txt:1$/mu,
  },
  {
    name: 'reading a repository whose settings hold a key',
    files: { 'a.txt': 'one\n' },
    prepare: (place) => {
      commitAll(place);
      git(place, 'remote', 'add', 'origin', 'https://me:canary@127.0.0.1/x.git');
    },
    command: 'git status --short --branch; git remote -v; git config remote.origin.url; git log --format=%s',
    prints:
      /^## main\norigin\thttps:\/\/127\.0\.0\.1\/x\.git \(fetch\)\n.*\nhttps:\/\/127\.0\.0\.1\/x\.git\nfirst$/mu,
  },
  {
    name: 'committing if that is allowed',
    files: { 'a.txt': 'one\n' },
    settings: { git: 'write' },
    prepare: (place) => commitAll(place),
    command:
      'git switch -qc other && echo two >> a.txt && git -c user.name=a -c user.email=a@b commit -qam second && git stash list && git log --format=%s',
    prints: /^second\nfirst$/mu,
  },
  {
    name: 'a further working tree',
    files: { 'a.txt': 'one\n' },
    prepare: async (root, folder) => {
      commitAll(root);
      const main = path.join(folder, 'main');
      await rename(root, main);
      git(main, 'worktree', 'add', '-q', '-b', 'other', root);
    },
    command: 'git status --short --branch; git log --format=%s',
    prints: /^## other\nfirst$/mu,
  },
  {
    name: 'a submodule',
    prepare: async (root, folder) => {
      const other = path.join(folder, 'other');
      await mkdir(other);
      git(other, 'init', '-q', '-b', 'main');
      git(other, 'commit', '-q', '--allow-empty', '-m', 'of the submodule');
      commitAll(root);
      git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'part');
    },
    command: 'git -C part log --format=%s; git -C part status --short --branch',
    prints: /^of the submodule\n## main/mu,
  },
  {
    name: 'finding and replacing in files',
    files: { 'src/a.txt': 'one two\n', 'src/b.txt': 'two three\n' },
    command:
      "find src -name '*.txt' | sort | xargs -n1 -P2 grep -l two | sort; sed -i s/two/2/ src/*.txt; awk '{ print $1 }' src/b.txt; printf '%s\\n' x y | xargs -I{} sh -c 'echo got {}'",
    prints: /^src\/a\.txt\nsrc\/b\.txt\n2\ngot x\ngot y$/mu,
  },
  {
    name: 'making, moving and removing files and folders',
    files: { 'old/a.txt': 'one\n' },
    command:
      'mkdir -p new/deep && mv old/a.txt new/deep && rmdir old && ln -s deep/a.txt new/link && cp -r new copy && chmod +x copy/deep/a.txt && cat copy/link && ls -l copy/deep | tail -1 | cut -c1-10',
    prints: /^one\n-rwx/mu,
  },
  {
    name: 'temporary files',
    command:
      'made=$(mktemp) && echo kept > "$made" && cat "$made" && mktemp -d && touch /var/tmp/a ~/.cache/b && echo all',
    prints: /^kept\n\/tmp\/tmp\.\S+\nall$/mu,
  },
  {
    name: 'what needs a cache that the command before has filled',
    command: 'cat ~/.cache/parley-jobs || { echo filled > ~/.cache/parley-jobs; echo empty; }',
    prints: /empty$/mu,
    printsAgain: /^filled$/mu,
  },
  {
    name: 'a server on its own loopback, with a client',
    files: { 'a.txt': 'served\n' },
    command: `node -e "
const http = require('node:http');
const server = http.createServer((_, response) => response.end(require('node:fs').readFileSync('a.txt')));
server.listen(0, 'localhost', async () => {
  console.log(await (await fetch('http://localhost:' + server.address().port)).text());
  server.close();
});"`,
    prints: /^served$/mu,
  },
  {
    name: 'a terminal of its own',
    command: `python3 -c "import pty; pty.spawn(['sh', '-c', 'test -t 0 && tty'])"`,
    prints: /^\/dev\/pts\/\d+\r?$/mu,
    needs: 'python3',
  },
  {
    name: 'the time zone and the locale',
    command: 'TZ=Asia/Tokyo date -d @0 +%H:%M; LC_ALL=C.UTF-8 locale charmap; date +%Y',
    prints: /^09:00\nUTF-8\n20\d\d$/mu,
  },
  {
    name: 'archives',
    files: { 'src/a.txt': 'one\n' },
    command:
      'tar czf a.tar.gz src && mkdir out && tar xzf a.tar.gz -C out && gzip -c src/a.txt | gunzip && cat out/src/a.txt',
    prints: /^one\none$/mu,
  },
  {
    name: 'many processes and much output',
    command:
      'seq 1 50000 | sort -rn | head -1; for i in $(seq 50); do echo $i & done | sort -n | tail -1; wait',
    prints: /^50000\n50$/mu,
  },
];

linux.describe('ordinary work in the sandbox', function () {
  this.timeout(60_000);
  let folder: string;
  let scratch: ScratchWorkspace;
  let settings: SandboxSettings;
  let cleanUp = (): Promise<void> => Promise.resolve();

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-jobs-')));
    // Behind a link, like some people's projects.
    await mkdir(path.join(folder, 'real'));
    await symlink('real', path.join(folder, 'workspace'));
    const sandbox = { settings: () => settings, stateFolder: path.join(folder, 'state') };
    scratch = ScratchWorkspace.over(path.join(folder, 'workspace'), { sandbox });
    cleanUp = async () => {
      await scratch.dispose();
      await rm(folder, { recursive: true, force: true });
    };
  });
  after(() => cleanUp());

  for (const [number, job] of jobs.entries()) {
    (job.isLong ? long : { it }).it(`does ${job.name}`, async function () {
      if (job.needs !== undefined && !isInstalled(job.needs)) this.skip();
      const { files = {}, prepare, command, prints, printsAgain } = job;
      settings = { ...noSandbox, isEnabled: true, runUnasked: true, ...job.settings };
      const place = `job-${number}`;
      await mkdir(scratch.path(place));
      for (const [file, text] of Object.entries(files)) await scratch.write(`${place}/${file}`, text);
      await prepare?.(path.join(folder, 'real', place), folder);
      assert.match(await run(command, place), prints);
      if (printsAgain) assert.match(await run(command, place), printsAgain);
    });
  }

  async function run(command: string, place: string): Promise<string> {
    const cwd = await scratch.files.resolve(place, 'list');
    const options = { command, cwd, inSandbox: true, keepLog: true, timeoutMs: 50_000 };
    const started = await scratch.processes.start(options, new AbortController().signal);
    const { how, sandbox: report } = await started.ended;
    const { head } = started.log.excerpt();
    assert.deepEqual(how, { type: 'exited', code: 0, leftRunning: false }, head);
    assert.deepEqual([report?.removed, report?.remaining], [[], []]);
    return head;
  }
});

/** The compiler may be a program of its own for each platform. */
function nativeCompilers(): readonly string[] {
  const folder = path.resolve('node_modules/@typescript');
  return existsSync(folder) ? [folder] : [];
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function git(folder: string, ...words: readonly string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', ['-C', folder, ...who, ...words], { stdio: 'ignore' });
}

function commitAll(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
}
