import { showsKey } from '../base/redact';
import { ignoreFilter, type IgnoreRules } from './paths/ignore-rules';
import { foldName, overlaps, withoutSets, type Platform } from './paths/path-text';
import { PlaceTable, rowsOf, type PlaceRow, type RowGroup } from './paths/place-table';
import { keyNames, maybeSecretNames, publicNames, settingNames } from './paths/tables/secret-names';

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
const keys = /* @__PURE__ */ new PlaceTable(/* @__PURE__ */ rowsOf(keyNames));
const settings = /* @__PURE__ */ new PlaceTable(/* @__PURE__ */ rowsOf(settingNames));
const shared = /* @__PURE__ */ new PlaceTable(/* @__PURE__ */ rowsOf(publicNames));
const maybe = /* @__PURE__ */ new PlaceTable(/* @__PURE__ */ rowsOf(maybeSecretNames));

/** Names of files that usually hold keys. */
export const secretFileNames: readonly string[] = /* @__PURE__ */ pathsOf(keyNames, settingNames);

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
  const own = new PlaceTable<PlaceRow>(
    patternsOf(secrets).map((pattern) => ({ path: foldName(pattern, 'posix') })),
  );
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

function pathsOf(...tables: readonly (readonly RowGroup[])[]): readonly string[] {
  return tables.flatMap((groups) => rowsOf(groups).map(({ path }) => path));
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
