import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { readJson, type JsonRead } from '../../base/json-reader';
import { JsonStream } from '../json/json-stream';

export type ArgumentsRead =
  | { readonly ok: true; readonly value: JsonObject; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The arguments of one native call while they arrive. */
export class CallArguments {
  private stream: JsonStream;
  /** What came after the object. */
  private behind = '';
  /** All of it while it is short enough to say nothing, empty after that. */
  private beginning: string | undefined = '';
  /** Whether something other than blanks has come. */
  hasText = false;

  /** `onText` gets the texts of top-level arguments as they arrive, for display. */
  constructor(private readonly onText: (key: string, text: string) => void) {
    this.stream = new JsonStream({ onText });
  }

  /** Whether they have begun and not ended. */
  get isOpen(): boolean {
    return this.hasText && this.stream.state === 'open' && !this.isNothing;
  }

  get isComplete(): boolean {
    return this.stream.state !== 'open';
  }

  push(text: string): void {
    // Some servers send an empty object or null before the real arguments.
    if ((this.isNothing && /^\s*\{/.test(text)) || this.growth(text)) this.restart();
    this.hasText ||= text.trim() !== '';
    if (this.beginning !== undefined) this.beginning += text;
    if ((this.beginning?.length ?? 0) > NOTHING_LENGTH) this.beginning = undefined;
    const used = this.stream.push(text);
    if (used !== undefined) this.behind += text.slice(used);
  }

  /** Whether a piece begins the arguments of another call. `mayGrow`: it may also be the same ones with more fields. */
  isFollowedBy(text: string, { mayGrow }: { readonly mayGrow: boolean }): boolean {
    if (this.isNothing || !/^\s*\{/.test(text)) return false;
    return this.value() !== undefined && !(mayGrow && this.growth(text));
  }

  /** Some gateways encode the arguments again, as JSON text inside JSON. */
  read(): ArgumentsRead {
    if (!this.hasText) return { ok: true, value: {}, repairs: [] };
    const read = this.stream.read(this.behind);
    if (!read.ok || typeof read.value !== 'string') return objectOf(read);
    const inner = read.value.trim() === '' ? NOTHING : readJson(read.value);
    const repairs = [...read.repairs, 'decoded the arguments twice'];
    return objectOf(inner.ok ? { ...inner, repairs: [...repairs, ...inner.repairs] } : inner);
  }

  private get isNothing(): boolean {
    return this.beginning !== undefined && SAYS_NOTHING.test(this.beginning);
  }

  private restart(): void {
    this.stream = new JsonStream({ onText: this.onText });
    this.behind = '';
    this.beginning = '';
  }

  /** Whether a piece is the whole object again, with more in it. */
  private growth(text: string): boolean {
    const before = /^\s*\{/.test(text) ? this.value() : undefined;
    const after = before && readJson(text);
    return after?.ok === true && isJsonObject(after.value) && hasGrown(before, after.value);
  }

  /** The object, if it is whole and nothing follows it. */
  private value(): JsonObject | undefined {
    if (this.stream.state !== 'complete' || this.behind.trim() !== '') return undefined;
    const read = this.stream.read();
    return read.ok && isJsonObject(read.value) ? read.value : undefined;
  }
}

function hasGrown(before: Json | undefined, after: Json | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(after))
    return Object.entries(before).every(([key, value]) => hasGrown(value, after[key]));
  if (typeof before === 'string' && typeof after === 'string') return after.startsWith(before);
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Arguments of a call without any, also in the words of languages without objects (`[]`). */
const SAYS_NOTHING = /^\s*(?:\{\s*\}|\[\s*\]|null|"")\s*$/;
const NOTHING_LENGTH = 16;
const NOTHING: JsonRead = { ok: true, value: {}, repairs: [] };

function objectOf(read: JsonRead): ArgumentsRead {
  if (!read.ok) return read;
  const { value, repairs } = read;
  if (value === null || (Array.isArray(value) && value.length === 0)) return { ok: true, value: {}, repairs };
  return isJsonObject(value) ? { ok: true, value, repairs } : { ok: false, message: 'not an object' };
}
