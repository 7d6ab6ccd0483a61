/** Why a command cannot work in the sandbox, as a clause for people. */
export type Need = 'network' | 'repository' | 'install' | 'containers' | 'rights' | 'system';

/** Programs that always need more. */
export const needingPrograms: Readonly<Record<string, Need>> = {
  ...named(
    'network',
    'curl wget ssh scp sftp rsync ftp telnet nc ncat netcat socat ping ping6 traceroute dig nslookup host whois aria2c',
  ),
  ...named(
    'network',
    'gh glab hub az aws gcloud gsutil kubectl helm terraform tofu pulumi ansible ansible-playbook',
  ),
  ...named('network', 'heroku vercel netlify firebase flyctl doctl wrangler sam cdk eksctl oc'),
  ...named(
    'containers',
    'docker docker-compose podman podman-compose buildah skopeo nerdctl ctr crictl minikube kind k3d',
  ),
  ...named('rights', 'sudo doas su pkexec run0 runuser'),
  ...named(
    'system',
    'systemctl service shutdown reboot mount umount modprobe insmod sysctl useradd usermod passwd',
  ),
  ...named(
    'install',
    'apt apt-get aptitude dnf yum zypper pacman apk brew snap flatpak nix-env conda mamba virtualenv',
  ),
};

/** Programs of which some subcommands need more. */
export const needingSubcommands: Readonly<Record<string, Readonly<Record<string, Need>>>> = {
  npm: {
    ...named(
      'install',
      'install i in isntall add ci clean-install install-test it update up upgrade uninstall un remove rm',
    ),
    ...named('install', 'rebuild link ln dedupe prune exec x create init audit'),
    ...named(
      'network',
      'publish login logout adduser view info search outdated ping whoami deprecate dist-tag token',
    ),
  },
  pnpm: {
    ...named(
      'install',
      'install i add update up remove rm uninstall link import rebuild prune dlx create fetch',
    ),
    ...named('network', 'publish outdated audit login'),
  },
  yarn: {
    ...named('install', 'install add up upgrade remove link dlx create import'),
    ...named('network', 'publish outdated audit info login npm'),
  },
  bun: {
    ...named('install', 'install i add a update remove rm link create x'),
    ...named('network', 'publish'),
  },
  pip: named('install', 'install download uninstall wheel'),
  pipx: named('install', 'install run upgrade inject uninstall'),
  uv: { ...named('install', 'sync add remove venv tool pip lock'), ...named('network', 'publish') },
  poetry: { ...named('install', 'install add update remove lock'), ...named('network', 'publish') },
  pipenv: named('install', 'install update sync lock uninstall'),
  cargo: {
    ...named('install', 'install add update fetch uninstall remove generate-lockfile vendor'),
    ...named('network', 'publish search login owner yank'),
  },
  go: named('install', 'get install'),
  gem: { ...named('install', 'install update uninstall'), ...named('network', 'push fetch') },
  bundle: named('install', 'install update add remove'),
  composer: named('install', 'install update require remove create-project'),
  dotnet: { ...named('install', 'restore add tool workload'), ...named('network', 'nuget') },
  rustup: named('install', 'update install toolchain component target default self'),
};

export const gitTalks = new Set(
  words('clone fetch pull push ls-remote submodule remote-http send-pack fetch-pack'),
);
export const gitChanges = new Set(
  words(
    'add am apply bisect branch checkout cherry-pick commit config filter-branch gc init maintenance merge mv notes pack-refs prune rebase reflog remote repack replace reset restore revert rm sparse-checkout stage stash submodule switch symbolic-ref tag update-index update-ref worktree',
  ),
);
/** `git branch`, `git stash list`: without arguments they only read. */
export const gitReads: Readonly<Record<string, RegExp>> = {
  apply: /^(?:(?!--index|--cached|-3|--3way)\S+ ?)*$/u,
  branch:
    /^(?:(?:-[avrl]+|--(?:list|all|show-current|remotes|contains|merged|no-merged|verbose)\S*)(?: \S+)*)?$/u,
  config: /^(?:get|list|--get\S*|--list|-l)\b/u,
  notes: /^(?:list|show)\b|^$/u,
  reflog: /^(?:show\b.*)?$/u,
  remote: /^(?:-v|get-url\b.*)?$/u,
  stash: /^(?:list|show)\b/u,
  tag: /^(?:(?:-l|--list|-n\d*|--contains|--sort)\S*(?: \S+)*)?$/u,
  worktree: /^list\b/u,
  submodule: /^(?:status|summary)\b|^$/u,
  bisect: /^(?:log|visualize|view)\b/u,
};

function named(need: Need, list: string): Readonly<Record<string, Need>> {
  return Object.fromEntries(words(list).map((word) => [word, need]));
}

function words(list: string): readonly string[] {
  return list.split(' ');
}
