import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { whileBusy } from '../base/busy';
import type { ConfiguredServer } from './definition';
import { digest, type Pins } from './pins';
import type { Approvals } from './ports';

const storedPins = z.object({ instructions: z.string(), tools: z.record(z.string(), z.string()) });

/**
 * Approvals as files of a folder outside of every workspace. Each is named after the approved content and written
 * once, so windows need no lock, and an unreadable file counts as no approval.
 */
export class ApprovalFiles implements Approvals {
  constructor(private readonly folder: string) {}

  async of(server: ConfiguredServer, canonical: string): Promise<'approved' | 'changed' | 'none'> {
    if ((await this.read('definitions', digest(canonical))) === canonical) return 'approved';
    return (await this.last(server)) === undefined ? 'none' : 'changed';
  }

  /** The last approved content for a server of this name at this location; nothing if there is none. */
  last(server: ConfiguredServer): Promise<string | undefined> {
    return this.read('servers', serverKey(server));
  }

  async approve(server: ConfiguredServer, canonical: string): Promise<void> {
    await this.write('definitions', digest(canonical), canonical);
    await this.write('servers', serverKey(server), canonical);
  }

  async pins(canonical: string): Promise<Pins | undefined> {
    const text = await this.read('pins', digest(canonical));
    return text === undefined ? undefined : readPins(text);
  }

  pin(canonical: string, pins: Pins): Promise<void> {
    return this.write('pins', digest(canonical), JSON.stringify(pins));
  }

  isAllowed(toolDigest: string): boolean {
    return existsSync(path.join(this.folder, 'tools', toolDigest));
  }

  allow(toolDigest: string): void {
    mkdirSync(path.join(this.folder, 'tools'), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(this.folder, 'tools', toolDigest), '', { mode: 0o600 });
  }

  private async read(kind: string, name: string): Promise<string | undefined> {
    try {
      return await readFile(path.join(this.folder, kind, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Atomic. */
  private async write(kind: string, name: string, text: string): Promise<void> {
    const folder = path.join(this.folder, kind);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = path.join(folder, `.${randomUUID()}`);
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    await whileBusy(() => rename(temporary, path.join(folder, name)));
  }
}

function serverKey({ name, scope, folder }: ConfiguredServer): string {
  return digest(JSON.stringify([name, scope, folder ?? null]));
}

function readPins(text: string): Pins | undefined {
  try {
    return storedPins.parse(JSON.parse(text));
  } catch (error) {
    // Tools that the user has not seen are shown before use.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return { instructions: '', tools: {} };
    throw error;
  }
}
