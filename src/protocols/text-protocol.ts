import type { ReplyPart, ToolCall, ToolResult, Turn } from '../core/messages';
import type { ChatMessage } from '../core/model';
import { alternating } from './alternating';
import type { Conversation, Protocol, RenderedPart, Strictness } from '../core/protocol';
import type { ToolSpec } from '../core/tool';
import { TextParser, type Grammar } from './text-parser';

/** What makes one text protocol differ from another. */
export interface TextProtocol {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly describeTools: (tools: readonly ToolSpec[]) => string;
  readonly renderCall: (call: Pick<ToolCall, 'id' | 'name' | 'arguments'>) => string;
  /** The text of the user message that brings the results. */
  readonly renderResults: (results: readonly ToolResult[]) => string;
  /** Sequences that end a reply, so that a model does not invent results. */
  readonly stop: readonly string[];
  readonly grammar: (tools: readonly ToolSpec[] | undefined, strictness: Strictness) => Grammar;
}

/** A protocol whose tools, calls and results are all plain text: any model that can chat can use it. */
export function textProtocol(form: TextProtocol): Protocol {
  const renderParts = (parts: readonly RenderedPart[]): string =>
    parts
      .map((part) => (part.type === 'text' ? part.text.trim() : form.renderCall(part.call)))
      .filter(Boolean)
      .join('\n\n');

  const message = (turn: Turn): ChatMessage => {
    switch (turn.type) {
      case 'user':
        return { role: 'user', content: turn.text };
      case 'results':
        return { role: 'user', content: form.renderResults(turn.results) };
      case 'reply':
        return { role: 'assistant', content: renderParts(turn.parts.filter(isRendered)) };
    }
  };

  return {
    id: form.id,
    label: form.label,
    description: form.description,
    describeTools: form.describeTools,
    request(conversation: Conversation) {
      const system = [conversation.instructions, form.describeTools(conversation.tools)]
        .filter(Boolean)
        .join('\n\n');
      return {
        messages: alternating([{ role: 'system', content: system }, ...conversation.turns.map(message)]),
        ...(conversation.tools.length > 0 && { stop: form.stop }),
        origin: { protocol: form.id, conversation },
      };
    },
    renderReply: (parts) => [{ type: 'text', text: renderParts(parts) }],
    createParser: (options) =>
      new TextParser(form.grammar(options.tools, options.strictness ?? 'repair'), options),
  };
}

/** Reasoning is not sent back, and a call that could not be read has only its result. */
function isRendered(part: ReplyPart): part is ReplyPart & RenderedPart {
  return part.type === 'text' || part.type === 'call';
}
