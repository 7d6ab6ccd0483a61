import path from 'node:path';
import { ToolError } from '../../core/words/tool';
import { limits } from '../../base/limits';
import { fileType } from '../files/text-encoding';
import { inWorker } from '../worker-task';

interface PageText {
  readonly text: string;
  /** Whether this is HTML that could not be converted in time. */
  readonly isSource: boolean;
  /** Whether this is HTML that is too long: only its first part was converted. */
  readonly isCut: boolean;
}

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|toml|ecmascript|x-ndjson|sql))$/;

/** Converts a network response to text. Throws `ToolError` if it is not text. */
export async function pageText(bytes: Buffer, contentType: string, signal: AbortSignal): Promise<PageText> {
  const [type = ''] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isHtml =
    HTML.test(type) ||
    (type === '' && /^\s*<(?:!doctype html|html)\b/i.test(bytes.toString('latin1', 0, 200)));
  const isText = isHtml || TEXT.test(type) || (type === '' && !bytes.includes(0));
  if (!isText) {
    const what = type === '' ? fileType(bytes) : type;
    throw new ToolError(
      `That is not text but ${what}, which is not shown. Use the address of a page or text.`,
    );
  }
  const named = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const text = decoded(bytes, named ?? (isHtml ? namedInside(bytes) : undefined));
  if (!isHtml) return { text, isSource: false, isCut: false };
  const readable = await toMarkdown(text.slice(0, limits.fetchHtmlCharacters), signal);
  if (readable === undefined) return { text, isSource: true, isCut: false };
  return { text: readable, isSource: false, isCut: text.length > limits.fetchHtmlCharacters };
}

/** The encoding that HTML declares where browsers look for it: near its beginning, outside comments. */
function namedInside(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, limits.fetchEncodingBytes);
  // A byte order mark takes precedence.
  if (start.startsWith('\xef\xbb\xbf')) return undefined;
  const [, label] =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start.replace(/<!--.*?(?:-->|$)/gs, '')) ?? [];
  // If this declaration can be read as ASCII, the page is not UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? undefined : label;
}

function decoded(bytes: Buffer, label = 'utf-8'): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    // The encoding is unknown: most of the text is still readable as UTF-8.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}

/** Converts a page; `undefined` if it takes too long, as some are built to. */
async function toMarkdown(html: string, signal: AbortSignal): Promise<string | undefined> {
  const task = {
    worker: path.join(__dirname, 'html-worker'),
    data: { html },
    timeoutMs: limits.fetchConvertMs,
    heap: limits.workerHeapMib,
    stack: limits.workerStackMib,
  };
  const end = await inWorker(task, signal);
  return end.type === 'answer' && typeof end.answer === 'string' ? end.answer : undefined;
}
