import { CallIds } from '../../../src/core/reply/call-ids';
import { standingEvents } from '../../../src/core/reply/parse-reply';
import type { EndReason, ModelDelta } from '../../../src/core/words/model';
import type { ParserOptions, Protocol, ReplyEvent } from '../../../src/core/words/protocol';
import type { ToolSpec } from '../../../src/core/words/tool';

export interface ParsedReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    name: string;
    arguments: unknown;
    start: number;
    end: number;
    notes: string[];
    mark: string;
  }[];
  readonly errors: readonly { code: string; name: string; start: number; end: number }[];
  readonly warnings: readonly string[];
}

/** How a reply ends and is read, if not the default. */
export interface ParseOptions extends Pick<ParserOptions, 'strictness' | 'recover' | 'callsEndThinking'> {
  readonly reason?: EndReason | 'cut';
}

/** Parses deltas and collects the result, in a form for comparing two runs. */
export function parseDeltas(
  protocol: Protocol,
  deltas: readonly ModelDelta[],
  tools?: readonly ToolSpec[],
  { reason = 'stop', ...options }: ParseOptions = {},
): ParsedReply {
  const parser = protocol.createParser({ ...(tools && { tools }), ids: new CallIds(), ...options });
  return gather([...deltas.flatMap((delta) => parser.push(delta)), ...parser.end(reason)]);
}

/** Parses a text reply in these pieces. */
export function parseText(
  protocol: Protocol,
  pieces: readonly string[],
  tools?: readonly ToolSpec[],
  options?: ParseOptions,
): ParsedReply {
  return parseDeltas(
    protocol,
    pieces.map((text) => ({ type: 'text', text })),
    tools,
    options,
  );
}

function gather(all: readonly ReplyEvent[]): ParsedReply {
  const events = standingEvents(all);
  const join = (type: 'text' | 'reasoning'): string =>
    events
      .flatMap((event) =>
        event.type === type || (type === 'reasoning' && event.type === 'reasoning-end') ? [event.text] : [],
      )
      .join('');
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: events.flatMap((event) => {
      if (event.type !== 'call-end') return [];
      const { name, arguments: args, start, end, notes, mark } = event.call;
      return [{ name, arguments: args, start, end, notes: notes.map(({ code }) => code), mark }];
    }),
    errors: events.flatMap((event) => {
      if (event.type !== 'malformed') return [];
      const { name, diagnostic } = event.malformed;
      return [{ code: diagnostic.code, name, start: diagnostic.start, end: diagnostic.end }];
    }),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : [])),
  };
}

export function splitText(text: string, size: number): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += size) found.push(text.slice(at, at + size));
  return found;
}
