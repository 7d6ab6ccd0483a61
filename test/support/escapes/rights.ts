import { chmodSync, chownSync, copyFileSync, existsSync, lstatSync } from 'node:fs';
import { python, saysSo, type Escape } from './escape';
import { startSleeper } from './helper-processes';
import type { World } from './world';

const SET_ID = 0o6000;
const hasSetId = (file: string) => (world: World) =>
  world.has(file) && (lstatSync(world.in(file)).mode & SET_ID) !== 0;

interface Call {
  readonly name: string;
  /** Prints the success message if it worked. */
  readonly script: string;
  readonly isRoots?: boolean;
  readonly needs?: string;
}

/** Numbers of system calls on x64 and arm64. */
const number = (x64: number, arm64: number): number => (process.arch === 'arm64' ? arm64 : x64);

/** Operations that the kernel itself must refuse. Files opened for writing are not written. */
const calls: readonly Call[] = [
  {
    name: 'open a kernel setting that starts programs',
    script: `os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY); done()`,
    isRoots: true,
  },
  {
    name: 'open the log of the kernel for writing',
    script: `os.open('/dev/kmsg', os.O_WRONLY); done()`,
    isRoots: true,
    needs: 'a log of the kernel in /dev',
  },
  {
    name: 'open the release agent of a control group',
    script: `
import glob
os.open(glob.glob('/sys/fs/cgroup/*/release_agent')[0], os.O_WRONLY); done()`,
    isRoots: true,
    needs: 'control groups of the first version',
  },
  { name: 'get a user namespace', script: `call(${number(272, 97)}, 0x10000000); done()` },
  { name: 'get a mount namespace', script: `call(${number(272, 97)}, 0x20000); done()`, isRoots: true },
  { name: 'get a network namespace', script: `call(${number(272, 97)}, 0x40000000); done()`, isRoots: true },
  {
    name: 'get a user namespace by clone',
    script: `
pid = call(${number(56, 220)}, 0x10000000 | 17, 0, 0, 0, 0)
if pid == 0: os._exit(0)
os.waitpid(pid, 0); done()`,
  },
  {
    name: 'get a user namespace by clone3',
    script: `
args = (ctypes.c_uint64 * 8)(0x10000000, 0, 0, 0, 17, 0, 0, 0)
pid = call(435, args, 64)
if pid == 0: os._exit(0)
os.waitpid(pid, 0); done()`,
  },
  {
    name: 'join a namespace',
    script: `call(${number(308, 268)}, os.open('/proc/self/ns/uts', 0), 0); done()`,
    isRoots: true,
  },
  {
    name: 'make a file system',
    script: `call(430, b'tmpfs', 0); done()`,
    isRoots: true,
  },
  {
    name: 'copy a tree of mounts',
    script: `call(428, -100, b'.', 1); done()`,
    isRoots: true,
  },
  { name: 'change the root', script: `os.chroot('.'); done()`, isRoots: true },
  { name: 'become another user', script: `os.setuid(1); done()`, isRoots: true },
  {
    name: 'start a ring of system calls',
    script: `call(425, 1, ctypes.create_string_buffer(256)); done()`,
    needs: 'a kernel that lets this user have io_uring',
  },
  {
    name: 'add a key to a keyring',
    script: `call(${number(248, 217)}, b'user', b'parley-test', b'x', 1, -2); done()`,
    needs: 'a kernel with keyrings',
  },
  {
    name: 'look for a keyring',
    script: `call(${number(250, 219)}, 0, -2, 1); done()`,
    needs: 'a kernel with keyrings',
  },
  {
    name: 'measure with perf_event_open',
    script: `
attributes = ctypes.create_string_buffer(128)
ctypes.memmove(attributes, (ctypes.c_uint32 * 2)(1, 128), 8)
ctypes.c_uint64.from_buffer(attributes, 40).value = 0x61
call(${number(298, 241)}, attributes, 0, -1, -1, 0); done()`,
    needs: 'a kernel that lets this user measure',
  },
  {
    name: 'make a map for programs of the kernel',
    script: `call(${number(321, 280)}, 0, (ctypes.c_uint32 * 32)(2, 4, 4, 1), 128); done()`,
    isRoots: true,
    needs: 'a kernel with bpf',
  },
  {
    name: 'handle page faults',
    script: `call(${number(323, 282)}, 1); done()`,
    needs: 'a kernel with userfaultfd',
  },
  {
    name: 'name a file by a handle',
    script: `
handle = (ctypes.c_uint32 * 64)(128)
call(${number(303, 264)}, -100, b'.', handle, ctypes.create_string_buffer(8), 0); done()`,
  },
  {
    name: 'watch a file system',
    script: `call(${number(300, 262)}, 0x200, 0); done()`,
    needs: 'a kernel that lets this user watch with fanotify',
  },
  {
    name: 'ask for the log of the kernel',
    script: `call(${number(103, 116)}, 10, 0, 0); done()`,
    needs: 'a kernel that lets this user ask',
  },
  {
    name: 'put characters into the input of a terminal',
    script: `
import fcntl, pty
fcntl.ioctl(pty.openpty()[1], 0x5412, b'x'); done()`,
    isRoots: true,
    needs: 'a kernel that lets root do so',
  },
  {
    name: 'put characters into the input of a terminal, with more in the upper half of the request',
    script: `
import pty
call(${number(16, 29)}, pty.openpty()[1], ctypes.c_ulong(0x7fff00005412), ctypes.create_string_buffer(b'x')); done()`,
    isRoots: true,
    needs: 'a kernel that lets root do so',
  },
];

/** Files that would run with the rights of their owner. */
const setIds: readonly Escape[] = [
  { name: 'make a program setuid', attempt: () => 'cp /bin/true mine; chmod u+s mine' },
  { name: 'make a program setgid', attempt: () => 'cp /bin/true mine; chmod g+s mine' },
  {
    name: 'open a file as setuid',
    attempt: () => python(`os.umask(0); os.open('mine', os.O_CREAT | os.O_WRONLY, 0o4755)`),
  },
  {
    name: 'make a setuid file with mknod',
    attempt: () => python(`os.umask(0); os.mknod('mine', 0o104755)`),
  },
  {
    name: 'make a file setuid by its descriptor',
    attempt: () => python(`os.fchmod(os.open('mine', os.O_CREAT | os.O_WRONLY, 0o755), 0o4755)`),
  },
  {
    name: 'make a file setuid by fchmodat2',
    attempt: () => python(`open('mine', 'w'); call(452, -100, b'mine', 0o4755, 0)`),
    needs: 'a kernel with fchmodat2',
  },
  {
    name: 'open a file as setuid by openat2',
    attempt: () =>
      python(`
how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, 0o4755, 0)
os.umask(0); call(437, -100, b'mine', how, 24)`),
  },
  {
    name: 'open a nameless file as setuid and give it a name',
    attempt: () =>
      python(`
os.umask(0)
fd = os.open('.', os.O_TMPFILE | os.O_WRONLY, 0o4755)
os.link('/proc/self/fd/%d' % fd, 'mine', src_dir_fd=0, follow_symlinks=True)`),
  },
  {
    name: 'copy a setuid program with its mode',
    prepare: (world: World) => world.write('given', '#!/bin/true\n', 0o4755),
    attempt: () => 'cp -p given mine',
  },
  {
    name: 'make a file setuid by the calls of 32 bits',
    attempt: () =>
      python(`
import mmap
open('mine', 'w')
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
at = C.mmap(None, 4096, 7, 0x62, -1, 0)
ctypes.memmove(at + 256, b'mine\\0', 5)
number = lambda value: value.to_bytes(4, 'little')
code = b'\\x53\\xb8' + number(15) + b'\\xbb' + number(at + 256) + b'\\xb9' + number(0o4755) + b'\\xcd\\x80\\x5b\\xc3'
ctypes.memmove(at, code, len(code))
ctypes.CFUNCTYPE(ctypes.c_int)(at)()`),
    needs: 'an x64 kernel with calls of 32 bits',
  },
  {
    name: 'make a file setuid by the calls of x32',
    attempt: () => python(`open('mine', 'w'); call(0x40000000 | 90, b'mine', 0o4755)`),
    needs: 'a kernel with calls of x32',
  },
].map((row) => ({ ...row, succeeded: hasSetId('mine'), leaves: ['mine'] }));

/** Operations on the system and on other processes that a command must not do. */
export const rights: readonly Escape[] = [
  ...calls.map(({ script, ...row }): Escape => ({
    ...row,
    attempt: () => python(script),
    succeeded: saysSo,
  })),
  ...setIds,
  {
    name: 'make a character device',
    attempt: () => 'mknod mine c 1 3',
    succeeded: (world) => world.has('mine'),
    isRoots: true,
  },
  {
    name: 'make a block device',
    attempt: () => 'mknod mine b 7 200',
    succeeded: (world) => world.has('mine'),
    isRoots: true,
  },
  {
    name: 'give a file to another user',
    attempt: () => 'touch mine; chown 1:1 mine',
    succeeded: (world) => world.has('mine') && lstatSync(world.in('mine')).uid === 1,
    isRoots: true,
    leaves: ['mine'],
  },
  {
    name: 'give a program capabilities',
    attempt: () =>
      python(`
open('mine', 'w')
os.setxattr('mine', 'security.capability', bytes.fromhex('0100000200200000002000000000000000000000'))
done()`),
    succeeded: saysSo,
    isRoots: true,
    leaves: ['mine'],
  },
  {
    name: 'mount in the workspace',
    attempt: () => 'mkdir mine; mount -t tmpfs none mine && { umount mine; echo It was done.; }',
    succeeded: saysSo,
    isRoots: true,
    leaves: ['mine'],
  },
  {
    name: 'mount in new namespaces',
    attempt: () => `unshare -Urm mount --bind ../outside src && echo It was done.`,
    succeeded: saysSo,
    needs: 'user namespaces for this user',
  },
  {
    name: 'replace the root in new namespaces',
    attempt: () =>
      `unshare -Urm sh -c 'mkdir src/old && mount --bind src src && cd src && PATH=$PATH:/sbin:/usr/sbin pivot_root . old' && echo It was done.`,
    succeeded: saysSo,
    needs: 'user namespaces for this user',
    leaves: ['src/old'],
  },
  {
    name: 'start another sandbox',
    attempt: () => 'bwrap --ro-bind / / --dev /dev true && echo It was done.',
    succeeded: saysSo,
  },
  {
    name: 'trace a process outside',
    prepare: startSleeper,
    attempt: ({ sleeper }) => python(`if C.ptrace(16, ${sleeper}, None, None) == 0: done()`),
    succeeded: saysSo,
    needs: 'a kernel that lets a process trace another one of the same user',
  },
  {
    name: 'end a process outside',
    prepare: startSleeper,
    attempt: ({ sleeper }) => `kill -9 ${sleeper} && sleep 0.05`,
    succeeded: ({ sleeper }) => !existsSync(`/proc/${sleeper}/exe`),
  },
  {
    name: 'run a setuid program with other rights',
    prepare: (world) => {
      copyFileSync('/usr/bin/env', world.in('given'));
      chownSync(world.in('given'), 1, 1);
      chmodSync(world.in('given'), 0o4755);
    },
    attempt: () => `./given python3 -c 'import os; print("It was done." if os.geteuid() == 1 else "")'`,
    succeeded: saysSo,
    isRoots: true,
  },
];
