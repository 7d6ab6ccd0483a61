import { isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ProviderMetadata } from '../core/words/provider-metadata';
import { isTooDeep } from './bounded';
import type { Endpoint } from './exchange/endpoint-failure';

/** Maximum characters of reasoning kept; longer reasoning is not sent back. */
const MOST = 4 * 1024 * 1024;

/** Message fields with a text that arrives in pieces. */
const TEXTS = ['reasoning_content', 'reasoning'] as const;
/** Message fields with a list of parts that arrive in pieces: OpenRouter and MiniMax, LiteLLM. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const;

/** The reasoning in a delta for display: servers send it under different names, some under two. */
export function shownReasoning(delta: unknown): string {
  for (const name of TEXTS) {
    const text = field(delta, name);
    if (typeof text === 'string' && text !== '') return text;
  }
  for (const name of LISTS) {
    const text = list(field(delta, name)).map(partText).join('');
    if (text !== '') return text;
  }
  return list(field(delta, 'content')).filter(isThinking).map(partText).join('');
}

/** The visible text of a delta, whose content is a string or, from Mistral, a list of parts. */
export function shownContent(delta: unknown): string {
  const content = field(delta, 'content');
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => (isThinking(part) ? '' : partText(part)))
    .join('');
}

/**
 * Collects from the chunks of a reply what its endpoint wants back, in its original form. Accepts anything and never
 * throws.
 */
export class ReasoningCollector {
  private readonly texts = new Map<string, string[]>();
  private readonly lists = new Map<string, JsonObject[]>();
  private readonly parts: JsonObject[] = [];
  private readonly content: string[] = [];
  private extra: JsonObject | undefined;
  private hasCallExtra = false;
  private size = 0;

  add(chunk: unknown): void {
    const choice = list(field(chunk, 'choices'))[0];
    const delta = field(choice, 'delta') ?? field(choice, 'message');
    if (delta === undefined || this.size > MOST) return;
    for (const name of TEXTS) {
      const text = field(delta, name);
      if (typeof text === 'string') this.push(name, text);
    }
    for (const name of LISTS) this.addList(name, list(field(delta, name)));
    const content = field(delta, 'content');
    if (typeof content === 'string') {
      this.grow(content.length);
      this.content.push(content);
    }
    for (const part of list(content)) if (isThinking(part) && !isTooDeep(part)) this.addThinking(part);
    const extra = field(delta, 'extra_content');
    if (isJsonObject(extra) && !isTooDeep(extra)) this.extra = { ...this.extra, ...extra };
    this.hasCallExtra ||= list(field(delta, 'tool_calls')).some((call) => field(call, 'extra_content'));
  }

  /** Everything, once the reply has ended properly. */
  carried({ baseUrl, model }: Endpoint): ProviderMetadata | undefined {
    if (this.size > MOST) return undefined;
    const fields = this.fields();
    const isEmpty = Object.keys(fields).length === 0;
    // Reasoning that the server has separated leaves at most a tag in the content.
    const lead = this.parts.length > 0 ? this.parts : reasoningInFront(this.content.join(''), isEmpty);
    if (isEmpty && lead === undefined && !this.hasCallExtra) return undefined;
    return {
      origin: new URL(baseUrl).origin,
      model,
      ...(!isEmpty && { fields }),
      ...(lead !== undefined && { lead }),
    };
  }

  private fields(): JsonObject {
    const lists = LISTS.flatMap((name) => {
      const parts = (this.lists.get(name) ?? []).filter(isWhole);
      return parts.length === 0 ? [] : [[name, parts] as const];
    });
    // The same reasoning again, as text for display.
    const isDetailed = lists.some(([name]) => name === 'reasoning_details');
    const texts = TEXTS.flatMap((name) => {
      const pieces = this.texts.get(name);
      if (!pieces || (name === 'reasoning' && (isDetailed || this.texts.has('reasoning_content')))) return [];
      return [[name, pieces.join('')] as const];
    });
    return {
      ...Object.fromEntries<Json>([...texts, ...lists]),
      ...(this.extra && { extra_content: this.extra }),
    };
  }

  private push(name: string, text: string): void {
    this.grow(text.length);
    const pieces = this.texts.get(name) ?? [];
    this.texts.set(name, pieces);
    pieces.push(text);
  }

  private addList(name: string, parts: readonly unknown[]): void {
    const all = this.lists.get(name) ?? [];
    for (const part of parts) {
      if (!isJsonObject(part) || isTooDeep(part)) continue;
      this.grow(JSON.stringify(part).length);
      const at = all.findLastIndex((other) => isSamePart(other, part));
      const last = all[at];
      if (last) all[at] = joined(last, part);
      else all.push(part);
    }
    if (all.length > 0) this.lists.set(name, all);
  }

  private addThinking(part: JsonObject): void {
    this.grow(JSON.stringify(part).length);
    const last = this.parts.at(-1);
    if (!last) this.parts.push(part);
    else this.parts[this.parts.length - 1] = { ...last, ...part, thinking: joinedThinking(last, part) };
  }

  private grow(by: number): void {
    this.size += by;
  }
}

/** Reasoning at the beginning of an answer, up to and including its closing tag; the opening tag may be missing. */
function reasoningInFront(content: string, mayBeOpen: boolean): string | undefined {
  const end = /<\/(?:think|thinking|mm:think|seed:think)>\s*/.exec(content);
  if (!end) return undefined;
  const lead = content.slice(0, end.index + end[0].length);
  if (/^\s*<(?:think|thinking|mm:think|seed:think)>/.test(lead)) return lead;
  // Opened by the prompt. In code, or after another pair, the answer only mentions the tag.
  const isInCode = (lead.match(/`/g) ?? []).length % 2 === 1;
  return mayBeOpen && !isInCode && !/```|<think/.test(lead) ? lead : undefined;
}

/** Whether a piece continues a part: with the same index, or the last one if there are no indices. */
function isSamePart(part: JsonObject, piece: JsonObject): boolean {
  if (part['type'] !== piece['type'] || isOpaque(part)) return false;
  if (part['index'] !== piece['index']) return false;
  if (isText(part['id']) && isText(piece['id']) && part['id'] !== piece['id']) return false;
  // A signature ends a block; only a repetition of it may follow.
  return !isText(part['signature']) || !hasText(piece);
}

/** Encrypted reasoning arrives complete. */
function isOpaque(part: JsonObject): boolean {
  return isText(part['data']);
}

function hasText(part: JsonObject): boolean {
  return ['text', 'summary', 'thinking'].some((name) => isText(part[name]));
}

function joined(part: JsonObject, piece: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...part };
  for (const [name, value] of Object.entries(piece)) {
    const before = all[name];
    const isPiece = ['text', 'summary', 'thinking'].includes(name) && typeof value === 'string';
    if (isPiece && typeof before === 'string') all[name] = appended(before, value);
    else if (value !== null && value !== '') all[name] = value;
    else if (before === undefined) all[name] = value;
  }
  return all;
}

/** Some servers send everything so far again and again. */
const CUMULATIVE = 16;

function appended(before: string, piece: string): string {
  return before.length >= CUMULATIVE && piece.startsWith(before) ? piece : before + piece;
}

/** Claude's endpoint refuses reasoning without a signature. */
function isWhole(part: JsonObject): boolean {
  return part['type'] !== 'thinking' || isText(part['signature']);
}

function joinedThinking(part: JsonObject, piece: JsonObject): Json {
  const text = partText(part) + partText(piece);
  return typeof part['thinking'] === 'string' ? text : [{ type: 'text', text }];
}

function isThinking(part: unknown): part is JsonObject {
  return field(part, 'type') === 'thinking';
}

function partText(part: unknown): string {
  for (const name of ['text', 'summary', 'thinking']) {
    const value = field(part, name);
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((each) => textOf(each)).join('');
  }
  return '';
}

/** Only one level deep: what a server sends may be nested without end. */
function textOf(part: unknown): string {
  const text = field(part, 'text');
  return typeof text === 'string' ? text : '';
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // SAFETY: any object can be read by name; the values are unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}
