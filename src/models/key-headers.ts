import type { Api } from './apis/api-name';

/** Headers of a request; a missing value leaves one out that a client would add. */
type RequestHeaders = Readonly<Record<string, string | null>>;

/**
 * The headers with the key. A header of the profile that carries one replaces it: Azure's `api-key` allows no other.
 * The Messages API has its own name for it; gateways before it may want a bearer token.
 */
export function keyHeaders(
  api: Api,
  key: string | undefined,
  { own, isBearer }: { readonly own: Readonly<Record<string, string>>; readonly isBearer: boolean },
): RequestHeaders {
  const isMessages = api === 'messages';
  const version: RequestHeaders = isMessages ? { 'anthropic-version': ANTHROPIC_VERSION } : {};
  const names = Object.keys(own).map((name) => name.toLowerCase());
  const replacing = isMessages ? ['api-key', 'authorization', 'x-api-key'] : ['api-key', 'authorization'];
  if (key === undefined || names.some((name) => replacing.includes(name)))
    return { ...version, authorization: null };
  return isMessages && !isBearer
    ? { ...version, authorization: null, 'x-api-key': key }
    : { ...version, authorization: `Bearer ${key}` };
}

/** All headers for a request that is sent without the client, with those of the profile. */
export function sentHeaders(
  api: Api,
  key: string | undefined,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...keyHeaders(api, key, { own, isBearer: false }), ...own });
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
}

/** https://docs.claude.com/en/api/versioning */
const ANTHROPIC_VERSION = '2023-06-01';
