import type { ChatMessage, Model, ModelRequest } from '../../../core/words/model';
import type { RepositoryChanges } from './changes';
import { changesText } from './changes-text';

/** Share of the model's window that the changes may take. */
const SHARE = 0.25;

/** Tokens of a window that is not known. */
const UNKNOWN_WINDOW = 8_192;

const INSTRUCTIONS =
  'Write a git commit message for the changes below. The first line says what changes, in the imperative, in at most 72 characters. If the reason is not obvious, add an empty line and a short body. Answer with the message alone: no quotes, no code fence, no explanation.';

interface MessageModel {
  readonly model: Model;
  /** Tokens, if known. */
  readonly window: number | undefined;
  readonly countTokens: (text: string) => number;
}

/** Why there is no message: a sentence for people. */
export class NoMessage extends Error {}

/** Writes a commit message without tools, and yields it as far as it is written. Throws `NoMessage`. */
export async function* writeCommitMessage(
  changes: RepositoryChanges,
  { model, window = UNKNOWN_WINDOW, countTokens }: MessageModel,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const room = Math.floor(window * SHARE) - countTokens(INSTRUCTIONS);
  const text = changesText(changes, room, countTokens);
  let reply = '';
  for await (const delta of model.stream(requestOf(text), signal)) {
    if (delta.type === 'failure') throw new NoMessage(delta.failure.message);
    if (delta.type !== 'text') continue;
    reply += delta.text;
    const written = messageIn(reply);
    if (written !== '') yield written;
  }
  if (messageIn(reply) === '') throw new NoMessage('The model returned no commit message.');
}

function requestOf(text: string): ModelRequest {
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: text },
  ];
  return {
    messages,
    origin: {
      protocol: 'native',
      conversation: { instructions: INSTRUCTIONS, turns: [{ type: 'user', text }], tools: [] },
    },
  };
}

/** The message in a reply that may be unfinished: without reasoning, and without a fence around it. */
export function messageIn(reply: string): string {
  const answer = reply.replace(/^\s*<think>(?:[^]*?<\/think>|[^]*$)/, '').trimStart();
  const inFence = /^```[\w-]*\n([^]*?)(?:\n?```\s*$|$)/.exec(answer)?.[1] ?? answer;
  return /^`{1,3}[\w-]*$/.test(answer) ? '' : inFence.trimEnd();
}
