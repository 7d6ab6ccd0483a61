import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseObject } from '../base/json';
import type { AgentEvent } from '../core/words/events';
import { isAgentEvent } from './event-schema';

/** The format that this version writes. It cannot read later formats. */
export const VERSION = 1;

const Header = z.looseObject({
  version: z.number(),
  /** The format of the file. */
  id: z.string(),
  /** The address of the folder or workspace that was open; empty when there was none. */
  workspace: z.string(),
  title: z.string(),
  /** When the session began, in milliseconds since 1970. */
  created: z.number(),
  /** The file continues another one at this length in bytes. What that file got later belongs to another session. */
  continues: z.optional(z.looseObject({ file: z.string(), length: z.number() })),
});

/** The first record of a file. */
export type SessionHeader = z.infer<typeof Header>;

type SessionRecord =
  | { readonly type: 'header'; readonly header: SessionHeader }
  | { readonly type: 'event'; readonly event: AgentEvent }
  /** The event lies in a file of its own, which has this hash. */
  | { readonly type: 'blob'; readonly blob: string };

/** A record as a line: JSON that begins with a check sum of the rest. */
export function headerLine(header: SessionHeader): string {
  return line({ header });
}

/** `event` is its JSON. */
export function eventLine(event: string): string {
  return sealed(`"event":${event}}`);
}

export function blobLine(hash: string): string {
  return line({ blob: hash });
}

/** Nothing if the line differs from what was written. */
export function readLine(text: string): SessionRecord | undefined {
  const [whole, sum] = /^\{"sum":"([0-9a-f]{16})",/.exec(text) ?? [];
  const isSealed = whole !== undefined && checkSum(text.slice(whole.length)) === sum;
  if (!isSealed && !EXPORTED.test(text)) return undefined;
  const { success, data } = Body.safeParse(parseObject(text));
  if (!success) return undefined;
  const { header, event, blob } = data;
  if (header) return { type: 'header', header };
  if (blob !== undefined) return { type: 'blob', blob };
  return isAgentEvent(event) ? { type: 'event', event } : undefined;
}

/** The event in a blob; nothing if it is not the one that was written. */
export function readBlob(bytes: Uint8Array, hash: string): AgentEvent | undefined {
  if (hashOf(bytes) !== hash) return undefined;
  const event = parseObject(new TextDecoder().decode(bytes));
  return isAgentEvent(event) ? event : undefined;
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const NEWLINE = 10;

/**
 * The records of a file in order, and `damaged` for each that cannot be read. A last record without a line end was
 * being written when the process ended; it counts only if it is complete.
 */
export function* readRecords(bytes: Uint8Array): Generator<SessionRecord | 'damaged'> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(NEWLINE, at);
    const end = found < 0 ? bytes.length : found;
    const record = readLine(decoder.decode(bytes.subarray(at, end)));
    if (record) yield record;
    else if (found >= 0) yield 'damaged';
    at = end + 1;
  }
}

/** How a line of an export begins. A damaged line with a check sum cannot look like one. */
const EXPORTED = /^\{"(?:header|event)":/;

const Body = z.looseObject({
  header: z.optional(Header),
  event: z.optional(z.unknown()),
  blob: z.optional(z.string()),
});

function line(body: object): string {
  return sealed(JSON.stringify(body).slice(1));
}

function sealed(rest: string): string {
  return `{"sum":"${checkSum(rest)}",${rest}\n`;
}

function checkSum(text: string): string {
  return hashOf(text).slice(0, 16);
}
