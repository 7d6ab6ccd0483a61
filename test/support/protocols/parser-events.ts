import { CallIds } from '../../../src/core/reply/call-ids';
import type { Diagnostic } from '../../../src/core/words/messages';
import type { EndReason, ModelDelta, ToolCallDelta } from '../../../src/core/words/model';
import type { ParserOptions, Protocol, ReplyEvent } from '../../../src/core/words/protocol';

/** A short form of a delta: text, or the fields of a native call's piece. */
export type Delta = string | { readonly think: string } | Omit<ToolCallDelta, 'type'>;

export interface ParserRunOptions extends Omit<ParserOptions, 'ids'> {
  readonly reason?: EndReason | 'cut';
}

/** Returns the events of a parser, delta by delta, one line for each: with index, id, span and mark. */
export function eventLines(
  protocol: Protocol,
  deltas: readonly Delta[],
  options?: ParserRunOptions,
): string[] {
  return parserEvents(protocol, deltas, options).map(eventLine);
}

export function parserEvents(
  protocol: Protocol,
  deltas: readonly Delta[],
  { reason = 'stop', ...options }: ParserRunOptions = {},
): readonly ReplyEvent[] {
  const parser = protocol.createParser({ ids: new CallIds(), ...options });
  return [...deltas.flatMap((delta) => parser.push(modelDelta(delta))), ...parser.end(reason)];
}

function modelDelta(delta: Delta): ModelDelta {
  if (typeof delta === 'string') return { type: 'text', text: delta };
  if ('think' in delta) return { type: 'reasoning', text: delta.think };
  return { type: 'tool-call', ...delta };
}

function eventLine(event: ReplyEvent): string {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'reasoning-end':
      return `${event.type} ${JSON.stringify(event.text)}`;
    case 'call-start':
      return `${event.index} starts ${event.name}`.trim();
    case 'call-delta':
      return `${event.index} shows ${event.key}: ${JSON.stringify(event.text)}`;
    case 'call-end': {
      const { id, name, arguments: args, start, end, mark, notes } = event.call;
      const marks = [...(mark === 'clean' ? [] : [mark]), ...notes.map(diagnosticLine)];
      return [`${event.index} is ${name} ${JSON.stringify(args)}`, `${id} ${start}-${end}`, ...marks].join(
        ', ',
      );
    }
    case 'malformed': {
      const { id, name, diagnostic } = event.malformed;
      return `${event.index} is not a call ${name === '' ? '' : `${name} `}${id}: ${diagnosticLine(diagnostic)}`;
    }
    case 'warning':
      return `warns ${diagnosticLine(event.diagnostic)}`;
  }
}

function diagnosticLine({ code, start, end }: Diagnostic): string {
  return `${code} ${start}-${end}`;
}
