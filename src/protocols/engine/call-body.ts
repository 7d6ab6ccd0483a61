import { isJsonObject, type Json } from '../../base/json';
import type { Diagnostic } from '../../core/words/messages';
import { note, twice, unclosed, warning, type CallProblem, type RawCall } from './calls';
import { seenOf, type Cursor, type Reading } from './cursor';
import { readRawValue, type RawValueForm } from './raw-value';
import type { ReplyWriter } from './reader';
import { endsReply } from './special-tokens';
import { invalidJson, takeObject } from '../json/json-calls';

type Values = ReadonlyMap<string, Json>;

/**
 * Collects the parts of one call until the call ends: its name, its values, and the first problem that makes it
 * invalid. Reading continues after a problem, to find the end of the call. Subclasses add how their form is read.
 */
export abstract class CallBody {
  protected readonly cursor: Cursor;
  protected readonly values = new Map<string, Json>();
  protected name = '';
  protected problem: CallProblem | undefined;
  private readonly notes: Diagnostic[] = [];
  /** The repairs that were reported, each once. */
  private readonly repairs = new Set<string>();
  private index: number | undefined;

  constructor(
    protected readonly reply: ReplyWriter,
    protected readonly start = reply.cursor.position,
  ) {
    this.cursor = reply.cursor;
  }

  /** Announces the call as soon as its name is known, or when a part of it has to be shown. */
  protected begin(name = this.name): number {
    this.name = name.trim();
    this.index ??= this.reply.startCall(this.name);
    return this.index;
  }

  protected show(key: string, text: string): void {
    this.reply.delta(this.begin(), key, text);
  }

  protected keep(key: string, value: Json): void {
    if (this.values.has(key)) this.fail(twice(key));
    this.values.set(key, value);
  }

  /** Reads a raw value after its opening tag; `undefined` if it is not closed, which is a problem of the call. */
  protected *rawValue(key: string, form: RawValueForm): Reading<string | undefined> {
    const value = yield* readRawValue(this.reply, form, (text) => this.show(key, text));
    const { text, isUnclosed, isUncertain, wasWrapped } = value;
    const [closer = ''] = form.closers;
    if (isUnclosed && text === undefined) this.fail(unclosed(key, closer));
    else if (isUnclosed)
      this.repair('missing-end', `The value of "${key}" lacks ${closer}.`, `End every value with ${closer}.`);
    if (isUncertain)
      this.repair('mark-in-value', `The value of "${key}" holds "${closer}", which was read as part of it.`);
    // Where white space is trimmed, the section is the form's own way to keep it.
    if (wasWrapped && form.ends !== 'trimmed') this.repairCdata(key);
    return text;
  }

  protected repairCdata(key: string): void {
    this.repair('cdata', `The value of "${key}" was taken out of its CDATA section.`);
  }

  /** Reads `{"key": value}` instead of single arguments. Returns false if it is incomplete or cannot be read. */
  protected *object(closers: readonly string[]): Reading<boolean> {
    const { stream, text } = yield* takeObject(this.cursor, {
      onText: (key, piece) => this.show(key, piece),
      mayBeText: () => true,
    });
    if (stream.state !== 'complete') {
      const ends = closers.map((closer) => text.indexOf(closer)).filter((at) => at >= 0);
      if (ends.length > 0 && this.reply.putBackSwallowed(text.slice(Math.min(...ends))))
        this.fail(invalidJson('it ends in the middle'));
      return false;
    }
    const read = stream.read();
    if (!read.ok) this.fail(invalidJson(read.message));
    if (!read.ok || !isJsonObject(read.value)) return false;
    this.reportRepairs(read.repairs);
    for (const [key, value] of Object.entries(read.value)) this.keep(key, value);
    return true;
  }

  protected reportRepairs(repairs: readonly string[]): void {
    for (const repair of repairs)
      this.repair('repaired-json', `Repaired JSON: ${repair}.`, 'Write strict JSON.');
  }

  /** Whether only the end of a call is missing: one of the followers comes next, or the reply has ended properly. */
  protected *isMissing(closer: string, followers: readonly string[]): Reading<boolean> {
    const isNext = (yield* seenOf(this.cursor, followers)) !== undefined;
    if (!isNext && (this.values.size === 0 || !(yield* endsReply(this.cursor)))) return false;
    this.repair(
      'missing-end',
      `The call lacks ${closer}; all its values were closed.`,
      `End every call with ${closer}.`,
    );
    return true;
  }

  protected fail(problem: CallProblem): void {
    this.problem ??= problem;
  }

  protected note(code: string, message: string): void {
    this.notes.push(note(this.span(), code, message));
  }

  protected warn(code: string, message: string, hint = ''): void {
    this.notes.push(warning(this.span(), code, message, hint));
  }

  /** Reports a part that has one likely reading but was not written correctly. */
  protected repair(code: string, message: string, hint = ''): void {
    if (this.repairs.has(message)) return;
    this.repairs.add(message);
    this.warn(code, message, hint);
  }

  /** Ends the call: it is complete, or it has a problem. */
  protected end(): void {
    this.report({ ...this.span(), index: this.begin(), name: this.name, values: this.values });
  }

  protected report({ values, ...call }: Omit<RawCall, 'arguments'> & { readonly values: Values }): void {
    if (this.problem) {
      this.reply.rejectCall(call, this.problem);
      return;
    }
    const { notes } = this;
    const repaired = this.repairs.size > 0;
    this.reply.endCall({ ...call, arguments: Object.fromEntries(values), notes, repaired, form: 'text' });
  }

  protected span(): { readonly start: number; readonly end: number } {
    return { start: this.start, end: this.cursor.position };
  }
}
