import path from 'node:path';

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
