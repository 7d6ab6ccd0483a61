import type { Disposable } from '../../base/disposable';
import type { ModelRequest } from '../../core/words/model';
import type { ReplyRef } from '../../core/transcript/references';

/** Characters of all that is kept. */
const MOST = 32_000_000;

/** A request as it went out. */
export interface SentRequest {
  readonly request: ModelRequest;
  /** What the endpoint was sent; nothing where a model is none. Headers are no part of it. */
  readonly body?: object | undefined;
}

interface Kept {
  readonly request: ModelRequest;
  readonly characters: number;
}

/** Keeps the newest requests of the conversation that is shown, each under the reply that it was for. */
export class RequestLog {
  private readonly kept = new Map<string, Kept>();
  private characters = 0;
  /** By what a request was rendered from, which stays the same on its way. */
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

  /** A request that goes out again has the same body. */
  addBody(body: object, { origin }: ModelRequest): void {
    this.bodies.set(origin, body);
  }

  /** Nothing where it was never made, or is kept no longer. */
  find(reply: ReplyRef): SentRequest | undefined {
    const request = this.kept.get(replyKey(reply))?.request;
    return request && { request, body: this.bodies.get(request.origin) };
  }

  /** Forgets everything with each session that takes the place of another. */
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
