import { escapeOf, insideBlock } from '../../base/markers';
import { wholeCharacters } from '../../base/text';
import type { Image, TextAttachment } from '../../core/words/attachment';
import {
  resultImages,
  type ReplyPart,
  type ToolCall,
  type ToolResult,
  type Turn,
  type UserTurn,
} from '../../core/words/messages';
import type { ChatMessage, Conversation } from '../../core/words/model';
import type { Protocol, RenderedPart, ReplyParser, Strictness } from '../../core/words/protocol';
import type { ToolSpec } from '../../core/words/tool';
import type { CallForm } from '../grammar/call-grammar';
import { inForm, toolPrompt, type ToolPrompt } from '../prompt/tool-prompt';
import type { Reader, ReaderOptions } from './reader';
import { TextParser } from './text-parser';

/** What distinguishes one text protocol from another. */
type TextProtocol = Form & Rendering;

interface Form
  extends Omit<ToolPrompt, 'exchange'>, Pick<Protocol, 'id' | 'label' | 'description' | 'sign' | 'suits'> {
  /**
   * The beginnings and ends of calls and results, spelled exactly. In results and attachments they are escaped with a
   * backslash before rendering.
   */
  readonly markers: readonly string[];
  /** Renders a result, whose text contains no markers, with its label. */
  readonly renderResult: (result: ToolResult, label: ResultLabel) => string;
  /** Wraps all results of a message. */
  readonly aroundResults?: (results: string) => string;
  /** Sequences that end a reply, so that a model does not invent results. */
  readonly stop: readonly string[];
  readonly reader: (tools: readonly ToolSpec[] | undefined, strictness: Strictness) => Reader;
  /** How its calls are spelled, for servers that can enforce a grammar. */
  readonly calls?: CallForm;
  readonly schema?: Protocol['schema'];
}

/**
 * What the position of a result does not tell: the tool, unless the preceding call is shown alone; the status, unless
 * it is `success`.
 */
export interface ResultLabel {
  readonly name?: string;
  readonly status?: string;
}

/** Blocks between texts, or one form for the whole reply. */
type Rendering =
  | {
      /** `id`: if a model gave one. */
      readonly renderCall: (call: Pick<ToolCall, 'name' | 'arguments'> & { readonly id?: string }) => string;
    }
  | { readonly renderWhole: (parts: readonly RenderedPart[]) => string };

/** A protocol of this folder, which can also recognize other forms. */
export interface ReadableProtocol extends Protocol {
  /** How its calls are read from text; absent for the API's own calls. */
  readonly reader?: TextProtocol['reader'];
  readonly calls?: CallForm;
  createParser(options: ReaderOptions): ReplyParser;
}

/** A protocol whose tools, calls and results are all plain text: any chat model can use it. */
export function textProtocol(form: TextProtocol): ReadableProtocol {
  const { escape } = escapeOf(form.markers);
  const renderParts = (parts: readonly RenderedPart[]): string => {
    if ('renderWhole' in form) return form.renderWhole(parts);
    return parts
      .map((part) => (part.type === 'text' ? part.text.trim() : form.renderCall(part.call)))
      .filter(Boolean)
      .join('\n\n');
  };

  const renderResults = (results: readonly ToolResult[], called: number): string => {
    const { renderResult, aroundResults = (all: string): string => all } = form;
    const isAlone = results.length === 1 && called === 1;
    const labelled = results.map((result) =>
      renderResult(result, {
        ...(!isAlone && { name: result.toolName }),
        ...(result.status !== 'success' && { status: result.status }),
      }),
    );
    return aroundResults(labelled.join('\n'));
  };

  const describeTools = toolPrompt({
    ...form,
    exchange: ({ name, arguments: args }) => {
      const id = 'example';
      const call: RenderedPart = { type: 'call', call: { id: '', name, arguments: args } };
      const result: ToolResult = {
        ...{ requestId: id, toolName: name, status: 'success', result: 'Done.', durationMs: 1 },
      };
      return [
        'A complete example exchange:',
        `User:\nDo something that needs ${name}.`,
        `You:\n${renderParts([{ type: 'text', text: `I call ${name}.` }, call])}`,
        `User:\n${renderResults([result], 1)}`,
        `You:\n${renderParts([{ type: 'text', text: 'It is done.' }])}`,
      ].join('\n\n');
    },
  });

  const message = (turn: Turn, before: Turn | undefined): ChatMessage => {
    switch (turn.type) {
      case 'user':
        return userMessage(turn, escape);
      case 'results':
        return withImages(
          renderResults(
            turn.results.map((each) => asText(each, escape)),
            before?.type === 'reply' ? before.parts.filter(({ type }) => type === 'call').length : 0,
          ),
          resultImages(turn.results),
        );
      case 'reply':
        return {
          role: 'assistant',
          content: renderParts(turn.parts.filter(isRendered).map(withoutId)),
          ...(turn.carried && { carried: turn.carried }),
        };
    }
  };

  const callEnd = CALL_END.exec(form.calls?.close.trim() ?? '')?.[1];
  return {
    id: form.id,
    label: form.label,
    description: form.description,
    markers: form.markers,
    ...(callEnd !== undefined && { callEnd }),
    ...(form.sign && { sign: form.sign }),
    ...(form.suits && { suits: form.suits }),
    reader: form.reader,
    ...(form.calls && { calls: form.calls }),
    ...(form.schema && { schema: form.schema }),
    describeTools,
    describeTool: (tool, promptForm = 'full') => form.describeTool(inForm(tool, promptForm)),
    request(conversation: Conversation) {
      const { instructions, situation = '', tools, promptForm, formType, steps } = conversation;
      const system = [instructions, describeTools(tools, promptForm, formType, steps), situation]
        .filter(Boolean)
        .join('\n\n');
      return {
        messages: alternating([
          { role: 'system', content: system },
          ...conversation.turns.map((turn, at, all) => message(turn, all[at - 1])),
        ]),
        ...(tools.length > 0 && {
          stop: steps === 'one' && callEnd !== undefined ? [...form.stop, callEnd] : form.stop,
        }),
        origin: { protocol: form.id, conversation },
      };
    },
    renderReply: (parts) => [{ type: 'text', text: renderParts(parts) }],
    createParser: (options) =>
      new TextParser(form.reader(options.tools, options.strictness ?? 'repair'), options),
  };
}

/** The last mark; a bracket alone also closes other things. */
const CALL_END = /(?:^|[\n}])(<[^\n}]{4,})$/;

/** Reasoning is not sent back, and of a malformed call only the result. */
function isRendered(part: ReplyPart): part is ReplyPart & RenderedPart {
  return part.type === 'text' || part.type === 'call';
}

/** As the prompt asks for calls: the order of results shows which call they answer. */
function withoutId(part: RenderedPart): RenderedPart {
  return part.type === 'call' ? { ...part, call: { ...part.call, id: '' } } : part;
}

/** A result whose texts cannot end it or begin another one, whatever they contain. */
function asText(result: ToolResult, escape: Escape): ToolResult {
  return {
    ...result,
    requestId: escape(result.requestId),
    toolName: escape(result.toolName),
    result: escape(result.result),
  };
}

type Escape = (text: string) => string;

/** The user's text, followed by the attachments, whose markers `escape` removes. */
export function userMessage(
  { text, attachments = [] }: UserTurn,
  escape: Escape = (each) => each,
): ChatMessage {
  const blocks = attachments.flatMap((each) => (each.type === 'text' ? [block(each, escape)] : []));
  const images = attachments.flatMap((each) => (each.type === 'image' ? [each.image] : []));
  const content = [text, ...blocks].filter(Boolean).join('\n\n');
  return withImages(content, images);
}

export function withImages(content: string, images: readonly Image[]): ChatMessage {
  return { role: 'user', content, ...(images.length > 0 && { images }) };
}

function block({ label, text }: TextAttachment, escape: Escape): string {
  const name = escape(label.replace(/["<>\s]+/g, ' '));
  return `<attached name="${name}">\n${insideBlock('attached', escape(text))}\n</attached>`;
}

/**
 * Merges consecutive messages of one role and fills empty ones, because many chat templates refuse both; removes halves
 * of characters, which servers refuse. Calls and their results are unchanged.
 */
export function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const each of messages) {
    const next = { ...each, content: wholeCharacters(each.content) };
    const last = merged.at(-1);
    if (last && isPlain(last) && isPlain(next) && last.role === next.role) {
      merged[merged.length - 1] = joined(last, next);
    } else if (next.content.trim() !== '' || next.role === 'user' || !isPlain(next)) {
      merged.push(next);
    }
  }
  return merged;
}

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  const images = [...imagesOf(first), ...imagesOf(second)];
  const content = [first.content, second.content].filter(Boolean).join('\n\n');
  return { ...first, content, ...(images.length > 0 && { images }) };
}

function imagesOf(message: ChatMessage): readonly Image[] {
  return ('images' in message && message.images) || [];
}

function isPlain(message: ChatMessage): boolean {
  return message.role !== 'tool' && !('toolCalls' in message);
}
