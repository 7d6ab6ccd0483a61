import { impliedApi } from '../../../../models/api-address';
import type { Api } from '../../../../models/apis/api-name';
import {
  knownProviders,
  localServers,
  readAddress,
  type LocalServer,
} from '../../../../models/servers/local-servers';

/** Choices of the first step. */
export type Where =
  | { readonly type: 'machine' | 'vscode' | 'import' }
  /** `isService`: one on the internet, which wants a key. */
  | { readonly type: 'known'; readonly server: LocalServer; readonly isService: boolean }
  | {
      readonly type: 'typed';
      readonly host: string;
      readonly baseUrls: readonly string[];
      readonly api?: Api;
    };

/** Servers with a separate row. */
export const knownServers: readonly (Where & { readonly type: 'known' })[] = [
  ...localServers.map((server) => ({ type: 'known', server, isService: false }) as const),
  ...knownProviders.map((server) => ({ type: 'known', server, isService: true }) as const),
];

/**
 * The address typed into the filter. A single word filters: it may be a host, but is more often the beginning of a
 * name.
 */
export function typedAddress(typed: string): (Where & { readonly type: 'typed' }) | undefined {
  const text = typed.trim();
  const isWord = /^[a-z][\w-]*$/i.test(text) && text !== 'localhost';
  const isName = knownServers.some(({ server }) => server.label.toLowerCase() === text.toLowerCase());
  if (isWord || isName) return undefined;
  const baseUrls = readAddress(text);
  const [first] = baseUrls;
  if (first === undefined) return undefined;
  const api = impliedApi(text.includes('://') ? text : `http://${text}`);
  return { type: 'typed', host: new URL(first).host, baseUrls, ...(api !== 'chat' && { api }) };
}
