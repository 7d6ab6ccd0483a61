import type { JsonObject } from '../base/json';
import type { ModelFailure } from '../core/words/model';
import type { GatewayRequest } from './gateway-request';
import type { OfferedTools } from './offered-tools';
import type { ClientEvent, GatewayEvent, ReportedUsage, Upstream } from './relay';

/** A request in the form of one of the APIs. */
export interface ApiRequest extends GatewayRequest {
  /** All tools of the client, also those that may not be called. */
  readonly offered: OfferedTools;
  readonly isStreamed: boolean;
  /** Fields for the upstream, with their names in the Chat Completions API. */
  readonly rest: JsonObject;
}

/** The answer to a client. */
export type Answer =
  | {
      readonly type: 'whole';
      readonly status: number;
      readonly body: JsonObject;
      /** Milliseconds after which the client may try again. */
      readonly retryAfterMs?: number;
    }
  | { readonly type: 'stream'; readonly events: AsyncIterable<ServerSentEvent> };

export interface ServerSentEvent {
  readonly name?: string;
  readonly data: string;
}

/** What is behind the gateway. */
export interface RelayBackend {
  /** As the upstream names it. */
  readonly model: string;
  /** Answers a request with these other fields, and texts that end the reply. */
  readonly upstream: (rest: JsonObject, stop?: readonly string[]) => Upstream | Promise<Upstream>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Observes the events of each request, and passes them on. */
  readonly watch?: (events: AsyncIterable<GatewayEvent>) => AsyncIterable<GatewayEvent>;
  /** Resolves when a client that has received nothing should learn that its request is in progress. */
  readonly longWait: (signal: AbortSignal) => Promise<void>;
}

/** What all events of a reply, and the complete reply, have in common. */
export interface ReplyHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

/** Writes one reply in the form of an API, event by event. */
export interface ReplyWriter {
  of(event: ClientEvent): readonly JsonObject[];
}

/** An API that the gateway supports. */
export interface Api<Request extends ApiRequest> {
  /** Prefix of its replies' ids. */
  readonly idPrefix: string;
  /** Throws `BadRequest`. */
  readonly read: (body: JsonObject) => Request;
  readonly writer: (head: ReplyHead, request: Request) => ReplyWriter;
  /** For a reply that did not fail. */
  readonly whole: (head: ReplyHead, request: Request, events: readonly ClientEvent[]) => JsonObject;
  readonly error: (failure: RequestFailure) => JsonObject;
  /** Each event of a stream is named after the type in its data. */
  readonly namesEvents: boolean;
  /** The last data of a stream that has not failed. */
  readonly last?: string;
}

/** A failure of the upstream or of the request. */
export type RequestFailure = Pick<ModelFailure, 'code' | 'message' | 'figures' | 'status'>;

/** The events of a complete reply, in which text that turned out to be reasoning is marked as such. */
export function standingReply(events: readonly ClientEvent[]): readonly ClientEvent[] {
  const begin = events.findLastIndex(({ type }) => type === 'reasoning-end');
  return events.flatMap((event, at): readonly ClientEvent[] => {
    if (event.type === 'reasoning-end') return [{ type: 'reasoning', text: event.text }];
    return at < begin && (event.type === 'text' || event.type === 'reasoning') ? [] : [event];
  });
}

/** The field of usage that no API has: attempts that the client did not ask for. Missing if there were none. */
export function hiddenAttempts({ hidden }: Pick<ReportedUsage, 'hidden'>): JsonObject {
  return hidden ? { hidden_attempts: { count: hidden.count, input_tokens: hidden.inputTokens } } : {};
}
