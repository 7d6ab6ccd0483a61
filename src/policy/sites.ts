import { isPublicAddress } from './web';

/** The name of a site as rules have it; nothing for what is none, such as a name with a zero byte in it. */
export function siteName(host: string): string | undefined {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return name.length <= 253 && /^[a-z\d:](?:[a-z\d.:-]*[a-z\d:])?$/.test(name) ? name : undefined;
}

/** Whether a site is among those allowed: `example.org` is itself alone, `*.example.org` all names below it. */
export function isAllowedSite(name: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const rule = entry.toLowerCase();
    return rule.startsWith('*.') ? name.endsWith(rule.slice(1)) : name === rule;
  });
}

/**
 * Whether an allowed site may be where its name leads. A name that others choose must not lead to this machine, to where clouds
 * tell their keys, or into a private network; who writes such a name out in full means it.
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
