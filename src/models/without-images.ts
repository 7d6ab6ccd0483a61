import type { ChatMessage } from '../core/words/model';
import { layer, type Layer } from './layer';

/** For a model without image support: a conversation may contain images sent to another one. */
export const withoutImages: Layer = layer((next, request, signal) =>
  next.stream({ ...request, messages: request.messages.map(withoutThem) }, signal),
);

function withoutThem(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' || !message.images) return message;
  const { images, ...rest } = message;
  return { ...rest, content: `${message.content}\n\n${imagesNote(images.length)}` };
}

/** What a model is told in place of images. */
export function imagesNote(count: number): string {
  return `[${count === 1 ? 'An image is' : `${count} images are`} left out: this model cannot see images.]`;
}
