import type { ProviderMetadata } from '../../core/words/provider-metadata';
import { ChatStream } from '../chat-stream';
import type { Endpoint } from '../exchange/endpoint-failure';
import type { StreamEvent } from '../exchange/event-stream';
import { ReasoningCollector } from '../reasoning';
import type { ReplyStream, StreamPart } from './reply-stream';

/** A live reply of the Chat Completions API, with what its endpoint wants back. */
export class ChatReply extends ChatStream implements ReplyStream {
  private readonly reasoning = new ReasoningCollector();

  override push(event: StreamEvent): readonly StreamPart[] {
    const parts = super.push(event);
    for (const part of parts) if (part.type === 'chunk') this.reasoning.add(part.chunk);
    return parts;
  }

  carried(endpoint: Endpoint): ProviderMetadata | undefined {
    return this.reasoning.carried(endpoint);
  }
}
