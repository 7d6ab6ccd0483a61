import { bytePath, toBuffer, type BytePath } from './byte-paths';

/**
 * Options of `bwrap` (0.8 or later) that are independent of the mounts: separate namespaces, no further namespaces
 * inside, no capabilities, no access to our terminal, and an end when this process ends.
 */
const ALWAYS: readonly string[] = [
  '--unshare-user',
  '--disable-userns',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--hostname',
  'sandbox',
  '--die-with-parent',
  '--new-session',
  ...['--cap-drop', 'ALL'],
];

/** Kernel settings belong to root, and root may write them without any capability. */
const KERNEL: readonly string[] = ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys', '--dev', '/dev'];

interface Wrapped {
  /** Options for the mounts, in order. */
  readonly mounts: readonly string[];
  /** Absolute, links resolved. */
  readonly cwd: string;
  /** Whether to share the parent process's network; otherwise the sandbox gets a network without any exit. */
  readonly sharesNetwork?: boolean;
  /** The descriptor from which the system call filter is read. */
  readonly filterDescriptor: number;
}

/** The input of `bwrap --args`: paths need not be valid text, and there may be too many for a command line. */
export function bubblewrapArguments({ mounts, cwd, sharesNetwork, filterDescriptor }: Wrapped): Buffer {
  const options = [
    ...ALWAYS,
    ...(sharesNetwork ? [] : ['--unshare-net']),
    ...mounts,
    ...KERNEL,
    ...['--seccomp', String(filterDescriptor)],
    ...['--chdir', bytePath(cwd)],
  ];
  return toBuffer(options.map((option) => `${option}\0`).join('') as BytePath);
}
