import type { SystemCall } from './system-calls';

/** A condition on the low 32 bits of an argument, counted from 0. The kernel reads only these bits. */
export type Condition =
  /** At least one of these bits is set. */
  | { readonly argument: number; readonly hasAny: number }
  /** The masked value is one of these. */
  | { readonly argument: number; readonly mask?: number; readonly isOneOf: readonly number[] }
  | { readonly argument: number; readonly mask?: number; readonly isNoneOf: readonly number[] };

/** Refuses calls for which every condition is true. */
export interface CallRule {
  readonly calls: readonly SystemCall[];
  readonly error: number;
  readonly when?: readonly Condition[];
}

const EPERM = 1;
/** The error of a kernel that lacks the call: programs then use an older call, whose arguments a filter can read. */
const ENOSYS = 38;

/** `CLONE_NEW…`: time, mount, cgroup, uts, ipc, user, pid and net. */
const NEW_NAMESPACE = 0x7e02_0000;
const NEW_TIME_NAMESPACE = 0x80;

/** The set-user-ID and set-group-ID bits: programs get the rights of their owner or group. */
const SET_ID = 0o6000;
/** `O_CREAT` and the bit that only `O_TMPFILE` has. Without them, the mode argument is undefined. */
const MAKES_FILE = 0o100 | 0o20000000;
const FILE_TYPE = 0o170000;
const DEVICES = [0o020000, 0o060000];

const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const SOCK_TYPE = 0xf;

/** They put characters into the input of a terminal. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** System calls that no command in the sandbox may make. All others are allowed; mounts and namespaces limit them. */
export const callRules: readonly CallRule[] = [
  // Their arguments are in memory, which a filter cannot read.
  { calls: ['clone3', 'openat2', 'fchmodat2'], error: ENOSYS },
  { calls: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'], error: ENOSYS },
  // A nested sandbox would get privileges again and expose more of the kernel to attacks.
  { calls: ['clone'], error: EPERM, when: [{ argument: 0, hasAny: NEW_NAMESPACE }] },
  { calls: ['unshare'], error: EPERM, when: [{ argument: 0, hasAny: NEW_NAMESPACE | NEW_TIME_NAMESPACE }] },
  { calls: ['setns', 'mount', 'umount2', 'pivot_root', 'chroot'], error: EPERM },
  { calls: ['open_tree', 'open_tree_attr', 'move_mount', 'mount_setattr'], error: EPERM },
  { calls: ['fsopen', 'fsconfig', 'fsmount', 'fspick'], error: EPERM },
  // Another user who starts such a file later would run it with the rights of this user.
  { calls: ['chmod', 'fchmod'], error: EPERM, when: [{ argument: 1, hasAny: SET_ID }] },
  { calls: ['fchmodat'], error: EPERM, when: [{ argument: 2, hasAny: SET_ID }] },
  { calls: ['creat', 'mknod'], error: EPERM, when: [{ argument: 1, hasAny: SET_ID }] },
  { calls: ['mknodat'], error: EPERM, when: [{ argument: 2, hasAny: SET_ID }] },
  {
    calls: ['open'],
    error: EPERM,
    when: [
      { argument: 1, hasAny: MAKES_FILE },
      { argument: 2, hasAny: SET_ID },
    ],
  },
  {
    calls: ['openat'],
    error: EPERM,
    when: [
      { argument: 2, hasAny: MAKES_FILE },
      { argument: 3, hasAny: SET_ID },
    ],
  },
  { calls: ['mknod'], error: EPERM, when: [{ argument: 1, mask: FILE_TYPE, isOneOf: DEVICES }] },
  { calls: ['mknodat'], error: EPERM, when: [{ argument: 2, mask: FILE_TYPE, isOneOf: DEVICES }] },
  { calls: ['name_to_handle_at', 'open_by_handle_at', 'fanotify_init'], error: EPERM },
  // Unix sockets lead past the network namespace to every listener on this machine; so do AF_VSOCK sockets.
  {
    calls: ['socket'],
    error: EPERM,
    when: [{ argument: 0, isNoneOf: [AF_INET, AF_INET6, AF_NETLINK] }],
  },
  {
    calls: ['socket'],
    error: EPERM,
    when: [
      { argument: 0, isOneOf: [AF_NETLINK] },
      { argument: 2, isNoneOf: [NETLINK_ROUTE] },
    ],
  },
  // One end of a datagram pair can reach any other datagram socket; connected stream pairs reach only each other.
  {
    calls: ['socketpair'],
    error: EPERM,
    when: [{ argument: 1, mask: SOCK_TYPE, isNoneOf: [SOCK_STREAM, SOCK_SEQPACKET] }],
  },
  { calls: ['ioctl'], error: EPERM, when: [{ argument: 1, isOneOf: [TIOCSTI, TIOCLINUX] }] },
  { calls: ['process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'kcmp'], error: EPERM },
  { calls: ['add_key', 'request_key', 'keyctl'], error: EPERM },
  { calls: ['perf_event_open', 'bpf', 'userfaultfd', 'lookup_dcookie', 'syslog'], error: EPERM },
  { calls: ['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'], error: EPERM },
  { calls: ['reboot', 'swapon', 'swapoff', 'acct', 'quotactl', 'quotactl_fd', 'vhangup'], error: EPERM },
  { calls: ['iopl', 'ioperm', 'settimeofday', 'clock_settime'], error: EPERM },
  { calls: ['sethostname', 'setdomainname'], error: EPERM },
];
