import type { TextAttachment } from '../core/attachment';
import type { UserTurn } from '../core/messages';
import type { ChatMessage } from '../core/model';

/** What the user said, and behind it what goes along with it. */
export function userMessage({ text, attachments = [] }: UserTurn): ChatMessage {
  const blocks = attachments.flatMap((each) => (each.type === 'text' ? [block(each)] : []));
  const images = attachments.flatMap((each) => (each.type === 'image' ? [each.image] : []));
  const content = [text, ...blocks].filter(Boolean).join('\n\n');
  return { role: 'user', content, ...(images.length > 0 && { images }) };
}

/** A line that would end the block is told apart by a blank. */
function block({ label, text }: TextAttachment): string {
  const name = label.replace(/["<>\s]+/g, ' ');
  const inside = text.replace(/<(?=\/attached>)/g, '< ');
  return `<attached name="${name}">\n${inside}\n</attached>`;
}
