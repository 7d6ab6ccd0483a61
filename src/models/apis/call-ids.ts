import type { ChatMessage } from '../../core/words/model';

/** Which ids of calls an API takes. */
interface IdRule {
  readonly pattern: RegExp;
  /** Maximum characters. */
  readonly most: number;
}

/** OpenAI's limit for `call_id`. */
export const RESPONSES_IDS: IdRule = { pattern: /^[\s\S]+$/, most: 64 };
/** Anthropic's pattern for `tool_use.id`. */
export const MESSAGES_IDS: IdRule = { pattern: /^[\w-]+$/, most: 128 };

/** The ids of all calls as the API takes them: those of other APIs may be too long, or have other characters. */
export function callIdsFor(
  messages: readonly ChatMessage[],
  { pattern, most }: IdRule,
): (id: string) => string {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const isTaken = (id: string): boolean => id.length <= most && pattern.test(id);
  const names = new Map(ids.filter(isTaken).map((id) => [id, id]));
  const used = new Set(names.keys());
  for (const id of ids) {
    if (names.has(id)) continue;
    const plain = id.replaceAll(/[^\w-]/g, '_').slice(0, most - SUFFIX) || 'call';
    let name = plain;
    for (let number = 2; used.has(name); number++) name = `${plain}_${number}`;
    used.add(name);
    names.set(id, name);
  }
  return (id) => names.get(id) ?? id;
}

/** Characters left for a number. */
const SUFFIX = 8;
