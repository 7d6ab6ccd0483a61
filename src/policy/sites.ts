import { isPublicAddress } from './web';

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
