import { insideTag } from '../base/inside-tag';
import type { Image, TextAttachment } from '../core/attachment';
import type { UserTurn } from '../core/messages';
import type { ChatMessage } from '../core/model';

/** What the user said, and behind it what goes along with it. */
export function userMessage({ text, attachments = [] }: UserTurn): ChatMessage {
  const blocks = attachments.flatMap((each) => (each.type === 'text' ? [block(each)] : []));
  const images = attachments.flatMap((each) => (each.type === 'image' ? [each.image] : []));
  const content = [text, ...blocks].filter(Boolean).join('\n\n');
  return withImages(content, images);
}

export function withImages(content: string, images: readonly Image[]): ChatMessage {
  return { role: 'user', content, ...(images.length > 0 && { images }) };
}

function block({ label, text }: TextAttachment): string {
  const name = label.replace(/["<>\s]+/g, ' ');
  return `<attached name="${name}">\n${insideTag('attached', text)}\n</attached>`;
}
