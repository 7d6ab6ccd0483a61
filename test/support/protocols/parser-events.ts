import { CallIds } from '../../../src/core/run/call-ids';
import type { Diagnostic } from '../../../src/core/words/messages';
import type { EndReason, ModelDelta, ToolCallDelta } from '../../../src/core/words/model';
import type { ParserOptions, Protocol, ReplyEvent } from '../../../src/core/words/protocol';

/** A short form of a delta: text, or the fields of a native call's piece. */
export type Delta = string | { readonly think: string } | Omit<ToolCallDelta, 'type'>;

export interface StoryOptions extends Omit<ParserOptions, 'ids'> {
  readonly reason?: EndReason | 'cut';
}

/** Returns the events of a parser, delta by delta, one line for each: with index, id, span and mark. */
export function story(protocol: Protocol, deltas: readonly Delta[], options?: StoryOptions): string[] {
  return eventsOf(protocol, deltas, options).map(told);
}

export function eventsOf(
  protocol: Protocol,
  deltas: readonly Delta[],
  { reason = 'stop', ...options }: StoryOptions = {},
): readonly ReplyEvent[] {
  const parser = protocol.createParser({ ids: new CallIds(), ...options });
  return [...deltas.flatMap((delta) => parser.push(modelDelta(delta))), ...parser.end(reason)];
}

function modelDelta(delta: Delta): ModelDelta {
  if (typeof delta === 'string') return { type: 'text', text: delta };
  if ('think' in delta) return { type: 'reasoning', text: delta.think };
  return { type: 'tool-call', ...delta };
}

function told(event: ReplyEvent): string {
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
      const marks = [...(mark === 'clean' ? [] : [mark]), ...notes.map(spoken)];
      return [`${event.index} is ${name} ${JSON.stringify(args)}`, `${id} ${start}-${end}`, ...marks].join(
        ', ',
      );
    }
    case 'malformed': {
      const { id, name, diagnostic } = event.malformed;
      return `${event.index} is not a call ${name === '' ? '' : `${name} `}${id}: ${spoken(diagnostic)}`;
    }
    case 'warning':
      return `warns ${spoken(event.diagnostic)}`;
  }
}

function spoken({ code, start, end }: Diagnostic): string {
  return `${code} ${start}-${end}`;
}
