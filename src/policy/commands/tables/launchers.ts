/** How a launcher's own words end and the command that it starts begins. */
export interface Launcher {
  /** Letters of the options that take the next word as their value. */
  readonly values?: string;
  /** How many words come before the command: the duration of `timeout`. */
  readonly operands?: number;
  /** It starts shell text. */
  readonly shellText?: true;
  /** The prefix of a word that is followed by shell text. */
  readonly textOption?: RegExp;
}

/** Programs that start the command given in their arguments. They always ask. */
export const launchers: Readonly<Record<string, Launcher>> = {
  env: { values: 'uC', textOption: /^(?:-\w*S|--split-string=?)/u },
  sudo: { values: 'ughpCDRrtTU' },
  doas: { values: 'uC' },
  pkexec: {},
  run0: {},
  runuser: { values: 'ugGsc', shellText: true },
  su: { values: 'gGsc', shellText: true },
  xargs: { values: 'EILPadnRsS' },
  parallel: { values: 'jNnIaS', shellText: true },
  nohup: {},
  setsid: {},
  time: { values: 'fo' },
  timeout: { values: 'ks', operands: 1 },
  nice: { values: 'n' },
  ionice: { values: 'cnpPu' },
  taskset: { operands: 1 },
  chrt: { operands: 1 },
  stdbuf: { values: 'ioe' },
  unbuffer: {},
  watch: { values: 'n', shellText: true },
  command: {},
  builtin: {},
  exec: { values: 'a' },
  eval: { shellText: true },
  coproc: {},
  noglob: {},
  nocorrect: {},
  '-': {},
  ssh: { values: 'BbcDEeFIiJLlmOopPQRSWw', operands: 1, shellText: true },
  busybox: {},
  toybox: {},
  script: { values: 'cEImoOBT', operands: 1, shellText: true },
  flock: { values: 'wE', operands: 1, shellText: true },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { values: 'tSG' },
  strace: { values: 'abeIoOpPsSuUX' },
  ltrace: { values: 'aeFlnosupS' },
  gdb: {},
  valgrind: {},
  fakeroot: {},
  'systemd-run': { values: 'pEuMH' },
  'dbus-run-session': {},
  rlwrap: {},
  entr: {},
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  tini: {},
  'dumb-init': {},
  setpriv: {},
  prlimit: {},
  setarch: { operands: 1 },
  arch: {},
  perf: {},
  caffeinate: { values: 'tw' },
  'xvfb-run': { values: 'efnps' },
  hyperfine: { values: 'wmMrpcSLnu', shellText: true },
  concurrently: { shellText: true },
  'cross-env': {},
  'cross-env-shell': { shellText: true },
  dotenv: { values: 'ecvpo' },
  'env-cmd': { values: 'fer' },
  nodemon: { values: 'ewix', shellText: true },
  watchexec: { values: 'ewifsdo', shellText: true },
  direnv: { operands: 2 },
  mise: { operands: 1 },
  'nix-shell': { values: 'pAEI', textOption: /^--(?:run|command)=?/u },
  // GNU programs on systems with other defaults.
  genv: { values: 'uC', textOption: /^(?:-\w*S|--split-string=?)/u },
  gxargs: { values: 'EILPadnRsS' },
  gnohup: {},
  gtime: { values: 'fo' },
  gtimeout: { values: 'ks', operands: 1 },
  gnice: { values: 'n' },
  gstdbuf: { values: 'ioe' },
  gchroot: { operands: 1 },
  // Windows
  start: {},
  call: {},
  runas: {},
  forfiles: {},
  wsl: {},
  '&': {},
  iex: { shellText: true },
  'invoke-expression': { shellText: true },
};

/** Change what later words mean, run text, or start an editor or pager that can. They always ask. */
export const alwaysAsking: ReadonlySet<string> = new Set(
  [
    'source . trap alias unalias hash enable export declare typeset local readonly unset set shopt setopt unsetopt',
    'read mapfile readarray cd pushd popd dirs let test getopts bind complete compgen compopt history fc jobs fg bg',
    'disown wait umask ulimit exit logout return break continue shift suspend emulate autoload zmodload zstyle',
    // Reserved words: what follows is not an argument.
    'if then elif else fi for while until do done case esac select function in repeat foreach end always ! [ [[ { }',
    'less more most man info vi vim view vimdiff nvim nano pico emacs ed ex awk gawk mawk nawk expect screen tmux',
    'at batch crontab scp sftp ftp telnet open xdg-open osascript',
    // What they change or read is in their input, which is unchecked.
    'patch cpio pax',
    // They show the environment of this process, with keys.
    'printenv',
    // The first reads `.ugrep` of the folder, the others run their first argument as Perl.
    'ug rename prename',
    // One of their commands starts a shell.
    'sqlite3 psql mysql mariadb dc nc ncat netcat socat',
    // Windows
    'invoke-command icm start-process saps start-job set-alias new-alias set-item for forfiles rundll32 regsvr32',
    'mshta cscript wscript msiexec wmic schtasks set-executionpolicy add-type new-object',
    'invoke-item ii import-module ipmo sajb',
  ]
    .join(' ')
    .split(' '),
);
