import type { Diagnostic, ReplyPart } from '../words/messages';
import type { EndReason, ModelDelta } from '../words/model';
import type { ParserOptions, Protocol, ReplyEvent } from '../words/protocol';
import { CallIds } from './call-ids';
import { rawText } from './reply';

/** A reply that was read to its end. */
export interface ParsedReply {
  /** In the order in which they were written. */
  readonly parts: readonly ParsedPart[];
  /** What all positions refer to: text and native argument pieces in the order of arrival. */
  readonly raw: string;
}

export type ParsedPart = ReplyPart | { readonly type: 'warning'; readonly diagnostic: Diagnostic };

/** Parses a recorded reply as the loop parses a streaming one, without running anything. Never throws. */
export function parseReply(
  protocol: Protocol,
  deltas: Iterable<ModelDelta>,
  options: Omit<ParserOptions, 'ids'>,
): ParsedReply {
  const parser = protocol.createParser({ ...options, ids: new CallIds() });
  const parts = new PartList();
  const raw: string[] = [];
  let reason: EndReason | undefined;
  for (const delta of deltas) {
    if (delta.type === 'end') reason = delta.reason;
    raw.push(rawText(delta));
    for (const event of parser.push(delta)) parts.add(event);
  }
  for (const event of parser.end(reason ?? 'cut')) parts.add(event);
  return { parts: parts.end(), raw: raw.join('') };
}

/** The events of a whole reply without those that a `reasoning-end` revoked. Warnings stay. */
export function standingEvents(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
  const begin = events.findIndex(({ type }) => type === 'reasoning-end');
  return events.filter(({ type }, at) => at >= begin || type === 'warning');
}

/** Collects parts and joins pieces of the same text. */
class PartList {
  private readonly parts: ParsedPart[] = [];
  private open: { readonly type: 'text' | 'reasoning'; readonly pieces: string[] } | undefined;

  add(event: ReplyEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (this.open?.type !== event.type) {
          this.close();
          this.open = { type: event.type, pieces: [] };
        }
        this.open.pieces.push(event.text);
        break;
      case 'reasoning-end':
        this.restart(event.text);
        break;
      case 'call-end':
        this.put({ type: 'call', call: event.call });
        break;
      case 'malformed':
        this.put({ type: 'malformed', malformed: event.malformed });
        break;
      case 'warning':
        this.put(event);
        break;
      case 'call-start':
      case 'call-delta':
        break;
    }
  }

  end(): readonly ParsedPart[] {
    this.close();
    return this.parts;
  }

  /** Warnings stay: they tell what was noticed before. */
  private restart(reasoning: string): void {
    this.open = undefined;
    const warnings = this.parts.filter(({ type }) => type === 'warning');
    this.parts.splice(0, this.parts.length, ...warnings, { type: 'reasoning', text: reasoning });
  }

  private put(part: ParsedPart): void {
    this.close();
    this.parts.push(part);
  }

  private close(): void {
    if (this.open) this.parts.push({ type: this.open.type, text: this.open.pieces.join('') });
    this.open = undefined;
  }
}

/** All text of one type, joined. */
export function joinedText({ parts }: Pick<ParsedReply, 'parts'>, type: 'text' | 'reasoning'): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
}

/** The result of reading a reply, in a form that is easy to compare. */
interface ReplyFacts {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly start: number;
    /** Codes of what was noticed. */
    readonly notes: readonly string[];
    readonly mark: string;
  }[];
  readonly errors: readonly { readonly code: string; readonly name: string; readonly start: number }[];
  /** Codes. */
  readonly warnings: readonly string[];
}

/** One readable line: text, reasoning, calls with marks and notes, rejections, warnings. */
export function summary(facts: ReplyFacts): string {
  const calls = [
    ...facts.calls.map((call) => ({
      start: call.start,
      line: [
        call.name,
        JSON.stringify(call.arguments),
        ...(call.mark === 'clean' ? [] : [call.mark]),
        ...(call.notes.length === 0 ? [] : [`[${call.notes.join(', ')}]`]),
      ].join(' '),
    })),
    ...facts.errors.map(({ start, name, code }) => ({
      start,
      line: ['rejects', name, code].filter(Boolean).join(' '),
    })),
  ];
  return [
    ...(facts.text === '' ? [] : [`text ${JSON.stringify(facts.text)}`]),
    ...(facts.reasoning === '' ? [] : [`reasoning ${JSON.stringify(facts.reasoning)}`]),
    ...calls.sort((a, b) => a.start - b.start).map(({ line }) => line),
    ...facts.warnings.map((code) => `warns ${code}`),
  ].join(' | ');
}

export function factsOf(reply: Pick<ParsedReply, 'parts'>): ReplyFacts {
  const { parts } = reply;
  return {
    text: joinedText(reply, 'text'),
    reasoning: joinedText(reply, 'reasoning'),
    calls: parts.flatMap((part) => {
      if (part.type !== 'call') return [];
      const { name, arguments: args, start, notes, mark } = part.call;
      return [{ name, arguments: args, start, notes: notes.map(({ code }) => code), mark }];
    }),
    errors: parts.flatMap((part) => {
      if (part.type !== 'malformed') return [];
      const { name, diagnostic } = part.malformed;
      return [{ code: diagnostic.code, name, start: diagnostic.start }];
    }),
    warnings: parts.flatMap((part) => (part.type === 'warning' ? [part.diagnostic.code] : [])),
  };
}
