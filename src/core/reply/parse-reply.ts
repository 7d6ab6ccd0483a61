import type { ModelDelta } from '../words/model';
import type { ParserOptions, Protocol, ReplyEvent } from '../words/protocol';
import { CallIds } from './call-ids';
import { joinedText, ReplyReader, type ParsedPart } from './reply-reader';

/** A reply that was read to its end. */
export interface ParsedReply {
  /** In the order in which they were written. */
  readonly parts: readonly ParsedPart[];
  /** What all positions refer to: text and native argument pieces in the order of arrival. */
  readonly raw: string;
}

/** Parses a recorded reply as the loop parses a streaming one, without running anything. Never throws. */
export function parseReply(
  protocol: Protocol,
  deltas: Iterable<ModelDelta>,
  options: Omit<ParserOptions, 'ids'>,
): ParsedReply {
  const reader = new ReplyReader(protocol, { ...options, ids: new CallIds() });
  for (const delta of deltas) reader.push(delta);
  reader.end();
  return { parts: reader.parts, raw: reader.raw };
}

/** The events of a whole reply without those that a `reasoning-end` revoked. Warnings stay. */
export function standingEvents(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
  const begin = events.findIndex(({ type }) => type === 'reasoning-end');
  return events.filter(({ type }, at) => at >= begin || type === 'warning');
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
