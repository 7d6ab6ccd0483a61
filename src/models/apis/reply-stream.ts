import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import type { ModelDelta } from '../../core/words/model';
import type { ProviderMetadata } from '../../core/words/provider-metadata';
import { CONNECTION_BROKE, type Endpoint } from '../exchange/endpoint-failure';
import { readError, type ErrorWords } from '../exchange/error-words';
import { jsonValues, type StreamEvent } from '../exchange/event-stream';

/** A part of a streamed reply. */
export type StreamPart =
  /** `chunk`: the event, in Chat Completions with the one choice that counts. */
  | { readonly type: 'chunk'; readonly chunk: object; readonly deltas: readonly ModelDelta[] }
  /** The server failed in place of a reply or in the middle of one. */
  | { readonly type: 'error'; readonly said: ErrorWords };

/** Reads the events of one reply of an API. Never throws. */
export interface ReplyStream {
  /** Nothing more will come. */
  readonly isOver: boolean;
  /** The reply is whole. */
  readonly hasEnded: boolean;
  push(event: StreamEvent): readonly StreamPart[];
  /** The stream has closed. */
  end(): readonly ModelDelta[];
  /** What goes back to the same endpoint and model with the history, once the reply has ended. */
  carried(endpoint: Endpoint): ProviderMetadata | undefined;
}

interface EventContent {
  readonly values: readonly object[];
  /** An error that is no JSON. */
  readonly said?: ErrorWords;
  /** Part of an object was lost. */
  readonly isDamaged: boolean;
}

/** What an event holds. Anything that is not JSON and no error only keeps the connection alive. */
export function contentOf(event: StreamEvent): EventContent {
  const values = jsonValues(event);
  if (values.length > 0) return { values, isDamaged: false };
  if (event.name === 'error' && event.data.trim() !== '')
    return { values, said: readError(event.data), isDamaged: false };
  return { values, isDamaged: event.data.trimStart().startsWith('{') };
}

/** The end of a reply that is not whole; `reason`: what the server said of it, if it said anything. */
export function cutOff(reason?: string): ModelDelta {
  const message =
    reason === undefined
      ? CONNECTION_BROKE
      : `The reply was cut off: the server ended it with the reason "${reason}". Send the message again.`;
  return { type: 'failure', failure: { code: 'cut-off', message } };
}

/** Maximum characters of output that go back unchanged; a larger one is rendered from the history. */
const OUTPUT_MOST = 4 * 1024 * 1024;

/** The output of a reply in the form of its API, to be sent back unchanged. */
export function carriedOutput(
  { baseUrl, model }: Endpoint,
  api: NonNullable<ProviderMetadata['output']>['api'],
  items: readonly JsonObject[],
): ProviderMetadata | undefined {
  if (items.length === 0 || JSON.stringify(items).length > OUTPUT_MOST) return undefined;
  return { origin: new URL(baseUrl).origin, model, output: { api, items } };
}

/** The object in a field; empty if there is none. */
export function objectIn(value: unknown, name: string): JsonObject {
  const found = isJsonObject(value) ? value[name] : undefined;
  return found !== undefined && isJsonObject(found) ? found : {};
}

export function objectsIn(value: unknown, name: string): readonly JsonObject[] {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
}

export function textIn(value: unknown, name: string): string {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
}

export function numberIn(value: unknown, name: string): number | undefined {
  const found = isJsonObject(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : undefined;
}
