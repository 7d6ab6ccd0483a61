import { resultImages, type ReplyPart, type ToolCall, type ToolResult, type Turn } from '../core/messages';
import type { ChatMessage } from '../core/model';
import { alternating } from './alternating';
import type { Conversation, Protocol, RenderedPart, ReplyParser, Strictness } from '../core/protocol';
import type { ToolSpec } from '../core/tool';
import { inForm, toolPrompt, type ToolPrompt } from './tool-prompt';
import { TextParser, type Grammar, type ReaderOptions } from './text-parser';
import { userMessage, withImages } from './user-message';

/** What makes one text protocol differ from another. */
export type TextProtocol = Form & Rendering;

interface Form extends ToolPrompt, Pick<Protocol, 'id' | 'label' | 'description' | 'sign' | 'suits'> {
  /** The text of the user message that brings the results. */
  readonly renderResults: (results: readonly ToolResult[]) => string;
  /** Sequences that end a reply, so that a model does not invent results. */
  readonly stop: readonly string[];
  readonly grammar: (tools: readonly ToolSpec[] | undefined, strictness: Strictness) => Grammar;
}

/** Blocks between texts, or a form of its own for the whole reply. */
type Rendering =
  | { readonly renderCall: (call: Pick<ToolCall, 'id' | 'name' | 'arguments'>) => string }
  | { readonly renderWhole: (parts: readonly RenderedPart[]) => string };

/** A protocol of this folder, which can be told what other forms to recognise. */
export interface ReadableProtocol extends Protocol {
  /** How its calls are read out of text; the API's own have none. */
  readonly grammar?: TextProtocol['grammar'];
  createParser(options: ReaderOptions): ReplyParser;
}

/** A protocol whose tools, calls and results are all plain text: any model that can chat can use it. */
export function textProtocol(form: TextProtocol): ReadableProtocol {
  const describeTools = toolPrompt(form);
  const renderParts = (parts: readonly RenderedPart[]): string => {
    if ('renderWhole' in form) return form.renderWhole(parts);
    return parts
      .map((part) => (part.type === 'text' ? part.text.trim() : form.renderCall(part.call)))
      .filter(Boolean)
      .join('\n\n');
  };

  const message = (turn: Turn): ChatMessage => {
    switch (turn.type) {
      case 'user':
        return userMessage(turn);
      case 'results':
        return withImages(form.renderResults(turn.results), resultImages(turn.results));
      case 'reply':
        return { role: 'assistant', content: renderParts(turn.parts.filter(isRendered)) };
    }
  };

  return {
    id: form.id,
    label: form.label,
    description: form.description,
    ...(form.sign && { sign: form.sign }),
    ...(form.suits && { suits: form.suits }),
    grammar: form.grammar,
    describeTools,
    describeTool: (tool, promptForm = 'full') => form.describeTool(inForm(tool, promptForm), promptForm),
    request(conversation: Conversation) {
      const { instructions, tools, promptForm } = conversation;
      const system = [instructions, describeTools(tools, promptForm)].filter(Boolean).join('\n\n');
      return {
        messages: alternating([{ role: 'system', content: system }, ...conversation.turns.map(message)]),
        ...(tools.length > 0 && { stop: form.stop }),
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
