import { bytePath, toBuffer, type BytePath } from './byte-paths';
import path from 'node:path';

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

/** Variables that commands keep. Others are needed only by the user's own programs. */
const KEPT: ReadonlySet<string> = new Set([
  ...['USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'],
  ...['PAGER', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'GIT_NO_LAZY_FETCH', 'CI', 'NODE_ENV', 'PARLEY_COMMAND'],
  ...['JAVA_HOME', 'GOROOT', 'GOPATH', 'GOFLAGS', 'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN'],
  ...['PYENV_ROOT', 'PYENV_VERSION', 'RBENV_ROOT', 'NODENV_ROOT', 'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME'],
  ...['ASDF_DIR', 'ASDF_DATA_DIR', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'DOTNET_ROOT', 'ANDROID_HOME'],
]);

const KEPT_BEGINNING = /^(?:LC_|GIT_CONFIG_(?:COUNT|KEY_|VALUE_))/u;

interface SandboxEnvironment {
  readonly home: string;
  readonly searchPath: readonly string[];
  /** The address of our proxy, if any site is allowed. */
  readonly proxy?: string;
}

export function sandboxEnvironment(
  given: NodeJS.ProcessEnv,
  { home, searchPath, proxy }: SandboxEnvironment,
): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => KEPT.has(name) || KEPT_BEGINNING.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    PATH: searchPath.join(path.delimiter),
    TMPDIR: '/tmp',
    // The usual place is a cache outside the sandbox, which is empty inside but must be writable.
    GOCACHE: path.join(home, '.cache/go-build'),
    ...(proxy === undefined ? { CARGO_NET_OFFLINE: 'true' } : proxyVariables(proxy)),
  };
}

function proxyVariables(address: string): NodeJS.ProcessEnv {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const none = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' };
  return { ...Object.fromEntries(names.map((name) => [name, address])), ...none, NODE_USE_ENV_PROXY: '1' };
}
