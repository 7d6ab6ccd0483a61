import { lstat, readlink } from 'node:fs/promises';
import { bytePath, joinBytes, type BytePath } from './byte-paths';
import type { Mount } from './mounts';
import { systemFolders } from './toolchains';

/** System files and folders that contain secrets, whatever their names are. */
const SYSTEM_SECRETS: readonly { readonly at: string; readonly kind: 'file' | 'folder' }[] = [
  { at: '/etc/shadow', kind: 'file' },
  { at: '/etc/shadow-', kind: 'file' },
  { at: '/etc/gshadow', kind: 'file' },
  { at: '/etc/gshadow-', kind: 'file' },
  { at: '/etc/security/opasswd', kind: 'file' },
  { at: '/etc/sudoers', kind: 'file' },
  { at: '/etc/sudoers.d', kind: 'folder' },
  { at: '/etc/ssl/private', kind: 'folder' },
  { at: '/etc/pki/tls/private', kind: 'folder' },
  { at: '/etc/ssh/ssh_host_rsa_key', kind: 'file' },
  { at: '/etc/ssh/ssh_host_ecdsa_key', kind: 'file' },
  { at: '/etc/ssh/ssh_host_ed25519_key', kind: 'file' },
  { at: '/etc/ssh/ssh_host_dsa_key', kind: 'file' },
  { at: '/etc/wireguard', kind: 'folder' },
  { at: '/etc/openvpn', kind: 'folder' },
  { at: '/etc/ipsec.secrets', kind: 'file' },
  { at: '/etc/ppp', kind: 'folder' },
  { at: '/etc/NetworkManager/system-connections', kind: 'folder' },
  { at: '/etc/netplan', kind: 'folder' },
  { at: '/etc/krb5.keytab', kind: 'file' },
  { at: '/etc/rancher', kind: 'folder' },
  { at: '/etc/kubernetes', kind: 'folder' },
];

/** Certificates: they have names like keys, but every program that connects to a server reads them. */
export const certificateFolders: readonly string[] = [
  '/etc/ssl/certs',
  '/etc/ca-certificates',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
];

/** Mounts for programs and libraries, and mounts that hide the secrets among them. */
export async function systemMounts(): Promise<{ readonly shown: Mount[]; readonly hidden: Mount[] }> {
  const shown = (await Promise.all(systemFolders.map(systemMount))).filter((mount) => mount !== undefined);
  const hidden = await Promise.all(
    SYSTEM_SECRETS.map(async ({ at, kind }): Promise<Mount | undefined> => {
      const stats = await lstat(at).catch(() => undefined);
      const fits = kind === 'folder' ? stats?.isDirectory() : stats?.isFile();
      return fits ? { type: 'hidden', at: bytePath(at), kind } : undefined;
    }),
  );
  return { shown, hidden: hidden.filter((mount) => mount !== undefined) };
}

async function systemMount(folder: string): Promise<Mount | undefined> {
  const stats = await lstat(folder).catch(() => undefined);
  const at = bytePath(folder);
  if (stats?.isSymbolicLink()) return { type: 'link', at, to: bytePath(await readlink(folder)) };
  return stats?.isDirectory() ? { type: 'read', at } : undefined;
}

/** Private folders that start empty. Caches are kept between commands, because builds would take long without them. */
export function privateMounts(home: BytePath, caches: BytePath): readonly Mount[] {
  const temporary: Mount[] = ['/tmp', '/var/tmp', '/run'].map((at) => ({
    type: 'private',
    at: bytePath(at),
  }));
  return [
    ...temporary,
    { type: 'private', at: home },
    { type: 'shared', at: joinBytes(home, '.cache'), from: caches },
  ];
}
