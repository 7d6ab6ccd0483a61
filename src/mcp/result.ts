import type { CallToolResult, ContentBlock, ResourceLink } from '@modelcontextprotocol/client';
import { isJsonList, isJsonObject, type Json } from '../base/json';
import type { Image } from '../core/words/attachment';
import { ToolError, type ToolOutput } from '../core/words/tool';
import { canonicalJson } from './pins';
import type { McpLimits, McpSurroundings } from './ports';

type ResultOptions = Pick<McpSurroundings, 'imageOf'> & {
  readonly limits: Pick<McpLimits, 'mcpResultTextBytes' | 'mcpResultImageBytes' | 'mcpResultImages'>;
};

/** A server's answer to a call, as text and images. Throws `ToolError` if it reports an error. */
export function toolOutput(
  name: string,
  { content, structuredContent, isError }: CallToolResult,
  options: ResultOptions,
): ToolOutput {
  const { texts, images } = readContent(content, options);
  // SAFETY: it was received as JSON.
  const answer = structuredContent as Json | undefined;
  const structured = answer === undefined || isSaid(answer, content) ? [] : [JSON.stringify(answer)];
  const text = cut([...texts, ...structured].join('\n'), options.limits.mcpResultTextBytes);
  if (isError === true) {
    throw new ToolError(
      `${name} failed: ${text || 'it does not say why'}\nChange the arguments, or do without it.`,
    );
  }
  return { text: text || '(The tool has answered nothing.)', ...(images.length > 0 && { images }) };
}

/** Whether the texts contain the structured content already, as the protocol wants it. */
function isSaid(answer: Json, content: readonly ContentBlock[]): boolean {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const same = canonicalJson(answer);
  if (texts.some((text) => canonicalText(text) === same)) return true;
  // Servers put an answer that is no object into one of one field, and write a list as one text each.
  const fields = isJsonObject(answer) ? Object.values(answer) : [];
  const [wrapped] = fields;
  if (wrapped === undefined || fields.length > 1) return false;
  const items = isJsonList(wrapped) ? wrapped : [wrapped];
  return (
    texts.some((text) => canonicalText(text) === canonicalJson(wrapped)) ||
    (items.length === texts.length &&
      items.every((item, at) => item === texts[at] || canonicalJson(item) === canonicalText(texts[at] ?? '')))
  );
}

/** `undefined` if the text is not JSON. */
function canonicalText(text: string): string | undefined {
  try {
    // SAFETY: it is JSON.
    return canonicalJson(JSON.parse(text) as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Read {
  readonly texts: readonly string[];
  readonly images: readonly Image[];
}

/** Also for messages of prompts and contents of resources. */
export function readContent(content: readonly ContentBlock[], options: ResultOptions): Read {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of content) {
    const read = textOrImage(block, options);
    if (typeof read === 'string') texts.push(read);
    else if (images.length === options.limits.mcpResultImages) texts.push('[a further image was left out]');
    else {
      images.push(read);
      texts.push(`[image ${images.length}: ${read.mediaType}]`);
    }
  }
  return { texts, images };
}

function textOrImage(block: ContentBlock, options: ResultOptions): string | Image {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return readImage(block.data, block.mimeType, options);
    case 'audio':
      return `[audio (${block.mimeType}) was left out: Parley cannot hand it on]`;
    case 'resource_link':
      return linkText(block);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `[resource ${resource.uri}]\n${resource.text}`;
      const read = readImage(resource.blob, resource.mimeType ?? 'binary', options);
      return typeof read === 'string' ? `[resource ${resource.uri}] ${read}` : read;
    }
  }
}

function linkText({ uri, name, title, mimeType, size, description }: ResourceLink): string {
  const named = [title ?? name, ...(title === undefined || title === name ? [] : [name])].filter(
    (each) => each !== uri,
  );
  const facts = [
    ...named,
    ...(mimeType === undefined ? [] : [mimeType]),
    ...(size === undefined ? [] : [`${size} bytes`]),
    ...(description === undefined ? [] : [description]),
  ];
  return `[resource ${uri}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}]`;
}

function readImage(data: string, type: string, { imageOf, limits }: ResultOptions): string | Image {
  const most = limits.mcpResultImageBytes;
  if (data.length > (most * 4) / 3 + 4)
    return `[${type} was left out: it is larger than ${most / 1024 ** 2} MiB]`;
  return (
    imageOf(Buffer.from(data, 'base64')) ??
    `[${type} was left out: it is not an image format that models accept]`
  );
}

/** Limits UTF-8 bytes without splitting a character. */
export function cut(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.toString('utf8', 0, end)}\n[${bytes.length - end} bytes were left out. Ask for less.]`;
}
