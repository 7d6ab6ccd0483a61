import { readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** Why a client certificate cannot be used, in a sentence for the user. Never contains anything of its files. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}

/** Paths of PEM files, absolute or in the home folder (`~/`). */
interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string | undefined;
  /** The key has one. */
  readonly passphrase?: string | undefined;
}

/** Read for each connection, so that a renewed certificate counts. */
export type ReadCertificate = () => Promise<SecureContextOptions>;

interface CertificateSurroundings {
  /** Nothing if its secret is missing. */
  readonly passphrase: () => Promise<string | undefined>;
  /** Folders of the workspace, where anything that works there could replace the files. */
  readonly folders: readonly string[];
}

/** The client certificate of a profile. Rejects with `CertificateProblem`. */
export function clientCertificate(
  { cert, key, ca, passphrase: isProtected }: CertificateFiles,
  { passphrase, folders }: CertificateSurroundings,
): ReadCertificate {
  return async () => {
    const word = isProtected === undefined ? undefined : await passphrase();
    if (isProtected !== undefined && word === undefined)
      throw new CertificateProblem(
        'The secret of the passphrase in "tls" is not set. Set it, and send the message again.',
      );
    const options: SecureContextOptions = {
      cert: await contents('cert', cert, folders),
      key: await contents('key', key, folders),
      ...(ca !== undefined && { ca: await contents('ca', ca, folders) }),
      ...(word !== undefined && { passphrase: word }),
    };
    try {
      createSecureContext(options);
    } catch (error) {
      throw new CertificateProblem(
        'The files of "tls" do not make a client certificate. Check that they are in PEM form, belong together, and that the passphrase is right.',
        { cause: error },
      );
    }
    return options;
  };
}

async function contents(field: string, file: string, folders: readonly string[]): Promise<Buffer> {
  const full = file.replace(/^~(?=[/\\])/, homedir());
  if (!path.isAbsolute(full))
    throw new CertificateProblem(
      `The path of "tls.${field}" is not absolute. Write the whole path, or begin it with ~/.`,
    );
  try {
    const real = await realpath(full);
    const within = await Promise.all(folders.map(async (folder) => isWithin(real, await realpath(folder))));
    if (within.includes(true))
      throw new CertificateProblem(
        `The file of "tls.${field}" is inside of the workspace. Move it elsewhere.`,
      );
    return await readFile(real);
  } catch (error) {
    if (error instanceof CertificateProblem) throw error;
    throw new CertificateProblem(
      `The file of "tls.${field}" cannot be read. Check its path and permissions.`,
      {
        cause: error,
      },
    );
  }
}

function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
