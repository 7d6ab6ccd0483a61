import { showsKey } from '../base/redact';
import { ignoreFilter, type IgnoreRules } from './paths/ignore-rules';
import { foldName, overlaps, withoutSets, type Platform } from './paths/path-text';
import { PlaceTable } from './paths/place-table';

/**
 * Files with keys, at any depth: the last components of a path. Lower case; `*` matches any characters of a component.
 * They stay secret even if the name looks like a template.
 */
const KEYS: readonly string[] = [
  // Keys of certificates and signatures
  '*.pem',
  '*.key',
  '*.p8',
  '*.p12',
  '*.pfx',
  '*.pk8',
  '*.jks',
  '*.jceks',
  '*.keystore',
  '*.keytab',
  '*.snk',
  '*private*.asc',
  '*secret*.asc',
  // Keys of SSH, GPG and VPNs
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.ssh/*',
  '*.ppk',
  '*.der',
  '.gnupg/*',
  '.gnupg/private-keys-v1.d/*',
  '.gnupg/openpgp-revocs.d/*',
  'age/keys.txt',
  '*.ovpn',
  'wg.conf',
  'wg0.conf',
  'wg1.conf',
  'wg2.conf',
  'wg3.conf',
  'wg-*.conf',
  'wg_*.conf',
  'wireguard/*.conf',
  'wireguard*.conf',
  // Named as keys, without an extension that tells source code from them
  'private_key',
  'private-key',
  'privatekey',
  'privkey',
  'priv_key',
  'deploy_key',
  'deploy-key',
  'deploykey',
  'ssh_key',
  'ssh-key',
  'signing_key',
  'signing-key',
  'secret_key',
  'secret-key',
  'secretkey',
  'ssh_host_*_key',
  '*_rsa',
  '*_ed25519',
  '*_ecdsa',
  '*.agekey',
  '*.age-key',
  '*.bek',
  '*.pvk',
  // Stores of passwords
  '*.kdb',
  '*.kdbx',
  '*.psafe3',
  'wallet.dat',
  '*.agilekeychain',
  '*.opvault',
  '*.keychain',
  '*.keychain-db',
  'login.keyring',
  '.password-store/*',
  'key4.db',
  'logins.json',
];

/** Settings that usually hold keys or passwords. A template of them is meant to be shared. */
const SETTINGS: readonly string[] = [
  // Variables
  '.env',
  '.env.*',
  '.env-*',
  '.env_*',
  '*.env',
  '*.env.local',
  '.envrc',
  '.envrc.*',
  '.envs/*',
  '.envs/*/*',
  '.flyctl.env',
  '.dev.vars',
  '.dev.vars.*',
  'local.settings.json',
  // Named as secrets
  '.secrets',
  'secrets.y*ml',
  'secrets.*.y*ml',
  '*.secrets.y*ml',
  'secret.y*ml',
  'secrets.json',
  'secrets.toml',
  'secrets.ini',
  'secrets.properties',
  'secret.properties',
  'key.properties',
  'keys.properties',
  'keystore.properties',
  'signing.properties',
  'credential.properties',
  'secrets.env',
  '.secrets/*',
  '.secret',
  '.api_key',
  '.apikey',
  '.token',
  '.access_token',
  '.password',
  '.passwd',
  '.pgpass.*',
  '.secrets.y*ml',
  '.secrets.json',
  '.secrets.toml',
  'credentials',
  'credentials.json',
  'credentials.y*ml',
  'credentials.toml',
  'credentials.ini',
  'credentials.xml',
  'credentials.csv',
  'credentials.db',
  'credentials.properties',
  '.credentials',
  '.credentials.json',
  '.vault-token',
  '.vault_pass*',
  '.vault-pass*',
  'vault_pass',
  'vault_pass.txt',
  'vault-password',
  'vault_password*',
  '.ansible_vault*',
  '.ansible/galaxy_token',
  // Logins of programs
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.htpasswd',
  '*.htpasswd',
  '.pgpass',
  'pgpass.conf',
  '.pg_service.conf',
  '.my.cnf',
  '.mylogin.cnf',
  '.s3cfg',
  '.boto',
  'rclone.conf',
  'gh/hosts.yml',
  '.config/hub',
  'glab-cli/config.yml',
  '.sentryclirc',
  '.netrc.gpg',
  '.authinfo*',
  '.smbcredentials',
  '.passwd-s3fs',
  '.fetchmailrc',
  '.msmtprc',
  '.mbsyncrc',
  '.offlineimaprc',
  '.cvspass',
  '.subversion/auth/*/*',
  '.vnc/passwd',
  '.mc/config.json',
  'ngrok.yml',
  'kaggle.json',
  'huggingface/token',
  '.huggingface/token',
  'stripe/config.toml',
  '.twilio-cli/config.json',
  'configstore/*.json',
  '.expo/state.json',
  '.snowsql/config',
  '.snowflake/*.toml',
  '.dbt/profiles.yml',
  '.okta/okta.yaml',
  '.step/secrets/*',
  // Logins of agents
  '.codex/auth.json',
  'opencode/auth.json',
  'oauth_creds.json',
  '.gemini/*accounts.json',
  'github-copilot/*.json',
  '.kimi/credentials/*',
  '.factory/auth*',
  'amp/secrets.json',
  'goose/secrets.y*ml',
  // What was typed
  '.bash_history',
  '.zsh_history',
  '.sh_history',
  '.ash_history',
  '.ksh_history',
  '.csh_history',
  '.python_history',
  '.node_repl_history',
  '.irb_history',
  '.pry_history',
  '.php_history',
  '.lua_history',
  '.julia_history',
  '.scala_history',
  '.ghci_history',
  '.gdb_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  '.rediscli_history',
  '.mongosh_history',
  '.history',
  'fish_history',
  '.zhistory',
  '.histfile',
  '.lesshst',
  '.viminfo',
  '.dbshell',
  '*host_history.txt',
  'nushell/history.*',
  // Package managers
  '.npmrc',
  '.pypirc',
  '.composer/auth.json',
  'composer/auth.json',
  'pypoetry/auth.toml',
  '.cargo/credentials*',
  '.hex/hex.config',
  '.nuget/nuget.config',
  'nuget/nuget.config',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  // Containers and clusters
  '.docker/config.json',
  '.dockercfg',
  '.dockerconfigjson',
  'containers/auth.json',
  'helm/registry/config.json',
  'argocd/config',
  '.argocd/config',
  '.talos/config',
  'talosconfig',
  '.rancher/cli2.json',
  'kubeconfig',
  'kubeconfig.y*ml',
  'kubeconfig.json',
  'kubeconfig-*.y*ml',
  '*.kubeconfig',
  '.kube/*config*',
  'k3s.yaml',
  'kubernetes/admin.conf',
  // Clouds and infrastructure
  '*.tfvars',
  '*.tfvars.json',
  '*.tfstate',
  '*.tfstate.*',
  '*.tfplan',
  '.terraformrc',
  'terraform.rc',
  '*.tfrc.json',
  '.aws/config',
  '.aws/sso/cache/*',
  '.aws/cli/cache/*',
  '*accesskeys.csv',
  'rootkey.csv',
  '.azure/accesstokens.json',
  '.azure/msal_token_cache*',
  '.azure/service_principal*',
  'gcloud/access_tokens.db',
  'gcloud/credentials.db',
  'gcloud/legacy_credentials/*/*',
  'application_default_credentials.json',
  '*service-account*.json',
  '*service_account*.json',
  '*serviceaccount*.json',
  '*firebase-adminsdk*.json',
  'client_secret*.json',
  '.oci/config',
  '.databrickscfg',
  '.bluemix/config.json',
  '.aliyun/config.json',
  'doctl/config.yaml',
  'hcloud/cli.toml',
  '.config/linode-cli',
  'scw/config.yaml',
  '.civo.json',
  '.fly/config.yml',
  '.railway/config.json',
  '.netlify/config.json',
  'com.vercel.cli/auth.json',
  'vercel/auth.json',
  '.wrangler/config/*.toml',
  '.cloudflared/*.json',
  '.pulumi/credentials.json',
  '.ossutilconfig',
];

/** Names of files that usually hold keys. */
export const secretFileNames: readonly string[] = /* @__PURE__ */ KEYS.concat(SETTINGS);

/** Public or ordinary files among them. */
const PUBLIC: readonly string[] = [
  'id_*.pub',
  '.ssh/*.pub',
  '.ssh/config',
  '.ssh/known_hosts*',
  '.ssh/authorized_keys*',
];

/** Files with ordinary names or uses: only some contain a key, in an address or as a setting. */
const MAYBE: readonly string[] = [
  // Version control
  '.git/config',
  '.git/config.worktree',
  '.git/worktrees/*/config.worktree',
  '.git/modules/*/config',
  '.git/fetch_head',
  '.gitconfig',
  '.gitmodules',
  '.hg/hgrc',
  '.hgrc',
  '.lfsconfig',
  // Logins; translations and grammars have such names too
  'auth.json',
  'auth.toml',
  'token.json',
  'tokens.json',
  'token.txt',
  'token',
  'oauth.json',
  'oauth_token.json',
  'session.json',
  'apikeys.json',
  'api_keys.json',
  'keys.json',
  // Package managers
  '.yarnrc',
  '.yarnrc.y*ml',
  'pip.conf',
  'pip.ini',
  '.bundle/config',
  '.gemrc',
  '.condarc',
  'nuget.config',
  'bunfig.toml',
  'uv.toml',
  'poetry.toml',
  '.pnpmrc',
  '.cargo/config*',
  'gradle.properties',
  'local.properties',
  'sentry.properties',
  // Programs and frameworks
  '.flaskenv',
  '.curlrc',
  '.wgetrc',
  'appsettings*.json',
  'wp-config.php',
  'config/database.y*ml',
  '.dockercfg.json',
  // Servers of agents
  '.mcp.json',
  'mcp.json',
  'mcp_settings.json',
  '.claude/settings*.json',
  '.claude.json',
  'claude_desktop_config.json',
  'opencode.json*',
  'crush.json',
  '.crush.json',
  '.aider.conf.y*ml',
];
/** `https://user:key@host`, `https://key@host`, `extraheader = …` */
const HOLDS_KEY =
  /:\/\/[^\s/@:]*:[^\s/@]+@|:\/\/[^\s/@:]{20,}@|^[ \t]*(?:[\w.-]*\.)?(?:extraheader|smtppass|[\w-]*(?:password|token|secret))[ \t]*=(?![ \t]*\$\{[\w.]+\}[ \t]*$)/imu;

/**
 * `api_key: …`, `"refresh_token": "…"`, `SECRET_KEY=…` with a value that nobody writes as a word: no blanks, letters and
 * digits, and neither an address, a path nor a variable.
 */
const NAMED_KEY = new RegExp(
  [
    String.raw`(?:^|[^\w.-])["']?[\w.-]{0,80}(?:token|secret|passw(?:or)?d|auth_?ident`,
    String.raw`|(?:api|access|private|secret|account)[_-]?key)["']?`,
    String.raw`(?:[ \t]*(?:[:=]|=>)|,)[ \t]*["']?(?!https?:|[./~$<{%*])`,
    String.raw`(?=[\w!#$%&*+./:=?@^|~-]{0,200}\d)(?=[\w!#$%&*+./:=?@^|~-]{0,200}[a-z])[\w!#$%&*+./:=?@^|~-]{12}`,
  ].join(''),
  'imu',
);

/** How Bundler stores a login: the name of a server, with `__` for each dot. */
const BUNDLER_LOGIN = /^BUNDLE_(?!BUILD__|LOCAL__|MIRROR__)\w+__\w+:[ \t]*["']?(?![\s"'-]|https?:)\S/mu;

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/u;

/** What programs add to the name of a copy: `.env~`, `id_rsa.bak`, `.prod.env.swp`. */
const COPY = /(?:~|[._ -](?:bak|backup|old|orig|save|copy|tmp|swp|swo|\d{1,14}))$/u;
const TEMPLATE = /(?:^|[-_])(?:example|sample|template|tmpl|tpl|dist)$/u;
/** What may follow that word. */
const FORMAT = /^(?:env|json|ya?ml|toml|ini|xml|csv|conf|properties|tfvars)$/u;

// Marked pure, so that bundles that do not judge paths leave out the tables.
const keys = /* @__PURE__ */ tableOf(KEYS);
const settings = /* @__PURE__ */ tableOf(SETTINGS);
const shared = /* @__PURE__ */ tableOf(PUBLIC);
const maybe = /* @__PURE__ */ tableOf(MAYBE);

/** A pattern for file names that the user added, or the ignore files for agents in a folder. */
export type SecretName = string | IgnoreRules;

export interface SecretNames {
  readonly platform: Platform;
  readonly added?: readonly SecretName[];
}

/** Whether a file usually contains keys, or an ignore file for agents names it. `path`: absolute for ignore files, with `/`, or only the name; a longer path gives a better answer. */
export function isSecret(path: string, options: SecretNames): boolean {
  return secretFilter(options)(path);
}

/** `isSecret` for many files. */
export function secretFilter(secrets: SecretNames): (path: string) => boolean {
  const own = tableOf(patternsOf(secrets).map((pattern) => foldName(pattern, 'posix')));
  const ignored = ignoredFilter(secrets);
  return (path) => {
    if (ignored(path)) return true;
    const components = path.split('/');
    const original = originalOf(components);
    const named = original === components ? [components] : [components, original];
    if (named.some((names) => own.atEnd(names))) return true;
    if (named.some((names) => keys.atEnd(names))) return !shared.atEnd(original);
    return !isTemplate(original) && named.some((names) => settings.atEnd(names));
  };
}

/** Whether an ignore file for agents names an absolute path. A folder's path ends with `/`. */
export function ignoredFilter({ platform, added = [] }: SecretNames): (path: string) => boolean {
  return ignoreFilter(
    added.filter((name) => typeof name !== 'string'),
    platform,
  );
}

function patternsOf({ added = [] }: SecretNames): readonly string[] {
  return added.filter((name) => typeof name === 'string');
}

/** Whether the content of a file, not its name, decides whether it is secret. */
export function isSecretByContent(path: string): boolean {
  const components = path.split('/');
  return [components, originalOf(components)].some((names) => maybe.atEnd(names) !== undefined);
}

export function holdsKey(text: string): boolean {
  return [HOLDS_KEY, NAMED_KEY, BUNDLER_LOGIN, PRIVATE_KEY].some((key) => key.test(text)) || showsKey(text);
}

/** The same settings without keys; nothing if that is unknown. */
export function withoutKeys(text: string): string | undefined {
  const bare = text
    .replace(/:\/\/[^\s/@]*@/gu, '://')
    .replace(
      /^[ \t]*(?:[\w.-]*\.)?(?:extraheader|smtppass|[\w-]*(?:password|token|secret))[ \t]*=.*$/gimu,
      '',
    );
  return holdsKey(bare) ? undefined : bare;
}

/** The file of which this one, by its name, is a copy; or itself. */
function originalOf(components: readonly string[]): readonly string[] {
  const last = components.at(-1) ?? '';
  const name = foldName(last.replace(/^#(.+)#$/su, '$1'), 'win32');
  const short = name.replace(COPY, '');
  return short === '' || short === last ? components : [...components.slice(0, -1), short];
}

/** `.env.local.example`, `example.env`, `secrets-sample.yml` */
function isTemplate(components: readonly string[]): boolean {
  const parts = (components.at(-1) ?? '').split('.');
  const last = parts.pop() ?? '';
  return TEMPLATE.test(last) || (FORMAT.test(last) && TEMPLATE.test(parts.at(-1) ?? ''));
}

function tableOf(patterns: readonly string[]): PlaceTable<{ readonly path: string }> {
  return new PlaceTable(patterns.map((path) => ({ path })));
}

/** How much of an ordinary name a pattern must contain to aim at a secret file: `cred*`, but not `c*`. */
const AIMED = 3;

/**
 * Whether a shell pattern for names (`*`, `?`, `[…]`) aims at secret files: `.e*`, `*.pem`. A pattern with an open end,
 * like `src/s*`, does not aim at an extension, and one that begins with `*` does not aim at hidden files. The matches
 * are also judged file by file.
 */
export function aimsAtSecret(pattern: string, secrets: SecretNames): boolean {
  // Before what follows a `:`, which a set may contain.
  const name = foldName(withoutSets(pattern), 'win32');
  const [beginning = ''] = name.split(/[*?]/u);
  const names = [...secretFileNames, ...patternsOf(secrets).map((own) => foldName(own, 'posix'))];
  return names
    .filter((own) => !own.includes('/'))
    .some((own) => {
      // `*.json` does not aim at files that end in `.tfvars.json`.
      if (own.startsWith('*'))
        return isExtension(own) && dots(name) >= dots(own) && !/[*?]$/u.test(name) && overlaps(own, name);
      if (own.startsWith('.')) return !/^[*?]/u.test(name) && overlaps(own.replace(/\*$/u, ''), name);
      return beginning.length >= AIMED && overlaps(own.replace(/\*$/u, ''), name);
    });
}

function isExtension(pattern: string): boolean {
  return /^\*\.[^*?]+$/u.test(pattern);
}

function dots(text: string): number {
  return text.split('.').length;
}
