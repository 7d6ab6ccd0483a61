import type { RequestParts } from '../../../core/words/model';
import { t } from '../../shared/l10n';

/** Token counts that add up to the tools and the conversation. */
export interface Shares {
  readonly definitions: number;
  readonly list: number;
  readonly form: number;
  /** Includes the last answer. */
  readonly messages: number;
  readonly calls: number;
  readonly results: number;
}

/** Scales our estimate of each part to the total. */
export function sharesOf(parts: RequestParts, counted: TokenCounts): Shares | undefined {
  const { shares, areToolsApart } = parts;
  if (!shares) return undefined;
  const { tools, conversation, sent } = counted;
  const [definitions, list] = divided(tools, parts.tools, [shares.definitions, shares.list]);
  const [calls, results] = divided(sent, parts.conversation, [shares.calls, shares.results]);
  const messages = conversation - calls - results;
  // The API has a native form.
  if (areToolsApart) return { definitions: tools - list, list, form: 0, messages, calls, results };
  return { definitions, list, form: tools - definitions - list, messages, calls, results };
}

/** Token counts as they are shown. */
interface TokenCounts {
  readonly tools: number;
  readonly conversation: number;
  /** The conversation without the last answer. */
  readonly sent: number;
}

/** Two shares of a number of tokens, which never exceed it together. */
function divided(
  tokens: number,
  estimated: number,
  [one, other]: readonly [number, number],
): readonly [number, number] {
  const all = Math.max(estimated, one + other, 1);
  return [Math.floor((tokens * one) / all), Math.floor((tokens * other) / all)];
}

/** The same as sentences. */
export function sharesTexts({
  definitions,
  list,
  form,
  messages,
  calls,
  results,
}: Shares): readonly string[] {
  const ofTools = t(
    'Tools: definitions {0}, list of on-demand tools {1}, call format {2}.',
    ...[definitions, list, form].map((tokens) => tokens.toLocaleString()),
  );
  const ofConversation = t(
    'Conversation: messages {0}, calls {1}, results {2}.',
    ...[messages, calls, results].map((tokens) => tokens.toLocaleString()),
  );
  return [...(definitions + list + form > 0 ? [ofTools] : []), ofConversation];
}
