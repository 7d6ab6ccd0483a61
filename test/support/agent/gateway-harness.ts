import type { Json, JsonObject } from '../../../src/base/json';
import type { Image } from '../../../src/core/words/attachment';
import type { ReplyPart, ToolResult, Turn } from '../../../src/core/words/messages';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import type { ClientEvent } from '../../../src/gateway/relay';
import type { Answer, RelayBackend } from '../../../src/gateway/api';
import { findProtocol } from '../../../src/protocols';
import { cutAt, writeTool } from '../protocols/parser-properties';

export const endDelta: ModelDelta = { type: 'end', reason: 'stop' };

/** Sends each of the replies once, for any request, and records the requests. */
export class DeltaModel implements Model {
  readonly name = 'scripted';
  readonly requests: ModelRequest[] = [];

  constructor(private readonly replies: readonly (readonly ModelDelta[])[]) {}

  async *stream(request: ModelRequest): AsyncIterable<ModelDelta> {
    const deltas = this.replies[this.requests.length] ?? [];
    this.requests.push(request);
    yield* deltas;
  }
}

/** Starts a gateway in front of this model. */
export function relayBackend(protocol: Protocol, model: Model): RelayBackend {
  return {
    model: 'm',
    upstream: () => ({ model, protocol, plain: findProtocol('native')!, tokensIn: (text) => text.length }),
    now: () => 0,
    newId: () => '1',
    longWait: () => new Promise(() => undefined),
  };
}

/** Returns the whole answer, or the events of a stream with their names. */
export async function readAnswer(answer: Answer): Promise<{ body: JsonObject } | { events: NamedEvent[] }> {
  if (answer.type === 'whole') return { body: answer.body };
  const events: NamedEvent[] = [];
  for await (const { name = '', data } of answer.events) {
    events.push({ name, data: JSON.parse(data) as JsonObject });
  }
  return { events };
}

export interface NamedEvent {
  readonly name: string;
  readonly data: JsonObject;
}

export interface ClientCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/**
 * Returns the messages of the protocol for a question, these calls and their results in a conversation of Parley
 * itself.
 */
export function expectedMessages(
  protocol: Protocol,
  calls: readonly ClientCall[],
  texts: readonly string[],
): ModelRequest['messages'] {
  const results = calls.map(({ id, name }, at): ToolResult => {
    return { requestId: id, toolName: name, status: 'success', result: texts[at]!, durationMs: 0 };
  });
  const parts = calls.map(({ id, name, arguments: args }) => {
    const place = { start: 0, end: 0, notes: [], mark: 'clean' as const };
    return { type: 'call' as const, call: { id, name, arguments: args as JsonObject, ...place } };
  });
  const { messages } = protocol.request({
    instructions: '',
    tools: [],
    turns: [
      { type: 'user', text: 'Write them.' },
      { type: 'reply', parts },
      { type: 'results', results },
    ],
  });
  return messages.filter(({ role }) => role !== 'system');
}

/** One line for each turn. */
export function turnLine(turn: Turn): string {
  switch (turn.type) {
    case 'user': {
      const { text, attachments = [] } = turn;
      const images = attachments.flatMap((attachment) =>
        attachment.type === 'image' ? [attachment.image] : [],
      );
      return `user ${JSON.stringify(text)}${imageWords(images)}`;
    }
    case 'reply':
      return `reply ${turn.parts.map(partWords).join(', ')}`;
    case 'results':
      return `results ${turn.results
        .map(
          ({ requestId, toolName, status, result, images = [] }) =>
            `${requestId} ${toolName} ${status} ${JSON.stringify(result)}${imageWords(images)}`,
        )
        .join(', ')}`;
  }
}

function imageWords(images: readonly Image[]): string {
  const words = images.map(({ mediaType, data, url = '', detail = '' }) =>
    [mediaType, data, url, detail].filter(Boolean).join(' '),
  );
  return words.length === 0 ? '' : ` ${words.join(', ')}`;
}

function partWords(part: ReplyPart): string {
  if (part.type === 'call') {
    const { id, name, arguments: args } = part.call;
    return `call ${id} ${name} ${JSON.stringify(args)}`;
  }
  return part.type === 'malformed'
    ? `malformed ${part.malformed.id}`
    : `${part.type} ${JSON.stringify(part.text)}`;
}

export function clientCall(id: string, name: string, args: JsonObject): ClientEvent {
  return {
    type: 'call',
    call: { id, name, arguments: args, start: 0, end: 0, notes: [], mark: 'clean' },
  };
}

/** Returns a reply that calls the write tool with each of these, with its text cut at these places. */
export function writeCallDeltas(
  protocol: Protocol,
  all: readonly JsonObject[],
  cuts: readonly number[],
): readonly ModelDelta[] {
  const parts = all.map((args, at) => ({
    type: 'call' as const,
    call: { id: `k${at}`, name: writeTool.name, arguments: args },
  }));
  return protocol.renderReply(parts).flatMap((delta): ModelDelta[] => {
    if (delta.type !== 'text') return [delta];
    return cutAt(delta.text, cuts).map((text) => ({ type: 'text', text }));
  });
}
