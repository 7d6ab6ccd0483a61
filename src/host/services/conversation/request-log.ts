import type { Disposable } from '../../../base/disposable';
import type { ModelRequest } from '../../../core/words/model';
import type { ReplyRef } from '../../../core/transcript/references';

/** Maximum characters kept. */
const MOST = 32_000_000;

/** A request as it was sent. */
export interface SentRequest {
  readonly request: ModelRequest;
  /** The body sent to the endpoint; absent for a model without one. Excludes headers. */
  readonly body?: object | undefined;
}

interface Kept {
  readonly request: ModelRequest;
  readonly characters: number;
}

/** Keeps the newest requests of the current conversation, each under its reply. */
export class RequestLog {
  private readonly kept = new Map<string, Kept>();
  private characters = 0;
  /** By the source of the request, which stays the same on its way. */
  private readonly bodies = new WeakMap<ModelRequest['origin'], object>();

  constructor(private readonly most: number = MOST) {}

  add(request: ModelRequest, reply: ReplyRef): void {
    const characters = sizeOf(request);
    this.kept.set(replyKey(reply), { request, characters });
    this.characters += characters;
    for (const [key, oldest] of this.kept) {
      if (this.characters <= this.most) break;
      this.kept.delete(key);
      this.characters -= oldest.characters;
    }
  }

  /** A request that is sent again has the same body. */
  addBody(body: object, { origin }: ModelRequest): void {
    this.bodies.set(origin, body);
  }

  /** Nothing if it was never sent, or is no longer kept. */
  find(reply: ReplyRef): SentRequest | undefined {
    const request = this.kept.get(replyKey(reply))?.request;
    return request && { request, body: this.bodies.get(request.origin) };
  }

  /** Drops everything whenever another session is shown. */
  follow(conversation: { onReplaced(listener: () => void): Disposable }): Disposable {
    return conversation.onReplaced(() => {
      this.kept.clear();
      this.characters = 0;
    });
  }
}

export function replyKey({ number, callId }: ReplyRef): string {
  return callId === undefined ? String(number) : `${number} of ${callId}`;
}

function sizeOf({ messages, tools = [] }: ModelRequest): number {
  const images = messages.flatMap((message) => ('images' in message ? (message.images ?? []) : []));
  const texts = [...messages.map(({ content }) => content), ...images.map(({ data }) => data)];
  return texts.reduce((sum, { length }) => sum + length, JSON.stringify(tools).length);
}
