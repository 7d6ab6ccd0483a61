import type { Verdict } from '../core/approval';
import { hasControlOrDirection } from './hidden-characters';
import { limits } from './limits';
import { deny } from './verdicts';
import { isPublicAddress } from './web-address';

export interface JudgedUrl {
  /** As it would be fetched; not set when it is refused. */
  readonly url?: URL;
  readonly verdict: Verdict;
}

/** Whether something may be fetched, as far as the text of the address says. Looks no name up. Never throws. */
export function judgeUrl(text: string, isAllowed: (address: string) => boolean = isPublicAddress): JudgedUrl {
  if (text.length > limits.urlCharacters) return { verdict: deny('the address is too long') };
  if (hasControlOrDirection(text)) return { verdict: deny('control or direction character in the address') };
  if (!URL.canParse(text)) return { verdict: deny('it is no full address such as https://example.com/page') };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { verdict: deny('only http and https are fetched') };
  if (url.username !== '' || url.password !== '')
    return { verdict: deny('an address with a name or password in it is not fetched') };
  const literal = literalAddress(url);
  if (literal !== undefined && !isAllowed(literal)) return { verdict: deny(notPublic(url)) };
  // What stands after # is for a browser only.
  url.hash = '';
  return {
    url,
    verdict: {
      decision: 'ask',
      reason: `it fetches from ${url.origin}`,
      grant: { type: 'fetch-origin-in-session', origin: url.origin },
    },
  };
}

/** Every spelling of an address (decimal, octal, hexadecimal, shortened) has been made one by `URL`. */
export function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const plain = hostname.replace(/\.$/, '');
  return /^\d+\.\d+\.\d+\.\d+$/.test(plain) ? plain : undefined;
}

export function notPublic({ host }: URL): string {
  return `${host} is in this machine or a private network`;
}
