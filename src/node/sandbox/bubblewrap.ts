import { bytePath, toBuffer, type BytePath } from './byte-paths';

/**
 * Options of `bwrap` (0.8 or later) that hold whatever is mounted: namespaces of its own without more inside, no
 * capabilities, no terminal of ours, and an end with ours.
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

/** Kernel settings are files of root's, and root may write them without any capability. */
const KERNEL: readonly string[] = ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys', '--dev', '/dev'];

interface Wrapped {
  /** Options for the mounts, in order. */
  readonly mounts: readonly string[];
  /** Absolute, links resolved. */
  readonly cwd: string;
  /** Shares the network of whoever starts it; else it has one without any way out. */
  readonly sharesNetwork?: boolean;
  /** Where the filter for system calls is open. */
  readonly filterDescriptor: number;
}

/** What `bwrap --args` reads: paths need not be text, and there may be more of them than a command line holds. */
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
