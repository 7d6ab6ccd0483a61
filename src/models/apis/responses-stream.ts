import { isJsonObject, type JsonObject } from '../../base/json';
import type { EndReason, ModelDelta } from '../../core/words/model';
import type { ProviderMetadata } from '../../core/words/provider-metadata';
import { isTooDeep, TOO_DEEP, tooLargeFailure } from '../bounded';
import type { Endpoint } from '../exchange/endpoint-failure';
import { errorInEvent, readError } from '../exchange/error-words';
import type { StreamEvent } from '../exchange/event-stream';
import {
  carriedOutput,
  contentOf,
  cutOff,
  numberIn,
  objectIn,
  objectsIn,
  textIn,
  type ReplyStream,
  type StreamPart,
} from './reply-stream';

/** What has arrived of one output item. */
interface ItemProgress {
  /** Position among the calls of the reply. */
  readonly call: number;
  hasText: boolean;
  hasArguments: boolean;
  /** Parts of the reasoning summary that have begun. */
  summaries: number;
}

/**
 * Reads a reply of the Responses API (https://platform.openai.com/docs/api-reference/responses-streaming), or a whole
 * response. Unknown events are ignored. Only a response that says how it ended is whole; no `[DONE]` is needed.
 */
export class ResponsesStream implements ReplyStream {
  isOver = false;
  private readonly progress = new Map<string, ItemProgress>();
  /** Items that are done, in the order of the output. */
  private readonly items: { readonly place: number; readonly item: JsonObject }[] = [];
  private calls = 0;
  private isDamaged = false;

  get hasEnded(): boolean {
    return this.isOver;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    if (this.isOver) return [];
    const { values, said, isDamaged } = contentOf(event);
    if (said) return [{ type: 'error', said }];
    this.isDamaged ||= isDamaged;
    return values.flatMap((value) => (this.isOver ? [] : this.read(value, event.name)));
  }

  end(): readonly ModelDelta[] {
    if (this.isOver || !this.isDamaged) return [];
    return [cutOff()];
  }

  carried(endpoint: Endpoint): ProviderMetadata | undefined {
    const items = this.items.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
    return carriedOutput(endpoint, 'responses', items);
  }

  private read(value: object, name: string | undefined): readonly StreamPart[] {
    // SAFETY: it was parsed from JSON.
    const event = value as JsonObject;
    const type = textIn(event, 'type') || (name ?? '');
    if (isTooDeep(event['item']))
      return [chunk(event, [{ type: 'failure', failure: tooLargeFailure(TOO_DEEP) }])];
    if (type === 'response.failed')
      return [{ type: 'error', said: readError(errorOf(objectIn(event, 'response'))) }];
    const isWhole = type === '' && Array.isArray(event['output']);
    if (isWhole && textIn(event, 'status') === 'failed')
      return [{ type: 'error', said: readError(errorOf(event)) }];
    const isOfReply = type.startsWith('response.') || isWhole;
    const said = isOfReply ? undefined : errorInEvent(event, name);
    if (said) return [{ type: 'error', said }];
    return [chunk(event, isWhole ? this.whole(event) : this.deltas(type, event))];
  }

  private deltas(type: string, event: JsonObject): readonly ModelDelta[] {
    switch (type) {
      case 'response.output_item.added':
        return this.begun(event, objectIn(event, 'item'));
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.written(event);
      case 'response.reasoning_summary_part.added':
        return this.of(event).summaries++ > 0 ? [{ type: 'reasoning', text: '\n\n' }] : [];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': {
        this.of(event).hasText = true;
        return [{ type: 'reasoning', text: textIn(event, 'delta') }];
      }
      case 'response.function_call_arguments.delta': {
        const item = this.of(event);
        item.hasArguments = true;
        return [{ type: 'tool-call', index: item.call, arguments: textIn(event, 'delta') }];
      }
      case 'response.output_item.done':
        return this.done(event, objectIn(event, 'item'));
      case 'response.completed':
      case 'response.incomplete':
        return this.whole(objectIn(event, 'response'), type === 'response.incomplete');
      default:
        return [];
    }
  }

  private written(event: JsonObject): readonly ModelDelta[] {
    this.of(event).hasText = true;
    return [{ type: 'text', text: textIn(event, 'delta') }];
  }

  private begun(event: JsonObject, item: JsonObject): readonly ModelDelta[] {
    const known = this.of(event, item);
    if (item['type'] !== 'function_call') return [];
    return [{ type: 'tool-call', index: known.call, id: callId(item), name: textIn(item, 'name') }];
  }

  /** What was not streamed of an item comes with its end. */
  private done(event: JsonObject, item: JsonObject): readonly ModelDelta[] {
    const key = keyOf(event, item);
    const isNew = !this.progress.has(key);
    const known = this.of(event, item);
    this.items.push({ place: numberIn(event, 'output_index') ?? this.items.length, item });
    switch (item['type']) {
      case 'function_call': {
        const begun = isNew ? this.begun(event, item) : [];
        if (known.hasArguments) return begun;
        known.hasArguments = true;
        return [...begun, { type: 'tool-call', index: known.call, arguments: textIn(item, 'arguments') }];
      }
      case 'message': {
        const text = objectsIn(item, 'content')
          .map((part) => textIn(part, 'text') || textIn(part, 'refusal'))
          .join('');
        return known.hasText || text === '' ? [] : [{ type: 'text', text }];
      }
      case 'reasoning': {
        const text = [...objectsIn(item, 'summary'), ...objectsIn(item, 'content')]
          .map((part) => textIn(part, 'text'))
          .join('\n\n');
        return known.hasText || text === '' ? [] : [{ type: 'reasoning', text }];
      }
      default:
        return [];
    }
  }

  /** The response at the end of its stream, or in its place. */
  private whole(
    response: JsonObject,
    isIncomplete = response['status'] === 'incomplete',
  ): readonly ModelDelta[] {
    const missing = this.items.length > 0 ? [] : objectsIn(response, 'output');
    const deltas = missing.flatMap((item, at) => this.done({ output_index: at, item }, item));
    this.isOver = true;
    const reason = isIncomplete ? incompleteReason(response) : this.endReason();
    return [...deltas, ...usageDeltas(objectIn(response, 'usage')), { type: 'end', reason }];
  }

  private endReason(): EndReason {
    return this.calls > 0 ? 'tool-calls' : 'stop';
  }

  private of(event: JsonObject, item: JsonObject = {}): ItemProgress {
    const key = keyOf(event, item);
    const known = this.progress.get(key);
    if (known) return known;
    const isCall = item['type'] === 'function_call' || textIn(event, 'type').includes('function_call');
    const begun = { call: isCall ? this.calls++ : 0, hasText: false, hasArguments: false, summaries: 0 };
    this.progress.set(key, begun);
    return begun;
  }
}

/** Some servers leave out one of the two. */
function keyOf(event: JsonObject, item: JsonObject): string {
  const place = numberIn(event, 'output_index');
  return place === undefined ? textIn(event, 'item_id') || textIn(item, 'id') : String(place);
}

function callId(item: JsonObject): string {
  return textIn(item, 'call_id') || textIn(item, 'id');
}

function chunk(event: object, deltas: readonly ModelDelta[]): StreamPart {
  return { type: 'chunk', chunk: event, deltas };
}

function incompleteReason(response: JsonObject): EndReason {
  return textIn(objectIn(response, 'incomplete_details'), 'reason') === 'content_filter'
    ? 'content-filter'
    : 'length';
}

function usageDeltas(usage: JsonObject): readonly ModelDelta[] {
  const inputTokens = numberIn(usage, 'input_tokens');
  const outputTokens = numberIn(usage, 'output_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return [];
  const cachedTokens = numberIn(objectIn(usage, 'input_tokens_details'), 'cached_tokens');
  return [
    {
      type: 'usage',
      usage: { inputTokens, outputTokens, ...(cachedTokens !== undefined && { cachedTokens }) },
    },
  ];
}

function errorOf(response: JsonObject): JsonObject {
  const error = response['error'];
  return isJsonObject(error) ? { error } : { error: { message: 'The response failed without a reason.' } };
}
