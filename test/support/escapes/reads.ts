import { renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { python, type Escape } from './escape';
import { startHelper, startSleeper } from './helper-processes';
import type { World } from './world';

const showsSecret = (world: World, printed: string): boolean => printed.includes(world.secret);

/** Reads of secrets in the workspace, the home folder, other folders and other processes. */
export const reads: readonly Escape[] = [
  ...[
    { name: 'read an SSH key', file: '~/.ssh/id_rsa' },
    { name: 'read a login', file: '~/.netrc' },
    { name: 'read a token of a package manager', file: '~/.npmrc' },
    { name: 'read logins of Docker', file: '~/.docker/config.json' },
    { name: 'read a token beside a toolchain on the PATH', file: '~/.cargo/credentials.toml' },
    { name: 'read data of the editor', file: '~/.config/Code/User/globalStorage/state.vscdb' },
  ].map(({ name, file }): Escape => ({ name, attempt: () => `cat ${file}`, succeeded: showsSecret })),
  {
    name: 'read an SSH key at a home that it may read',
    settings: () => ({ readPaths: ['~'] }),
    attempt: () => 'cat ~/.ssh/id_rsa',
    succeeded: showsSecret,
  },
  { name: 'read a secret file', attempt: () => 'cat .env', succeeded: showsSecret },
  {
    name: 'read a secret file after a change of its mode',
    attempt: () => 'chmod 644 .env; cat .env',
    succeeded: showsSecret,
  },
  {
    name: 'read a copy of a secret file',
    attempt: () => 'cp .env copy; cat copy',
    succeeded: showsSecret,
  },
  {
    name: 'read a renamed secret file',
    attempt: () => 'mv .env other; cat other',
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file by a hard link',
    attempt: () => 'ln .env other; cat other',
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file by a link',
    attempt: () => 'ln -s .env other; cat other',
    succeeded: showsSecret,
    leaves: ['other'],
  },
  {
    name: 'read a secret file that is a link',
    prepare: (world) => {
      renameSync(world.in('.env'), world.in('values'));
      symlinkSync('values', world.in('.env'));
    },
    attempt: () => 'cat .env values',
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file by its descriptor',
    attempt: () =>
      python(`
fd = os.open('.env', os.O_PATH)
print(open('/proc/self/fd/%d' % fd).read())`),
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file in a renamed folder',
    attempt: () => 'mv sub/deep sub/moved; cat sub/moved/.env',
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file with git',
    attempt: () => 'git diff --no-index /dev/null .env',
    succeeded: showsSecret,
  },
  {
    name: 'read a secret file below a folder that it may read',
    settings: ({ outside }) => ({ readPaths: [outside] }),
    attempt: ({ outside }) => `cat ${outside}/.env`,
    succeeded: showsSecret,
  },
  {
    name: 'read a newer secret file below a folder that it may read',
    settings: ({ outside }) => ({ readPaths: [outside] }),
    prepare: (world) => {
      rmSync(path.join(world.outside, '.env'));
      world.write(path.join(world.outside, 'new/server.key'), world.secret);
    },
    attempt: ({ outside }) => `cat ${outside}/new/server.key`,
    succeeded: showsSecret,
  },
  {
    name: 'read a secret link below a folder that it may read',
    settings: ({ outside }) => ({ readPaths: [outside] }),
    prepare: (world) => {
      rmSync(path.join(world.outside, '.env'));
      world.write(path.join(world.outside, 'values'), world.secret);
      symlinkSync('values', path.join(world.outside, 'server.key'));
    },
    attempt: ({ outside }) => `cat ${outside}/server.key`,
    succeeded: showsSecret,
  },
  {
    name: 'read a secret link in the workspace that leads to a folder that it may read',
    settings: ({ outside }) => ({ readPaths: [outside] }),
    prepare: (world) => {
      rmSync(world.in('.env'));
      world.write(path.join(world.outside, 'values'), world.secret);
      symlinkSync('../outside/values', world.in('.env'));
    },
    attempt: () => 'cat .env',
    succeeded: showsSecret,
  },
  {
    name: 'read a file outside through a link',
    prepare: (world) => symlinkSync(path.join(world.outside, '.env'), world.in('link')),
    attempt: () => 'cat link',
    succeeded: showsSecret,
  },
  {
    name: 'read a key in an address of git',
    attempt: () => 'git config remote.origin.url; cat .git/config',
    succeeded: showsSecret,
  },
  {
    name: 'read a key in an address of a repository that it may write to',
    settings: () => ({ git: 'write' }),
    attempt: () => 'git config remote.origin.url; cat .git/config',
    succeeded: showsSecret,
  },
  {
    name: 'read a key in FETCH_HEAD',
    prepare: (world) =>
      world.write('.git/FETCH_HEAD', `0\tbranch 'main' of https://me:${world.secret}@127.0.0.1/x\n`),
    attempt: () => 'cat .git/FETCH_HEAD',
    succeeded: showsSecret,
  },
  {
    name: 'read a key in an address of a submodule',
    prepare: (world) => {
      world.write('.git/modules/one/HEAD', 'ref: refs/heads/main\n');
      world.write(
        '.git/modules/one/config',
        `[remote "origin"]\n\turl = https://me:${world.secret}@127.0.0.1/y\n`,
      );
    },
    attempt: () => 'cat .git/modules/one/config',
    succeeded: showsSecret,
  },
  ...['env', 'cat /proc/self/environ', 'cat /proc/1/environ /proc/$PPID/environ'].map((attempt): Escape => ({
    name: `read the environment of Parley: ${attempt}`,
    prepare: (world) => {
      process.env['PARLEY_TEST_HELD'] = world.secret;
      world.after(() => void delete process.env['PARLEY_TEST_HELD']);
    },
    // The first process belongs to the test only inside the sandbox.
    attempt: () =>
      attempt.includes('/1/') ? `[ -e /proc/2 ] && [ ! -e /proc/100 ] && cat /proc/1/environ; env` : attempt,
    succeeded: showsSecret,
  })),
  {
    name: 'read the environment of a process outside',
    prepare: startSleeper,
    attempt: ({ sleeper }) => `tr '\\0' '\\n' < /proc/${sleeper}/environ`,
    succeeded: (world, printed) => printed.includes(`HELD=${world.secret}`),
  },
  {
    name: 'read the command line of a process outside',
    prepare: startSleeper,
    attempt: ({ sleeper }) => `tr '\\0' ' ' < /proc/${sleeper}/cmdline`,
    succeeded: showsSecret,
  },
  {
    name: 'read a file by the root of a process outside',
    prepare: startSleeper,
    attempt: ({ sleeper, home }) => `cat /proc/${sleeper}/root${home}/.netrc`,
    succeeded: showsSecret,
  },
  {
    name: 'read a file that a process outside has open',
    prepare: async (world) => {
      const script =
        'import os, sys, time; os.dup2(os.open(sys.argv[1], 0), 9); print("up", flush=True); time.sleep(30)';
      const child = await startHelper(world, ['python3', '-c', script, path.join(world.outside, '.env')]);
      world.sleeper = child.pid ?? 0;
    },
    attempt: ({ sleeper }) => `cat /proc/${sleeper}/fd/9`,
    succeeded: showsSecret,
  },
  {
    name: 'read memory of a process outside',
    prepare: (world) => startBuffer(world),
    attempt: ({ sleeper, address }) =>
      python(`
class Span(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]
found = ctypes.create_string_buffer(64)
here, there = Span(ctypes.addressof(found), 64), Span(${address}, 64)
if C.process_vm_readv(${sleeper}, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0: print(found.value.decode())`),
    succeeded: showsSecret,
    needs: 'a kernel that lets a process read another one of the same user',
  },
  {
    name: 'read shared memory of System V',
    prepare: async (world) => {
      const script = `
import ctypes, sys, time
C = ctypes.CDLL(None); C.shmat.restype = ctypes.c_void_p
shm = C.shmget(0, 4096, 0o1600)
at = C.shmat(shm, None, 0)
ctypes.memmove(at, sys.argv[1].encode(), len(sys.argv[1]))
print(shm, flush=True)
sys.stdin.read()
C.shmctl(shm, 0, None)`;
      world.address = (await startHelper(world, ['python3', '-c', script, world.secret], {}, 'asked')).said;
    },
    attempt: ({ address }) =>
      python(`
C.shmat.restype = ctypes.c_void_p
at = C.shmat(${address}, None, 0o10000)
if at not in (None, 2**64 - 1): print(ctypes.string_at(at).decode())`),
    succeeded: showsSecret,
  },
  {
    name: 'read a file in shared memory',
    prepare: (world) => {
      const file = `/dev/shm/parley-escapes-${process.pid}`;
      world.write(file, world.secret, 0o600);
      world.after(() => rmSync(file));
    },
    attempt: () => `cat /dev/shm/parley-escapes-${process.pid}`,
    succeeded: showsSecret,
  },
  {
    name: 'read a file in the temporary folder',
    attempt: ({ outside }) => `cat ${outside}/.env`,
    succeeded: showsSecret,
  },
];

/** A process that holds the secret at an address that it prints. */
async function startBuffer(world: World): Promise<void> {
  const script =
    'import ctypes, sys, time; held = ctypes.create_string_buffer(sys.argv[1].encode(), 64); print(ctypes.addressof(held), flush=True); time.sleep(30)';
  const child = await startHelper(world, ['python3', '-c', script, world.secret]);
  world.sleeper = child.pid ?? 0;
  world.address = child.said;
}
