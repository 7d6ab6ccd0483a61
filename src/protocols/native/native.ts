import { wholeJson } from '../../base/text';
import { resultImages, type ReplyPart, type ToolResult, type Turn } from '../../core/words/messages';
import type { ChatMessage, ModelDelta } from '../../core/words/model';
import type { RenderedPart } from '../../core/words/protocol';
import { CALL_TOOL, type ToolSpec } from '../../core/words/tool';
import { alternating, userMessage, withImages, type ReadableProtocol } from '../engine/text-protocol';
import { inForm } from '../prompt/tool-prompt';
import { NativeReader } from './native-reader';

/** The tools of the OpenAI Chat Completions API: the server reads and writes the calls. */
export const native: ReadableProtocol = {
  id: 'native',
  label: 'Native',
  description: "The API's own tool calls; needs a model and a server with tools.",
  sign: /^\s*data:/,
  callsByName: true,
  describeTools: () => '',
  describeTool: (tool, form = 'full') => JSON.stringify(definition(inForm(tool, form))),
  request(conversation) {
    const { instructions, situation = '', turns, tools, promptForm = 'full' } = conversation;
    const isByName = tools.some(({ name }) => name === CALL_TOOL);
    const isDefined = (name: string): boolean => !isByName || tools.some((tool) => tool.name === name);
    const system: ChatMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
    return {
      // Templates put the tools before or after the system text.
      messages: alternating([
        ...system,
        ...(situation === '' ? [] : [{ role: 'user', content: situation } as const]),
        ...turns.flatMap((turn) => messages(turn, isDefined)),
      ]),
      ...(tools.length > 0 && { tools: tools.map((tool) => definition(inForm(tool, promptForm))) }),
      origin: { protocol: 'native', conversation },
    };
  },
  renderReply: (parts) => parts.map(renderPart),
  createParser: (options) => new NativeReader(options),
};

function definition({ name, description, parameters }: ToolSpec): {
  name: string;
  description: string;
  parameters: ToolSpec['parameters'];
} {
  return { name, description, parameters };
}

function renderPart(part: RenderedPart, index: number): ModelDelta {
  if (part.type === 'text') return part;
  const { id, name } = part.call;
  return { type: 'tool-call', index, id, name, arguments: JSON.stringify(part.call.arguments) };
}

function messages(turn: Turn, isDefined: IsDefined): ChatMessage[] {
  switch (turn.type) {
    case 'user':
      return [userMessage(turn)];
    case 'results':
      return [...turn.results.map(resultMessage), ...imagesMessage(turn.results)];
    case 'reply': {
      const toolCalls = turn.parts.flatMap((part) => toolCall(part, isDefined));
      const content = turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
      if (content === '' && toolCalls.length === 0) return [];
      return [
        {
          role: 'assistant',
          content,
          ...(toolCalls.length > 0 && { toolCalls }),
          ...(turn.carried && { carried: turn.carried }),
        },
      ];
    }
  }
}

type NativeCall = NonNullable<(ChatMessage & { role: 'assistant' })['toolCalls']>[number];

/** Whether the API knows a tool of that name. */
type IsDefined = (name: string) => boolean;

/** A rejected call stays in the history; its arguments must be JSON, or servers refuse the request. */
function toolCall(part: ReplyPart, isDefined: IsDefined): NativeCall[] {
  if (part.type === 'call') {
    const { id, name, extra } = part.call;
    const called = isDefined(name)
      ? { name, arguments: wholeJson(part.call.arguments) }
      : { name: CALL_TOOL, arguments: wholeJson({ name, arguments: part.call.arguments }) };
    return [{ id, ...called, ...(extra && { extra }) }];
  }
  if (part.type !== 'malformed') return [];
  const { id, name, extra } = part.malformed;
  const safe = name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
  return [{ id, name: safe, arguments: '{}', ...(extra && { extra }) }];
}

/** A tool message can contain only text. */
function imagesMessage(results: readonly ToolResult[]): ChatMessage[] {
  const images = resultImages(results);
  if (images.length === 0) return [];
  const names = results.flatMap(({ images: has, toolName }) => (has ? [toolName] : []));
  return [withImages(`[Shown by ${names.join(', ')}]`, images)];
}

function resultMessage(result: ToolResult): ChatMessage {
  return { role: 'tool', toolCallId: result.requestId, content: result.result };
}
