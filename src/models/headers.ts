/** Headers with secrets filled in, or the name of a missing secret. */
export type FilledHeaders =
  | {
      readonly type: 'filled';
      readonly headers: Readonly<Record<string, string>>;
      /** Values that must not be shown. */
      readonly secrets: readonly string[];
    }
  | { readonly type: 'missing'; readonly name: string };

const PLACE = /\$\{secret:([\w.-]+)\}/g;

/** Names of the secrets that headers refer to as `${secret:NAME}`, each once. */
export function headerSecrets(headers: Readonly<Record<string, string>> = {}): readonly string[] {
  const names = Object.values(headers).flatMap((value) =>
    [...value.matchAll(PLACE)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}

export async function fillHeaders(
  headers: Readonly<Record<string, string>>,
  secretFor: (name: string) => Promise<string | undefined>,
): Promise<FilledHeaders> {
  const secrets = new Map<string, string>();
  for (const name of headerSecrets(headers)) {
    const secret = await secretFor(name);
    if (secret === undefined) return { type: 'missing', name };
    secrets.set(name, secret);
  }
  const filled = Object.entries(headers).map(([header, value]) => [
    header,
    value.replace(PLACE, (place, name: string) => secrets.get(name) ?? place),
  ]);
  // SAFETY: the entries of a record of strings, with strings.
  return {
    type: 'filled',
    headers: Object.fromEntries(filled) as Record<string, string>,
    secrets: [...secrets.values()],
  };
}

/** Whether HTTP allows such a header. */
export function isSendable(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~\w]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
