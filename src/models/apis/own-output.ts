import type { JsonObject } from '../../base/json';
import type { ChatMessage } from '../../core/words/model';
import { isOwn, type EchoRules } from '../echo';

export type AssistantMessage = ChatMessage & { readonly role: 'assistant' };

/** What an item of an API's output says of the reply. */
export interface OutputPiece {
  /** Visible text. */
  readonly text?: string;
  /** Id of a call. */
  readonly callId?: string;
}

/**
 * The output of the reply as its endpoint sent it, if the endpoint and the model are the same and the history still says
 * the same: replies can be edited, shortened or cut off, and calls can get other ids.
 */
export function ownOutput(
  message: AssistantMessage,
  api: 'responses' | 'messages',
  rules: EchoRules,
  pieceOf: (item: JsonObject) => OutputPiece,
): readonly JsonObject[] | undefined {
  const { carried, content, toolCalls = [] } = message;
  if (rules.reasoning === 'drop' || carried?.output?.api !== api || !isOwn(carried, rules)) return undefined;
  const { items } = carried.output;
  const pieces = items.map(pieceOf);
  const ids = pieces.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
  const text = pieces.map((piece) => piece.text ?? '').join('');
  const isSame =
    ids.length === toolCalls.length &&
    ids.every((id, at) => id === toolCalls[at]?.id) &&
    withoutBlanks(text) === withoutBlanks(content);
  return isSame ? items : undefined;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
