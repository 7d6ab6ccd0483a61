import { limits } from '../base/limits';
import type { Verdict } from '../core/words/verdict';
import { hasControlOrDirection } from '../base/text';
import { deny } from './verdicts';

interface JudgedUrl {
  /** As it would be fetched; not set if it is refused. */
  readonly url?: URL;
  readonly verdict: Verdict;
}

/** Whether an address may be fetched, judged by its text. Does not resolve names. Never throws. */
export function judgeUrl(text: string, isAllowed: (address: string) => boolean = isPublicAddress): JudgedUrl {
  if (text.length > limits.urlCharacters) return { verdict: deny('the address is too long') };
  if (hasControlOrDirection(text)) return { verdict: deny('control or direction character in the address') };
  if (!URL.canParse(text))
    return { verdict: deny('it is not a full address such as https://example.com/page') };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { verdict: deny('only http and https are fetched') };
  if (url.username !== '' || url.password !== '')
    return { verdict: deny('an address with a name or password in it is not fetched') };
  const literal = literalAddress(url);
  if (literal !== undefined && !isAllowed(literal)) return { verdict: deny(notPublic(url)) };
  // The part after # is only for browsers.
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

/** `URL` has normalized every spelling of an address (decimal, octal, hexadecimal, shortened). */
export function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  const plain = hostname.replace(/\.$/, '');
  return /^\d+\.\d+\.\d+\.\d+$/.test(plain) ? plain : undefined;
}

export function notPublic({ host }: URL): string {
  return `${host} is on this machine or in a private network`;
}

/** Networks that are not public, as address and prefix length: private, local, shared, reserved. */
const V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Also the metadata addresses of clouds, which give out keys.
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Inside `2000::/3`, the only public range: special uses, examples, and tunnels that hide an address. */
const V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Whether a resolved address is public. An unreadable address is not. */
export function isPublicAddress(address: string): boolean {
  const v4 = readV4(address);
  if (v4) return !V4.some(([network, bits]) => lies(v4, readV4(network), bits));
  const v6 = readV6(address);
  if (!v6) return false;
  if (lies(v6, readV6('::ffff:0:0'), 96)) return isPublicAddress(v6.slice(12).join('.'));
  return lies(v6, readV6('2000::'), 3) && !V6.some(([network, bits]) => lies(v6, readV6(network), bits));
}

type Bytes = readonly number[];

function readV4(text: string): Bytes | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function readV6(text: string): Bytes | undefined {
  // A zone (`%eth0`) exists only for links of this machine.
  if (text.length > 45 || !/^[\da-f:.]+$/i.test(text)) return undefined;
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const [first, last] = [groups(head), tail === undefined ? [] : groups(tail)];
  if (!first || !last) return undefined;
  const missing = 16 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...first, ...new Array<number>(missing).fill(0), ...last];
}

/** `ffff:7f00:1` or `ffff:127.0.0.1` as bytes. */
function groups(text: string): Bytes | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const v4 = index === parts.length - 1 ? readV4(part) : undefined;
    if (v4) bytes.push(...v4);
    else if (/^[\da-f]{1,4}$/i.test(part)) bytes.push(parseInt(part, 16) >> 8, parseInt(part, 16) & 255);
    else return undefined;
  }
  return bytes;
}

function lies(address: Bytes, network: Bytes | undefined, bits: number): boolean {
  if (network?.length !== address.length) return false;
  return address.every((byte, index) => {
    const counting = Math.min(8, Math.max(0, bits - 8 * index));
    const mask = (0xff << (8 - counting)) & 0xff;
    return (byte & mask) === ((network[index] ?? 0) & mask);
  });
}

/** The name of a site as in rules; nothing if it is not a site name, such as a name with a zero byte. */
export function siteName(host: string): string | undefined {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return name.length <= 253 && /^[a-z\d:](?:[a-z\d.:-]*[a-z\d:])?$/.test(name) ? name : undefined;
}

/** Whether a site is allowed: `example.org` matches only itself, `*.example.org` all names below it. */
export function isAllowedSite(name: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const rule = entry.toLowerCase();
    return rule.startsWith('*.') ? name.endsWith(rule.slice(1)) : name === rule;
  });
}

/**
 * Whether an allowed site may have the address that its name resolves to. A name that others choose must not lead to
 * this machine, to a cloud's metadata address, or into a private network; a name that is written out in full is meant.
 */
export function mayLeadTo(address: string, name: string, allowed: readonly string[]): boolean {
  if (isPublicAddress(address)) return true;
  if (address === name) return true;
  if (isOfMachine(address)) return name === 'localhost';
  return (
    allowed.some((entry) => entry.toLowerCase() === name) &&
    !/^(?:169\.254\.|168\.63\.129\.16$|fe[89ab])/i.test(address)
  );
}

function isOfMachine(address: string): boolean {
  return /^(?:127\.|0\.|::1$|::$|::ffff:)/i.test(address);
}
