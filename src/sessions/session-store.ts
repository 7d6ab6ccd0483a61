import { setImmediate as turn } from 'node:timers/promises';
import { appendEvent, type AgentEvent } from '../core/events';
import { endRuns } from './end-runs';
import type { SessionFolder } from './folder';
import { readBlob, readRecords, VERSION, type SessionHeader } from './record';
import { blobName, fileName, type SessionStart } from './session-writer';

/** A session in a list. */
export interface SessionSummary {
  /** That of its last file. */
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly modified: number;
}

export interface StoredSession {
  readonly header: SessionHeader;
  /** Each run among them has its end. */
  readonly events: readonly AgentEvent[];
  /** What a writer needs to go on with it. */
  readonly start: SessionStart;
  /** Records and files that cannot be read. */
  readonly damaged: number;
}

interface KnownFile {
  readonly header: SessionHeader;
  readonly size: number;
  readonly modified: number;
  /** Removed from the list; others go on from it. */
  readonly isRemoved: boolean;
}

/** Records after which other work gets its turn. */
const AT_ONCE = 500;

/** A header is one line of less than this. */
const HEAD = 64 * 1024;

/** The sessions of a folder, as its files say; there is no other index. */
export class SessionStore {
  constructor(private readonly folder: SessionFolder) {}

  /** The newest first. What is no session file is set aside. */
  async list(): Promise<readonly SessionSummary[]> {
    const files = await this.files();
    return lastFiles(files)
      .map(({ header: { id, title, workspace, created }, modified }) => ({
        ...{ id, title, workspace, created },
        modified,
      }))
      .sort((one, other) => other.modified - one.modified);
  }

  /** Nothing when there is no such session. */
  async load(id: string): Promise<StoredSession | undefined> {
    const last = await this.readFile(id);
    if (!last) return undefined;
    const pieces = [last];
    let damaged = 0;
    const seen = new Set([id]);
    for (let { continues } = last.header; continues;) {
      const piece = seen.has(continues.file)
        ? undefined
        : await this.readFile(continues.file, continues.length);
      if (!piece) damaged++;
      else pieces.unshift(piece);
      seen.add(continues.file);
      continues = piece?.header.continues;
    }
    const events: AgentEvent[] = [];
    for (const event of pieces.flatMap((piece) => piece.events)) appendEvent(events, event);
    const { title, created } = last.header;
    return {
      header: last.header,
      events: endRuns(events),
      start: { title, created, continues: { file: id, length: last.length } },
      damaged: pieces.reduce((sum, piece) => sum + piece.damaged, damaged),
    };
  }

  /** Removes the files of a session, except those that others go on from. */
  async remove(id: string): Promise<void> {
    const files = await this.files();
    const kept = new Set(
      lastFiles(files)
        .filter(({ header }) => header.id !== id)
        .flatMap(({ header }) => chain(header.id, files)),
    );
    if (kept.has(id)) this.folder.create(removedName(id)).close();
    const names = await this.folder.names();
    for (const file of chain(id, files).filter((each) => !kept.has(each))) {
      const own = names.filter((name) => name === fileName(file) || name.startsWith(`${file}-`));
      for (const name of own) await this.folder.remove(name);
    }
  }

  private async files(): Promise<ReadonlyMap<string, KnownFile>> {
    const files = new Map<string, KnownFile>();
    const names = await this.folder.names();
    for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
      const head = await this.folder.head(name, HEAD);
      const header = headerOf(head.bytes);
      if (header && fileName(header.id) === name) {
        // A later version may have written it.
        if (header.version > VERSION) continue;
        const { size, modified } = head;
        const isRemoved = names.includes(removedName(header.id));
        files.set(header.id, { header, size, modified, isRemoved });
      } else if (head.bytes.includes(NEWLINE) || head.size >= HEAD) {
        await this.folder.rename(name, `${name}.unreadable`);
      }
    }
    return files;
  }

  private async readFile(id: string, length = Infinity): Promise<ReadFile | undefined> {
    if (!(await this.folder.names()).includes(fileName(id))) return undefined;
    const bytes = (await this.folder.read(fileName(id))).subarray(0, length);
    const header = headerOf(bytes);
    if (!header || header.version > VERSION) return undefined;
    const events: AgentEvent[] = [];
    let damaged = 0;
    let count = 0;
    for (const record of readRecords(bytes)) {
      if (++count % AT_ONCE === 0) await turn();
      if (record === 'damaged') damaged++;
      else if (record.type === 'event') events.push(record.event);
      else if (record.type === 'blob') {
        const event = await this.readBlob(id, record.blob);
        if (event) events.push(event);
        else damaged++;
      }
    }
    return { header, events, damaged, length: bytes.length };
  }

  private async readBlob(id: string, hash: string): Promise<AgentEvent | undefined> {
    const name = blobName(id, hash);
    if (!(await this.folder.names()).includes(name)) return undefined;
    return readBlob(await this.folder.read(name), hash);
  }
}

interface ReadFile {
  readonly header: SessionHeader;
  readonly events: readonly AgentEvent[];
  readonly damaged: number;
  /** Bytes that were read. */
  readonly length: number;
}

const NEWLINE = 10;

function headerOf(bytes: Uint8Array): SessionHeader | undefined {
  const [first] = readRecords(bytes.subarray(0, HEAD));
  return typeof first === 'object' && first.type === 'header' ? first.header : undefined;
}

/** Lies beside the last file of a session that was removed while others go on from it. */
function removedName(id: string): string {
  return `${id}-removed`;
}

/** The files that no other one continues from their end: the last one of each session. */
function lastFiles(files: ReadonlyMap<string, KnownFile>): KnownFile[] {
  const continued = new Set(
    [...files.values()].flatMap(({ header: { continues } }) =>
      continues && continues.length >= (files.get(continues.file)?.size ?? 0) ? [continues.file] : [],
    ),
  );
  return [...files.values()].filter(({ header, isRemoved }) => !isRemoved && !continued.has(header.id));
}

/** A file and those that it continues. */
function chain(id: string, files: ReadonlyMap<string, KnownFile>): string[] {
  const ids: string[] = [];
  for (let at: string | undefined = id; at !== undefined && !ids.includes(at);) {
    ids.push(at);
    at = files.get(at)?.header.continues?.file;
  }
  return ids;
}
