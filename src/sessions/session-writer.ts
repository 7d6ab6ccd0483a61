import { randomUUID } from 'node:crypto';
import { redactData } from '../base/redact';
import { visibleText } from '../base/text';
import { appendEvent, type AgentEvent } from '../core/words/events';
import type { NewFile, SessionFolder } from './folder';
import { blobLine, eventLine, hashOf, headerLine, VERSION, type SessionHeader } from './record';

export interface SessionWriterOptions {
  readonly workspace: string;
  /** The text without any key. */
  readonly redact: (text: string) => string;
  /** The session is found under this id from now on. */
  readonly onFile: (id: string) => void;
  /** What could not be written. Nothing more of the session will be. */
  readonly onError: (error: unknown) => void;
  readonly limits?: WriterLimits;
}

/** In bytes. */
interface WriterLimits {
  /** A longer record gets a separate file. */
  readonly record: number;
  /** A longer file is continued in another one. */
  readonly file: number;
}

/** What a writer continues. */
export type SessionStart = Pick<SessionHeader, 'title' | 'created' | 'continues'>;

const LIMITS: WriterLimits = { record: 1024 * 1024, file: 64 * 1024 * 1024 };

/** Milliseconds that a piece of text waits for the next one, to be written as one record. */
const PACE = 200;

const encoder = new TextEncoder();

/**
 * Writes the events of one session to a new file, created for the first event. A session that is resumed continues in
 * another file: written files never change, and two windows never write the same file (G34).
 */
export class SessionWriter {
  private file: OpenSegment | undefined;
  private piece: AgentEvent | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly folder: SessionFolder,
    private start: SessionStart | undefined,
    private readonly options: SessionWriterOptions,
  ) {}

  /** Never throws. */
  add(event: AgentEvent): void {
    this.attempt(() => {
      const events = this.piece ? [this.piece] : [];
      this.piece = undefined;
      appendEvent(events, event);
      for (const each of events) {
        if (each === events.at(-1) && isPiece(each)) this.keep(each);
        else this.write(each);
      }
      if (isSynced(event)) this.file?.file.sync((error) => this.fail(error));
    });
  }

  /** Writes the waiting text, or only the first part of it. Never throws. */
  flush([now, later]: Parts = [this.piece]): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.piece = later;
    if (now) this.attempt(() => this.write(now));
  }

  /** Gives the session another title. Never throws. */
  rename(title: string): void {
    this.flush();
    this.attempt(() => {
      const file = this.next();
      this.start = { created: Date.now(), ...this.start, title: this.options.redact(sessionTitle(title)) };
      file?.close();
      this.open().file.sync((error) => this.fail(error));
    });
  }

  /** The id of the current file. Throws if writing has ended. */
  fileId(): string {
    if (this.isOver) throw new Error('This session is no longer written.');
    return (this.file ?? this.open()).id;
  }

  close(): void {
    this.flush();
    this.file?.file.close();
    this.file = undefined;
    this.isOver = true;
  }

  private keep(piece: AgentEvent): void {
    this.piece = piece;
    this.timer ??= setTimeout(() => this.flushWords(), PACE);
  }

  /** Writes only whole words of the waiting text: a key contains no blank, and half a key would not be recognized. */
  private flushWords(): void {
    const { piece } = this;
    this.flush(piece && cutAtBlank(piece));
  }

  private write(event: AgentEvent): void {
    if (event.type === 'run-start') {
      this.start ??= { title: this.options.redact(sessionTitle(event.text)), created: event.time };
    }
    const { record, file: longest } = this.options.limits ?? LIMITS;
    const { redact } = this.options;
    const json = JSON.stringify(redactData(withoutKeysInThoughts(event, redact), redact));
    const line = encoder.encode(eventLine(json));
    const open = this.file ?? this.open();
    const bytes = line.length > record ? encoder.encode(this.blob(open, encoder.encode(json))) : line;
    open.file.append(bytes);
    open.length += bytes.length;
    if (open.length >= longest) this.next()?.close();
  }

  /** The line for an event in a separate file. */
  private blob(open: OpenSegment, bytes: Uint8Array): string {
    const hash = hashOf(bytes);
    if (!open.blobs.has(hash)) {
      const file = this.folder.create(blobName(open.id, hash));
      file.append(bytes);
      file.sync((error) => this.fail(error));
      file.close();
      open.blobs.add(hash);
    }
    return blobLine(hash);
  }

  private open(): OpenSegment {
    const id = randomUUID();
    const file = this.folder.create(fileName(id));
    const start = this.start ?? { title: '', created: Date.now() };
    const bytes = encoder.encode(
      headerLine({ version: VERSION, id, workspace: this.options.workspace, ...start }),
    );
    file.append(bytes);
    this.file = { id, file, length: bytes.length, blobs: new Set() };
    this.options.onFile(id);
    return this.file;
  }

  /** Continues in another file at the end of the open one, which the caller closes. */
  private next(): NewFile | undefined {
    const { file: open } = this;
    this.file = undefined;
    if (!open) return undefined;
    const continues = { file: open.id, length: open.length };
    this.start = { title: '', created: Date.now(), ...this.start, continues };
    return open.file;
  }

  /** A disk that is full must not end the run. */
  private attempt(action: () => void): void {
    if (this.isOver) return;
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.options.onError(error);
  }
}

/** What to write now, and what waits for more. */
type Parts = readonly [now?: AgentEvent | undefined, later?: AgentEvent | undefined];

function cutAtBlank(piece: AgentEvent): Parts {
  if (piece.type === 'sub-agent') {
    const [now, later] = cutAtBlank(piece.event);
    return [now && { ...piece, event: now }, later && { ...piece, event: later }];
  }
  if (!('text' in piece)) return [piece];
  let end = piece.text.length;
  while (end > 0 && !isBlank(piece.text[end - 1])) end--;
  if (end === 0) return [undefined, piece];
  return [
    { ...piece, text: piece.text.slice(0, end) },
    end === piece.text.length ? undefined : { ...piece, text: piece.text.slice(end) },
  ];
}

function isBlank(character = ''): boolean {
  return /\s/.test(character);
}

interface OpenSegment {
  readonly id: string;
  readonly file: NewFile;
  length: number;
  /** Hashes of the blobs beside it. */
  readonly blobs: Set<string>;
}

export function fileName(id: string): string {
  return `${id}.jsonl`;
}

export function blobName(id: string, hash: string): string {
  return `${id}-${hash}.blob`;
}

/** More text of the same kind may follow. */
function isPiece(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return isPiece(event.event);
  return ['text', 'reasoning', 'call-delta', 'tool-output'].includes(event.type);
}

/** Changes to the outside, done or about to be done, must survive a power cut. */
function isSynced(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return isSynced(event.event);
  return ['tool-start', 'tool-end', 'run-end'].includes(event.type);
}

/** In characters; a title is one line in a list. */
const LONGEST = 80;

/** The first line that is not empty. */
function sessionTitle(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const characters = Array.from(visibleText(line.trim().slice(0, 2 * LONGEST)));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('');
}

/** Signed reasoning cannot be changed: if it contains a key, it is not kept. */
function withoutKeysInThoughts(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  if (event.type !== 'reply-end' || !event.carried) return event;
  const { carried, ...kept } = event;
  return JSON.stringify(redactData(carried, redact)) === JSON.stringify(carried) ? event : kept;
}
