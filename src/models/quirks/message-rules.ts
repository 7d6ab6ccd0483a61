import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json';

import { imagesNote } from '../without-images';

/** A message of the Chat Completions API. */
type Message = JsonObject;

/** What an endpoint requires of the messages of a request. */
export interface MessageRule {
  /** How refusals say it, in a few words. */
  readonly pattern: RegExp;
  /** The messages as the endpoint takes them. */
  readonly apply: (messages: readonly Message[]) => readonly Message[];
  /** One sentence for people, with the consequence. */
  readonly text: string;
}

/** What is written where an endpoint wants a turn of the other side. */
const ACKNOWLEDGEMENT = 'Understood.';
const CONTINUE = 'Continue.';
const EMPTY = '(empty)';

/**
 * In the order in which they apply. The patterns match templates of models (raised by llama.cpp, vLLM and others as a
 * 400 or 500) and services as of 2026; each matches a few words, because messages change.
 */
export const MESSAGE_RULES = {
  'no-system-role': {
    pattern:
      /system (?:role|message|prompt|instruction)s?\b.{0,30}not (?:be )?(?:supported|allowed|enabled|accepted|permitted|available)|not support.{0,20}(?:system|developer) (?:role|message|prompt|instruction)|developer instructions? (?:is|are) not|(?:unexpected|invalid|unsupported|unknown)(?: message)? role:?[ '"`]{1,3}(?:system|developer)|role[ '"`:]{1,4}system['"`]? (?:is )?(?:not|unsupported|invalid)|unknown variant [`'"]?(?:system|developer)|only (?:the )?(?:['"`]?user['"`]? and ['"`]?(?:assistant|model)['"`]?|user, assistant)(?:[^.]{0,20}) roles|system role/i,
    apply: withoutSystemRole,
    text: 'The endpoint does not accept system messages, so the instructions are sent in the first user message.',
  },
  'no-images': {
    pattern:
      /not (?:a )?(?:multi-?modal|vision)|(?:image|vision|multi-?modal|picture)s?[^.]{0,60}(?:not|n't|unsupported|disabled)[^.]{0,20}(?:support|enabled|allowed|available|accepted|understood)|(?:not|n't) (?:support|accept|take|have|allow|process|handle)[^.]{0,40}(?:image|vision|multi-?modal|picture)|support image input|mmproj|at most 0 image|unknown variant [`'"]?image|content['"`\]]{0,2}:?[^.]{0,30}(?:must be|should be|expected)(?: an?| of type| to be)? (?:valid |plain )?(?:text|string)|invalid type: sequence, expected a string|only supports? text|image_url.{0,40}(?:only|unexpected|invalid|unsupported|unknown|extra)|(?:unexpected|invalid|unsupported|unknown).{0,40}image/i,
    apply: (messages) => messages.map(withoutImages),
    text: 'The endpoint does not accept images, so they are left out.',
  },
  'user-message-needed': {
    pattern:
      /no user (?:query|message)|(?:at least one|must (?:contain|include|have)|requires?|missing|without)(?: an?| any)? ['"`]?user['"`]? (?:message|query|turn)|first (?:non-system )?message.{0,40}user|(?:start|begin)s? with (?:an? )?['"`]?user/i,
    apply: withUserMessage,
    text: 'The endpoint requires a user message at the beginning, so a short one is added.',
  },
  'roles-alternate': {
    pattern:
      /roles? must alternate|alternat(?:e|ing)\b.{0,30}(?:user|assistant|roles?)|(?:consecutive|multiple|two) (?:user|assistant) (?:message|turn)s?/i,
    apply: merged,
    text: 'The endpoint requires alternating roles, so neighboring messages of one role are sent as one.',
  },
  'no-user-behind-tool': {
    pattern:
      /role:? ['"`]?user['"`]?.{0,20}(?:after|following|behind|follow).{0,12}['"`]?tool|user (?:message|turn)s?.{0,30}(?:after|follow).{0,15}tool|(?:after|following) (?:an? )?['"`]?tool['"`]?(?: role| message| result| response)?s?,?.{0,30}(?:must|expected|should|only).{0,20}assistant|tool (?:message|result|response)s? (?:must|should) be followed by (?:an? )?['"`]?assistant/i,
    apply: withTurnBehindTools,
    text: 'The endpoint does not accept a user message right after the result of a tool, so a short turn is put between.',
  },
  'no-last-assistant': {
    pattern:
      /expected last role|last (?:role|message|turn)\b.{0,60}(?:assistant|user)|(?:end|ends|ending) with (?:an? )?['"`]?(?:user|assistant)|(?:assistant|response|message) (?:message )?prefill|prefill(?:ing)? (?:is )?(?:not|incompatible|unsupported)|add_generation_prompt/i,
    apply: withLastUser,
    text: 'The endpoint does not accept a reply at the end of a conversation, so a short user message is added.',
  },
  'no-empty-content': {
    pattern:
      /(?:content|text|message|prompt)[^.]{0,60}(?:must not|cannot|can't|can not|may not|should not|must) be (?:an )?(?:empty|blank|non-?empty)|(?:must|should) (?:be|contain|have) non-?(?:empty|whitespace)|non-?empty content|empty (?:content|text|message)|content[^.]{0,30}(?:is|was) empty/i,
    apply: (messages) => messages.map(withContent),
    text: 'The endpoint does not accept empty texts, so they are left out or marked as empty.',
  },
  'short-call-ids': {
    pattern:
      /tool[ _]?(?:call|use)[ _]?id.{0,100}(?:length|a-z|characters|match|pattern|alphanumeric|9)|(?:tool_calls|tool_use|call)[^ ]{0,12}\.?id\b.{0,60}(?:length|too long|pattern|match|characters|invalid)/i,
    apply: withShortIds,
    text: 'The endpoint accepts only short ids of calls, so others are replaced in requests.',
  },
} as const satisfies Readonly<Record<string, MessageRule>>;

function withoutSystemRole(messages: readonly Message[]): readonly Message[] {
  const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';
  const texts = messages.filter(isSystem).map(({ content }) => textOf(content));
  const others = messages.filter((each) => !isSystem(each));
  if (texts.length === 0) return messages;
  return withLead(texts.filter(Boolean).join('\n\n'), others);
}

/** With a text before the first user message, or as one. */
function withLead(text: string, messages: readonly Message[]): readonly Message[] {
  const [first, ...others] = messages;
  if (first?.['role'] !== 'user') return [{ role: 'user', content: text }, ...messages];
  return [joined({ role: 'user', content: text }, first), ...others];
}

function withUserMessage(messages: readonly Message[]): readonly Message[] {
  const at = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = messages.slice(0, at < 0 ? messages.length : at);
  const others = messages.slice(leading.length);
  // Templates do not count results that a text protocol sends in user messages.
  const isQuery = ({ role, content }: Message): boolean =>
    role === 'user' && !/^\s*<tool_response>[^]*<\/tool_response>\s*$/.test(textOf(content));
  if (others[0]?.['role'] === 'user' && others.some(isQuery)) return messages;
  return [...leading, ...withLead(CONTINUE, others)];
}

function merged(messages: readonly Message[]): readonly Message[] {
  const found: Message[] = [];
  for (const message of messages) {
    const last = found.at(-1);
    const isPlain = message['role'] !== 'tool' && !('tool_calls' in message);
    if (last && isPlain && last['role'] === message['role'] && !('tool_calls' in last))
      found.splice(-1, 1, joined(last, message));
    else found.push(message);
  }
  return found;
}

function withTurnBehindTools(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, at) => {
    const isBehind = message['role'] === 'user' && messages[at - 1]?.['role'] === 'tool';
    return isBehind ? [{ role: 'assistant', content: ACKNOWLEDGEMENT }, message] : [message];
  });
}

function withLastUser(messages: readonly Message[]): readonly Message[] {
  if (messages.at(-1)?.['role'] !== 'assistant') return messages;
  return [...messages, { role: 'user', content: CONTINUE }];
}

function withContent(message: Message): Message {
  const { content, tool_calls: calls, ...others } = message;
  if (content !== null && content !== undefined && !isBlank(content)) return message;
  if (calls !== undefined) return { ...others, content: null, tool_calls: calls };
  return { ...others, content: EMPTY };
}

function isBlank(content: Json): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return isJsonList(content) && content.every((part) => isJsonObject(part) && part['text'] === '');
}

const IMAGE = /image/;

/** With a note in place of its images. */
function withoutImages(message: Message): Message {
  const { content } = message;
  if (content === undefined || !isJsonList(content)) return message;
  const parts = content.filter(isJsonObject);
  const images = parts.filter(({ type }) => typeof type === 'string' && IMAGE.test(type));
  if (images.length === 0) return message;
  const text = textOf(content);
  const left = imagesNote(images.length);
  return { ...message, content: text === '' ? left : `${text}\n\n${left}` };
}

/** Whether messages contain an image. */
export function holdImages(messages: readonly Message[]): boolean {
  return messages.some((each) => withoutImages(each) !== each);
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (content === undefined || !isJsonList(content)) return '';
  return content
    .map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function joined(one: Message, other: Message): Message {
  const contents = [one['content'] ?? '', other['content'] ?? ''];
  if (contents.every((each) => typeof each === 'string'))
    return { ...other, content: contents.filter(Boolean).join('\n\n') };
  const parts = contents.flatMap((each): readonly Json[] => {
    if (isJsonList(each)) return each;
    return each === '' ? [] : [{ type: 'text', text: each }];
  });
  return { ...other, content: parts };
}

const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/** Other ids get nine letters and digits, the same in every request. */
function withShortIds(messages: readonly Message[]): readonly Message[] {
  const short = shortIds(messages);
  return messages.map((message) => {
    const { tool_call_id: id, tool_calls: calls } = message;
    return {
      ...message,
      ...(typeof id === 'string' && { tool_call_id: short(id) }),
      ...(calls !== undefined &&
        isJsonList(calls) && {
          tool_calls: calls.map((call) =>
            isJsonObject(call) && typeof call['id'] === 'string' ? { ...call, id: short(call['id']) } : call,
          ),
        }),
    };
  });
}

function shortIds(messages: readonly Message[]): (id: string) => string {
  const all = messages.flatMap(({ tool_call_id: id, tool_calls: calls }) => [
    id,
    ...(calls !== undefined && isJsonList(calls)
      ? calls.map((call) => isJsonObject(call) && call['id'])
      : []),
  ]);
  const taken = new Set(all.filter((id) => typeof id === 'string' && SHORT_ID.test(id)));
  const known = new Map<string, string>();
  return (id) => {
    if (SHORT_ID.test(id)) return id;
    let short = known.get(id) ?? hash(id);
    if (!known.has(id)) for (let more = 1; taken.has(short); more++) short = hash(`${id} ${more}`);
    known.set(id, short);
    taken.add(short);
    return short;
  };
}

/** Nine characters of base 36 (FNV-1a, 48 bits). */
function hash(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (const char of text) {
    high = Math.imul(high ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    low = Math.imul(low ^ high, 0x85ebca6b) >>> 0;
  }
  return (high.toString(36) + low.toString(36).padStart(7, '0')).padStart(9, '0').slice(-9);
}
