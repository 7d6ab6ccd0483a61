import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** A workspace with protected and secret files, a home, and folders around both. All of it belongs to the test. */
export class World {
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  /** The contents of secret files. */
  readonly secret = 'canary-4d1f';
  /** The id of a process of the test, if a row has started one. */
  sleeper = 0;
  /** The address that a helper process has printed. */
  address = '';
  /** The data that a process outside has received in this row. */
  heard = '';
  private readonly template: string;
  private pristine: ReadonlyMap<string, string> | undefined;
  private readonly cleanups: (() => void | Promise<void>)[] = [];

  /** `top`: an empty folder, links resolved. */
  constructor(readonly top: string) {
    this.workspace = path.join(top, 'here/workspace');
    this.outside = path.join(top, 'here/outside');
    this.home = path.join(top, 'here/home');
    this.template = path.join(top, 'template');
    this.build();
  }

  /** Restores the initial state. */
  reset(): void {
    this.heard = '';
    const here = path.join(this.top, 'here');
    if (this.pristine && isDeepStrictEqual(this.snapshot(), this.pristine)) return;
    try {
      rmSync(here, { recursive: true });
    } catch {
      execFileSync('chmod', ['-R', 'u+rwX', here]);
      rmSync(here, { recursive: true });
    }
    cpSync(this.template, here, { recursive: true, verbatimSymlinks: true });
    this.pristine ??= this.snapshot();
  }

  /** Registers a function to call when the row is over. */
  after(cleanup: () => void | Promise<void>): void {
    this.cleanups.push(cleanup);
  }

  async cleanUp(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }

  in(place: string): string {
    return path.join(this.workspace, place);
  }

  /** Writes a file of the workspace, or at an absolute path; creates its folders. */
  write(place: string, content: string, mode = 0o644): void {
    const file = path.resolve(this.workspace, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    chmodSync(file, mode);
  }

  /** Returns the text of a file, empty if it does not exist. */
  read(place: string): string {
    try {
      return readFileSync(path.resolve(this.workspace, place), 'utf8');
    } catch {
      return '';
    }
  }

  /** Whether the file holds the text that attempts write. */
  isSpoilt(place: string): boolean {
    return this.read(place).includes('spoilt');
  }

  /** Whether something exists at this path. */
  has(place: string): boolean {
    try {
      lstatSync(path.resolve(this.workspace, place));
      return true;
    } catch {
      return false;
    }
  }

  git(...words: readonly string[]): string {
    return execFileSync('git', ['-C', this.workspace, ...words], {
      encoding: 'utf8',
      env: this.gitEnvironment,
    });
  }

  /** Returns everything by its path, with a text that would show a change. */
  snapshot(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const look = (folder: Buffer): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
        const file = Buffer.concat([folder, Buffer.from('/'), entry.name]);
        const { mode, size } = lstatSync(file);
        const content = entry.isFile()
          ? createHash('sha256').update(readFileSync(file)).digest('hex')
          : entry.isSymbolicLink()
            ? readlinkSync(file)
            : '';
        const folderSize = entry.isDirectory() ? '' : String(size);
        found.set(file.toString('latin1'), [mode.toString(8), folderSize, content].join(' '));
        if (entry.isDirectory() && (mode & 0o500) === 0o500) look(file);
      }
    };
    look(Buffer.from(path.join(this.top, 'here')));
    return found;
  }

  private build(): void {
    const here = path.join(this.top, 'here');
    for (const folder of [this.workspace, this.outside, this.home]) mkdirSync(folder, { recursive: true });
    this.git('init', '-q', '--template=', '-b', 'main');
    this.git('config', 'remote.origin.url', `https://me:${this.secret}@127.0.0.1/x.git`);
    this.write('a.txt', 'a\n');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'first');
    this.write('.git/hooks/pre-commit', '#!/bin/sh\n', 0o755);
    this.write('.git/hooks/pre-push', '#!/bin/sh\n');
    this.write('.vscode/settings.json', '{}\n');
    this.write('.mcp.json', '{}\n');
    this.write('.env', `TOKEN=${this.secret}\n`);
    this.write('sub/.vscode/settings.json', '{}\n');
    this.write('sub/deep/.env', `TOKEN=${this.secret}\n`);
    this.write('src/main.js', '1;\n');
    this.write(path.join(this.outside, 'victim.txt'), 'untouched\n');
    this.write(path.join(this.outside, '.env'), `TOKEN=${this.secret}\n`);
    for (const file of ['.ssh/id_rsa', '.netrc', '.npmrc', '.docker/config.json', '.cargo/credentials.toml'])
      this.write(path.join(this.home, file), `${this.secret}\n`, 0o600);
    this.write(path.join(this.home, '.config/Code/User/globalStorage/state.vscdb'), this.secret);
    this.write(path.join(this.home, '.cargo/bin/tool'), '#!/bin/sh\necho tool\n', 0o755);
    this.write(path.join(this.home, '.bashrc'), '# mine\n');
    execFileSync('mv', [here, this.template]);
    mkdirSync(here);
  }

  private get gitEnvironment(): NodeJS.ProcessEnv {
    const who = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    return { ...who, PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
  }
}
