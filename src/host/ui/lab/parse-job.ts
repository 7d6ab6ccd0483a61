import { limits } from '../../../base/limits';
import type {
  CaseOutcome,
  ProtocolComparison,
  ReplyAnswer,
  SentMessage,
  ShownPart,
} from '../../../contract/lab-parse';
import { factsOf, parseReply, summary, type ParsedReply } from '../../../core/reply/parse-reply';
import { joinedText } from '../../../core/reply/reply-reader';
import { malformedResult, type ReplyPart, type ToolResult, type Turn } from '../../../core/words/messages';
import type { ChatMessage, PromptForm } from '../../../core/words/model';
import type { Protocol, Strictness } from '../../../core/words/protocol';
import type { ToolSpec } from '../../../core/words/tool';
import { replyDeltas } from '../../../models/recorded-reply';
import { detectProtocol } from '../../../protocols/choose';
import { replySpans } from '../../../protocols/engine/reply-spans';
import { promptText } from '../../../protocols/prompt/tool-prompt';
import { replyForm } from './reply-form';

/** A reply and its parse options, as plain data. */
export interface ParseInput {
  readonly reply: string;
  /** An id or `auto`. */
  readonly protocol: string;
  /** Characters per chunk; 0 for all at once. */
  readonly chunk: number;
  /** Without tools, nothing is bound. */
  readonly tools: readonly ToolSpec[];
  readonly strictness: Strictness;
  readonly recover: boolean;
  /** A call ends unclosed reasoning; if not given, only as far as the strictness says. */
  readonly callsEndThinking?: boolean;
}

/** A job for the parse thread. */
export type ParseJob =
  | {
      readonly type: 'reply';
      readonly reading: ParseInput;
      readonly promptForm: PromptForm;
      /** Turns of the conversation that the reply is from: the reply, and its results. */
      readonly turns?: readonly Turn[];
    }
  /** Content of the reply without notes about it. */
  | { readonly type: 'parts'; readonly reading: ParseInput }
  | { readonly type: 'comparison'; readonly reading: Omit<ParseInput, 'protocol'> }
  | { readonly type: 'cases'; readonly cases: readonly CaseReading[] };

export interface CaseReading {
  readonly number: number;
  readonly reading: ParseInput;
  readonly expect: string;
}

export type ParseJobAnswer = ReplyAnswer | ParsedReply | ProtocolComparison | readonly CaseOutcome[];

/** Does the job. Pure; its time grows with the reply. */
export async function doParseJob(job: ParseJob): Promise<ParseJobAnswer> {
  const { protocols } = await import('../../../protocols');
  const protocolOf = ({ protocol, reply }: ParseInput): Protocol => {
    const id = protocol === 'auto' ? detectProtocol(reply) : protocol;
    const found = protocols.find((each) => each.id === id);
    if (!found) throw new Error(`There is no protocol ${id}.`);
    return found;
  };
  switch (job.type) {
    case 'reply':
      return answerReply(protocolOf(job.reading), job);
    case 'parts':
      return read(protocolOf(job.reading), job.reading);
    case 'comparison':
      return compare(protocols, job.reading);
    case 'cases':
      return job.cases.map(({ number, reading, expect }) => ({
        number,
        expected: expect,
        actual: summary(factsOf(read(protocolOf(reading), reading))),
      }));
  }
}

function read(protocol: Protocol, reading: Omit<ParseInput, 'protocol'>): ParsedReply {
  const { reply, chunk, tools, strictness, recover, callsEndThinking } = reading;
  return parseReply(protocol, replyDeltas(protocol.id, reply, chunk), {
    ...(tools.length > 0 && { tools }),
    strictness,
    recover,
    ...(callsEndThinking !== undefined && { callsEndThinking }),
  });
}

function answerReply(
  protocol: Protocol,
  { reading, promptForm, turns }: Extract<ParseJob, { type: 'reply' }>,
): ReplyAnswer {
  const parsed = read(protocol, reading);
  const cuts = compareCuts(protocol, reading, parsed);
  return {
    type: 'reply',
    protocol: protocol.id,
    ...(parsed.raw !== reading.reply && { raw: parsed.raw }),
    parts: shownParts(parsed),
    ...(cuts && { cuts, summary: summary(factsOf(parsed)) }),
    prompt: promptText(protocol, reading.tools, promptForm),
    followUp: followUp(protocol, turns ?? madeUpTurns(parsed), reading.tools),
    hasRealResults: turns !== undefined,
    form: replyForm(protocol, reading.tools, parsed.raw),
  };
}

/** The result must not depend on where the stream was cut. */
function compareCuts(protocol: Protocol, reading: ParseInput, parsed: ParsedReply): ReplyAnswer['cuts'] {
  if (reading.reply.length > limits.labComparedCharacters) return undefined;
  const sizes = [...new Set([1, 7, ...(reading.chunk === 0 ? [] : [reading.chunk])])];
  const expected = JSON.stringify(parsed);
  const isSame = sizes.every((chunk) => JSON.stringify(read(protocol, { ...reading, chunk })) === expected);
  return { sizes, isSame };
}

function shownParts(parsed: ParsedReply): readonly ShownPart[] {
  const spans = new Map(replySpans(parsed).map((span) => [span.part, span]));
  return parsed.parts.map((part, index) => {
    if (part.type !== 'text' && part.type !== 'reasoning') return part;
    const span = spans.get(index);
    return span ? { type: part.type, start: span.start, end: span.end } : part;
  });
}

function compare(protocols: readonly Protocol[], reading: Omit<ParseInput, 'protocol'>): ProtocolComparison {
  return {
    type: 'comparison',
    detected: detectProtocol(reading.reply),
    protocols: protocols.map((protocol) => {
      const parsed = read(protocol, reading);
      const count = (type: string): number => parsed.parts.filter((part) => part.type === type).length;
      return {
        id: protocol.id,
        calls: parsed.parts.flatMap((part) => (part.type === 'call' ? [part.call.name] : [])),
        malformed: count('malformed'),
        warnings: count('warning'),
        text: joinedText(parsed, 'text').length,
      };
    }),
  };
}

/** The reply as a turn, with a placeholder result for each call. */
function madeUpTurns({ parts }: ParsedReply): readonly Turn[] {
  const said = parts.filter((part): part is ReplyPart => part.type !== 'warning');
  const results = said.flatMap((part): ToolResult[] => {
    if (part.type === 'call') {
      const { id, name } = part.call;
      const text = `Placeholder for the result of ${name}.`;
      return [{ requestId: id, toolName: name, status: 'success', result: text, durationMs: 0 }];
    }
    if (part.type === 'malformed') return [malformedResult(part.malformed)];
    return [];
  });
  return [
    { type: 'reply', parts: said },
    ...(results.length === 0 ? [] : [{ type: 'results', results } as const]),
  ];
}

/** How the protocol renders these turns. A reply without calls is an answer, so nothing follows it. */
function followUp(
  protocol: Protocol,
  turns: readonly Turn[],
  tools: readonly ToolSpec[],
): readonly SentMessage[] {
  if (!turns.some(({ type }) => type === 'results')) return [];
  const messages = (all: readonly Turn[]): readonly ChatMessage[] =>
    protocol.request({ instructions: '', turns: all, tools }).messages;
  const asked = messages([QUESTION]);
  const all = messages([QUESTION, ...turns]);
  const last = asked.length - 1;
  const question = asked[last]?.content ?? '';
  // If nothing of the reply is sent again, its results are in one message with the question.
  return all.slice(last).flatMap((message, index) => {
    if (index > 0) return [sentMessage(message)];
    const rest = message.content.slice(question.length).trimStart();
    return rest === '' ? [] : [sentMessage({ ...message, content: rest })];
  });
}

const QUESTION: Turn = { type: 'user', text: '…' };

function sentMessage(message: ChatMessage): SentMessage {
  const calls = message.role === 'assistant' && message.toolCalls ? message.toolCalls : [];
  const text = [message.content, ...calls.map((call) => JSON.stringify(call, undefined, 2))]
    .filter(Boolean)
    .join('\n');
  const shown = text.slice(0, limits.labMessageCharacters);
  return { role: message.role, text: shown, left: text.length - shown.length };
}
