import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ApiContent, ApiPart } from './api-messages';
import { BadRequest } from './gateway-request';

/**
 * The content of a message or result in the form of any of the APIs: text, a list of parts, or one part. A part that
 * is neither text nor an image becomes a note, because a client sends its conversation again with every request: a
 * refused part would end it. Throws `BadRequest` for values that are no content.
 */
export function readContent(content: Json | undefined, where: string): ApiContent {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (isJsonList(content)) return content.flatMap(readPart);
  if (isJsonObject(content)) return readPart(content);
  throw new BadRequest(`"${where}" needs text or a list of parts.`);
}

/** Reasoning is not sent back. */
const REASONING: readonly Json[] = ['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text'];

/** One part, called a block by Anthropic; a note may be followed by what is inside the part. */
export function readPart(part: Json): readonly ApiPart[] {
  if (typeof part === 'string') return [{ type: 'text', text: part }];
  if (!isJsonObject(part)) return [];
  const { type = null, text, refusal } = part;
  if (REASONING.includes(type)) return [];
  const said = typeof text === 'string' ? text : refusal;
  if (typeof said === 'string') return [{ type: 'text', text: said }];
  const image = imageOf(part);
  return image ? [{ type: 'image_url', image_url: image }] : noteOf(part);
}

const IMAGES: readonly Json[] = ['image', 'image_url', 'input_image'];

function imageOf(part: JsonObject): ApiPart['image_url'] {
  const { type = null, image_url: image, source, detail } = part;
  if (!IMAGES.includes(type)) return undefined;
  const given = isJsonObject(image) ? image : { url: image ?? null, detail: detail ?? null };
  const url = given['url'] ?? (isJsonObject(source) ? addressOf(source) : addressOf(part)) ?? null;
  if (typeof url !== 'string') return undefined;
  return { url, ...(typeof given['detail'] === 'string' && { detail: given['detail'] }) };
}

function addressOf({ type = null, url, media_type: named, mimeType, data }: JsonObject): Json | undefined {
  if (type === 'url') return url;
  const media = named ?? mimeType;
  return typeof media === 'string' && typeof data === 'string' ? `data:${media};base64,${data}` : undefined;
}

/** Fields that say what a part is. */
const FACTS = [
  ...['name', 'tool_name', 'title', 'filename', 'url', 'uri', 'source', 'file_id', 'media_type', 'mime_type'],
  ...['format', 'file_data', 'error_code', 'input', 'arguments'],
] as const;
/** Fields with text or parts, in parts of some kinds. */
const TEXTS = ['content', 'stdout', 'stderr', 'tool_references'] as const;
/** Objects in which parts of some kinds have these fields. */
const INNER = ['source', 'file', 'input_audio'] as const;
/** Fields whose content a model cannot read. */
const DATA: readonly string[] = ['data', 'file_data', 'file_id', 'encrypted_content', 'audio', 'video_url'];
const LONGEST_FACT = 200;

/** A part of another kind: a line with what is known of it, and the text inside. */
function noteOf(part: JsonObject): readonly ApiPart[] {
  const { type } = part;
  const inner = INNER.map((name) => part[name]).find(isJsonObject) ?? {};
  const isText = inner['type'] === 'text' || inner['type'] === 'content';
  const texts = [...TEXTS.map((name) => part[name]), inner['content'], isText ? inner['data'] : undefined];
  const inside = texts.flatMap(partsInside);
  const places = isText ? [part] : [part, inner];
  const facts = places.flatMap((place) => FACTS.flatMap((name) => factOf(name, place[name])));
  if (facts.length === 0 && inside.length > 0) return inside;
  const isUnreadable = places.some((place) => DATA.some((name) => Object.hasOwn(place, name)));
  const label = typeof type === 'string' ? clipped(type.replaceAll('_', ' ')) : 'part';
  const said = [...facts, ...(isUnreadable ? ['content not shown'] : [])].join(', ');
  return [{ type: 'note', text: said === '' ? `[${label}]` : `[${label}: ${said}]` }, ...inside];
}

function partsInside(content: Json | undefined): readonly ApiPart[] {
  if (content === undefined || content === null) return [];
  return (isJsonList(content) ? content : [content]).filter((each) => each !== '').flatMap(readPart);
}

/** Data is not shown, but for its media type. */
function factOf(name: string, value: Json | undefined): readonly string[] {
  if (isJsonObject(value))
    return name === 'input' || name === 'arguments' ? [clipped(JSON.stringify(value))] : [];
  if (typeof value !== 'string' || value === '') return [];
  const [, media] = /^data:([^;,]*)[;,]/.exec(value) ?? [];
  if (media !== undefined) return [media];
  return name === 'file_data' ? [] : [clipped(value)];
}

function clipped(text: string): string {
  return text.length > LONGEST_FACT ? `${text.slice(0, LONGEST_FACT)}…` : text;
}
