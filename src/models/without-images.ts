import type { ChatMessage } from '../core/words/model';
import { layer, type Layer } from './layer';

/** For a model without image support: a conversation may contain images sent to another one. */
export const withoutImages: Layer = layer((next, request, signal) =>
  next.stream({ ...request, messages: request.messages.map(withoutThem) }, signal),
);

function withoutThem(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' || !message.images) return message;
  const { images, ...rest } = message;
  const note = images.length === 1 ? 'An image is' : `${images.length} images are`;
  return { ...rest, content: `${message.content}\n\n[${note} left out: this model cannot see images.]` };
}
