import {
  knownProviders,
  localServers,
  readAddress,
  type LocalServer,
} from '../../../models/servers/local-servers';

/** Choices of the first step. */
export type Where =
  | { readonly type: 'machine' | 'vscode' | 'import' }
  /** `isService`: one on the internet, which wants a key. */
  | { readonly type: 'known'; readonly server: LocalServer; readonly isService: boolean }
  | { readonly type: 'typed'; readonly host: string; readonly baseUrls: readonly string[] };

/** Servers with a separate row. */
export const knownPlaces: readonly (Where & { readonly type: 'known' })[] = [
  ...localServers.map((server) => ({ type: 'known', server, isService: false }) as const),
  ...knownProviders.map((server) => ({ type: 'known', server, isService: true }) as const),
];

/**
 * The address typed into the filter. A single word filters: it may be a host, but is more often the beginning of a
 * name.
 */
export function typedPlace(typed: string): (Where & { readonly type: 'typed' }) | undefined {
  const text = typed.trim();
  const isWord = /^[a-z][\w-]*$/i.test(text) && text !== 'localhost';
  const isName = knownPlaces.some(({ server }) => server.label.toLowerCase() === text.toLowerCase());
  if (isWord || isName) return undefined;
  const baseUrls = readAddress(text);
  const [first] = baseUrls;
  return first === undefined ? undefined : { type: 'typed', host: new URL(first).host, baseUrls };
}
