import { setImmediate as turn } from 'node:timers/promises';
import { appendEvent, type AgentEvent } from '../core/words/events';
import type { SessionFolder } from './folder';
import { readBlob, readRecords, VERSION, type SessionHeader } from './record';
import { blobName, fileName, type SessionStart } from './session-writer';

/** A session in a list. */
export interface SessionSummary {
  /** The id of its last file. */
  readonly id: string;
  /** All of its files, the last one first. */
  readonly files: readonly string[];
  readonly title: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly modified: number;
}

export interface StoredSession {
  readonly header: SessionHeader;
  /** Every run among them has an end. */
  readonly events: readonly AgentEvent[];
  /** What a writer needs to continue it. */
  readonly start: SessionStart;
  /** Records and files that cannot be read. */
  readonly damaged: number;
}

type Files = ReadonlyMap<string, KnownFile>;

interface KnownFile {
  readonly header: SessionHeader;
  readonly size: number;
  readonly modified: number;
  /** Removed from the list; other sessions continue from it. */
  readonly isRemoved: boolean;
  /** It contains only its header. */
  readonly isBare: boolean;
}

/** Milliseconds of reading before it yields to other work. */
const AT_ONCE = 20;

/** A header is one line shorter than this. */
const HEAD = 64 * 1024;

/** The sessions of a folder, read from its files; there is no other index. */
export class SessionStore {
  constructor(private readonly folder: SessionFolder) {}

  /** Newest first. Files that are not session files are set aside. */
  async list(): Promise<readonly SessionSummary[]> {
    const files = await this.files();
    return lastFiles(files)
      .map(({ header, modified }) => {
        const { id, workspace, created } = header;
        return { id, files: chain(id, files), title: titleOf(header, files), workspace, created, modified };
      })
      .sort((one, other) => other.modified - one.modified);
  }

  /** Nothing if there is no such session. */
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

  /** Removes the files of a session, except those that other sessions continue. */
  async remove(id: string): Promise<void> {
    const files = await this.files();
    const kept = new Set(
      lastFiles(files)
        .filter(({ header }) => header.id !== id)
        .flatMap(({ header }) => chain(header.id, files)),
    );
    if (kept.has(id)) this.folder.create(removedName(id)).close();
    const names = await this.folder.names();
    const gone = chain(id, files).filter((each) => !kept.has(each));
    const titles = [...files.values()].filter(
      (file) => isOutgrown(file, files) && gone.includes(partOf(file)),
    );
    for (const file of [...gone, ...titles.map(({ header }) => header.id)]) {
      const own = names.filter((name) => name === fileName(file) || name.startsWith(`${file}-`));
      for (const name of own) await this.folder.remove(name);
    }
  }

  private async files(): Promise<Files> {
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
        const isBare = head.bytes.indexOf(NEWLINE) + 1 === size;
        files.set(header.id, { header, size, modified, isRemoved, isBare });
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
    let since = performance.now();
    for (const record of readRecords(bytes)) {
      if (performance.now() - since >= AT_ONCE) {
        await turn();
        since = performance.now();
      }
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

/** A marker beside the last file of a removed session that other sessions continue. */
function removedName(id: string): string {
  return `${id}-removed`;
}

/** The last file of each session: no other file continues from its end. */
function lastFiles(files: Files): KnownFile[] {
  const continued = new Set(
    [...files.values()].flatMap(({ header: { continues } }) =>
      continues && continues.length >= (files.get(continues.file)?.size ?? 0) ? [continues.file] : [],
    ),
  );
  return [...files.values()].filter(
    (file) => !file.isRemoved && !continued.has(file.header.id) && !isOutgrown(file, files),
  );
}

/** It gave a session another title, while a window that had the session open continued without it. */
function isOutgrown({ header: { continues }, isBare }: KnownFile, files: Files): boolean {
  return isBare && continues !== undefined && continues.length < (files.get(continues.file)?.size ?? 0);
}

function partOf({ header }: KnownFile): string {
  return header.continues?.file ?? '';
}

/** The title in the files of a session, unless another window has changed it since. */
function titleOf({ id, title }: SessionHeader, files: Files): string {
  const same = chain(id, files).filter((each) => files.get(each)?.header.title === title);
  const given = [...files.values()].filter((file) => isOutgrown(file, files) && same.includes(partOf(file)));
  const [newest] = given.sort((one, other) => other.modified - one.modified);
  return newest?.header.title ?? title;
}

/** A file and the files that it continues. */
function chain(id: string, files: Files): string[] {
  const ids: string[] = [];
  for (let at: string | undefined = id; at !== undefined && !ids.includes(at);) {
    ids.push(at);
    at = files.get(at)?.header.continues?.file;
  }
  return ids;
}

const ABORTED: AgentEvent = { type: 'run-end', outcome: { type: 'aborted' } };

/** Ends each run whose end was never written as stopped, so that every call has a result (G29). */
export function endRuns(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const ended: AgentEvent[] = [];
  let isRunning = false;
  for (const event of events) {
    const begins = event.type === 'run-start' || event.type === 'run-resume';
    if (begins && isRunning) ended.push(ABORTED);
    if (begins) isRunning = true;
    if (event.type === 'run-end') isRunning = false;
    ended.push(event);
  }
  return isRunning ? [...ended, ABORTED] : ended;
}
