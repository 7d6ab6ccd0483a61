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
  '.gnupg/*',
  '.gnupg/private-keys-v1.d/*',
  '.gnupg/openpgp-revocs.d/*',
  'age/keys.txt',
  '*.ovpn',
  // Stores of passwords
  '*.kdb',
  '*.kdbx',
  '*.psafe3',
  'wallet.dat',
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
  '.codex/auth.json',
  'opencode/auth.json',
  '.bash_history',
  '.zsh_history',
  '.sh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  // Package managers
  '.npmrc',
  '.pypirc',
  '.composer/auth.json',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  // Containers and clusters
  '.docker/config.json',
  '.dockercfg',
  '.dockerconfigjson',
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
  'application_default_credentials.json',
  '*service-account*.json',
  '*service_account*.json',
  '*serviceaccount*.json',
  '*firebase-adminsdk*.json',
  'client_secret*.json',
  '.oci/config',
  '.databrickscfg',
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

/** Settings of version control: only some contain a key, in an address or as a setting. */
const VERSION_CONTROL: readonly string[] = [
  '.git/config',
  '.git/config.worktree',
  '.git/worktrees/*/config.worktree',
  '.git/modules/*/config',
  '.git/fetch_head',
  '.gitconfig',
  '.gitmodules',
  '.hg/hgrc',
  '.hgrc',
];
/** `https://user:key@host`, `https://key@host`, `extraheader = …` */
const HOLDS_KEY =
  /:\/\/[^\s/@:]*:[^\s/@]+@|:\/\/[^\s/@:]{20,}@|^[ \t]*(?:[\w.-]*\.)?(?:extraheader|smtppass|[\w-]*(?:password|token|secret))[ \t]*=/imu;

/** What programs add to the name of a copy: `.env~`, `id_rsa.bak`, `.prod.env.swp`. */
const COPY = /(?:~|[._ -](?:bak|backup|old|orig|save|copy|tmp|swp|swo|\d{1,14}))$/u;
const TEMPLATE = /(?:^|[-_])(?:example|sample|template|tmpl|tpl|dist)$/u;
/** What may follow that word. */
const FORMAT = /^(?:env|json|ya?ml|toml|ini|xml|csv|conf|properties|tfvars)$/u;

// Marked pure, so that bundles that do not judge paths leave out the tables.
const keys = /* @__PURE__ */ tableOf(KEYS);
const settings = /* @__PURE__ */ tableOf(SETTINGS);
const shared = /* @__PURE__ */ tableOf(PUBLIC);
const versionControl = /* @__PURE__ */ tableOf(VERSION_CONTROL);

export interface SecretNames {
  readonly platform: Platform;
  /** Patterns that the user added. */
  readonly added?: readonly string[];
}

/** Whether a file usually contains keys. `path`: with `/`, or only the name; a longer path gives a better answer. */
export function isSecret(path: string, options: SecretNames): boolean {
  return secretFilter(options)(path);
}

/** `isSecret` for many files. */
export function secretFilter({ added = [] }: SecretNames): (path: string) => boolean {
  const own = tableOf(added.map((pattern) => foldName(pattern, 'posix')));
  return (path) => {
    const components = path.split('/');
    const original = originalOf(components);
    const named = original === components ? [components] : [components, original];
    if (named.some((names) => own.atEnd(names))) return true;
    if (named.some((names) => keys.atEnd(names))) return !shared.atEnd(original);
    return !isTemplate(original) && named.some((names) => settings.atEnd(names));
  };
}

/** Whether the content of a file, not its name, decides whether it is secret. */
export function isSecretByContent(path: string): boolean {
  return versionControl.atEnd(path.split('/')) !== undefined;
}

export function holdsKey(text: string): boolean {
  return HOLDS_KEY.test(text);
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
export function aimsAtSecret(pattern: string, { added = [] }: SecretNames): boolean {
  // Before what follows a `:`, which a set may contain.
  const name = foldName(withoutSets(pattern), 'win32');
  const [beginning = ''] = name.split(/[*?]/u);
  const names = [...secretFileNames, ...added.map((own) => foldName(own, 'posix'))];
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
