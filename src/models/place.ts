/** Where a server is: on this machine, in the user's own network, or elsewhere. */
export type Place = 'loopback' | 'private' | 'elsewhere';

/**
 * Location of a server, judged by the address alone: nothing is looked up, so a name is `private` only if no public
 * server can have it. An unreadable address is elsewhere.
 */
export function placeOf(baseUrl: string): Place {
  if (!URL.canParse(baseUrl)) return 'elsewhere';
  return placeOfHost(new URL(baseUrl).hostname);
}

/** Whether a server is on this machine or in the user's own network, including a container's host and `*.local`. */
export function isNear(baseUrl: string): boolean {
  return placeOf(baseUrl) !== 'elsewhere';
}

/** `hostname` as `URL` writes it: in lower case, numbers in decimal, IPv6 in brackets. */
export function placeOfHost(hostname: string): Place {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return placeOfIpV6(host.slice(1, -1));
  if (IPV4.test(host)) return placeOfIpV4(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return OWN_NAMES.some((pattern) => pattern.test(host)) ? 'private' : 'elsewhere';
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** Names that no public server can have. Any other name is elsewhere, even a company's own gateway. */
const OWN_NAMES = [
  // Multicast DNS.
  /\.local$/,
  // The machine around a container: `host.docker.internal`, `host.containers.internal`, `host.lima.internal`.
  /^(?:host|gateway)\.[a-z]+\.internal$/,
  // Without a dot: another container (`ollama`), or a machine known in the user's own network (`gpu-box`).
  /^[a-z0-9_-]+$/,
];

function placeOfIpV4(address: string): Place {
  const [first = 0, second = 0] = address.split('.').map(Number);
  // 0.0.0.0 connects to this machine.
  if (first === 127 || address === '0.0.0.0') return 'loopback';
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    // Carrier-grade NAT (RFC 6598), used by private VPNs such as Tailscale.
    (first === 100 && second >= 64 && second <= 127);
  return isPrivate ? 'private' : 'elsewhere';
}

/** `address` as `URL` writes it: shortened, an IPv4 address inside as two hexadecimal groups. */
function placeOfIpV6(address: string): Place {
  if (address === '::1' || address === '::') return 'loopback';
  const inside = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (inside) {
    const [high = 0, low = 0] = inside.slice(1).map((group) => Number.parseInt(group, 16));
    return placeOfIpV4([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  }
  const group = Number.parseInt(address.split(':')[0] || '0', 16);
  // Unique local (fc00::/7) and link-local (fe80::/10) addresses.
  return (group & 0xfe00) === 0xfc00 || (group & 0xffc0) === 0xfe80 ? 'private' : 'elsewhere';
}
