import * as z from 'zod';
import { CallIds } from '../core/call-ids';
import type { Diagnostic } from '../core/diagnostic';
import type { EndReason, ModelDelta } from '../core/model';
import type { Protocol, ReplyEvent, Strictness } from '../core/protocol';
import type { ToolSpec } from '../core/tool';
import { RecordedStream } from '../models/recorded-stream';
import { findProtocol } from '../protocols';
import { answerLines, readAll } from './input';
import { readToolFile, ToolList, toSpecs } from './tool-file';
import { readOptions, required, UsageError } from './usage';

/** `parley parse`: what a reply is read as. */
export async function parse(args: string[]): Promise<number> {
  const { values } = readOptions(args, {
    protocol: { type: 'string' },
    tools: { type: 'string' },
    chunk: { type: 'string' },
    jsonl: { type: 'boolean' },
    recovery: { type: 'string' },
  });
  const chunk = chunkSize(values.chunk);
  const recover = recovers(values.recovery);
  if (values.jsonl) {
    await answerLines((line) => parseLine(line, { chunk, recover }));
    return 0;
  }
  const id = required(values.protocol, '--protocol');
  const tools = values.tools === undefined ? undefined : readToolFile(values.tools);
  const reply = await readAll();
  const answer = parseReply({ protocol: protocolFor(id, reply), reply, tools, chunk, recover });
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  return 0;
}

const Case = z.object({
  id: z.unknown().optional(),
  protocol: z.string(),
  text: z.string(),
  tools: ToolList.optional(),
  strictness: z.enum(['strict', 'repair', 'lenient']).optional(),
  recovery: z.enum(['run', 'ask', 'text']).optional(),
});

function parseLine(line: string, defaults: { readonly chunk: number; readonly recover: boolean }): unknown {
  const checked = Case.safeParse(readJson(line));
  if (!checked.success) return { error: z.prettifyError(checked.error) };
  const { id, protocol, text, tools, strictness, recovery } = checked.data;
  try {
    return {
      id,
      ...parseReply({
        protocol: protocolFor(protocol, text),
        reply: text,
        tools: tools && toSpecs(tools),
        chunk: defaults.chunk,
        recover: recovery === undefined ? defaults.recover : recovery !== 'text',
        strictness,
      }),
    };
  } catch (error) {
    if (error instanceof UsageError) return { id, error: error.message };
    throw error;
  }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface ParseRequest {
  readonly protocol: Protocol;
  readonly reply: string;
  readonly tools: readonly ToolSpec[] | undefined;
  /** Characters the parser gets at once; 0 for all. */
  readonly chunk: number;
  readonly recover: boolean;
  readonly strictness?: Strictness | undefined;
}

function parseReply({ protocol, reply, tools, chunk, recover, strictness }: ParseRequest): object {
  const parser = protocol.createParser({
    ...(tools && tools.length > 0 && { tools }),
    ...(strictness && { strictness }),
    recover,
    ids: new CallIds(),
  });
  const pieces = chunk === 0 ? [reply] : cut(reply, chunk);
  let reason: EndReason | undefined;
  const push = (delta: ModelDelta): readonly ReplyEvent[] => {
    if (delta.type === 'end') reason = delta.reason;
    return parser.push(delta);
  };
  const events = deltas(protocol, pieces).flatMap(push);
  return report(protocol, [...events, ...parser.end(reason ?? 'cut')]);
}

function deltas(protocol: Protocol, pieces: readonly string[]): ModelDelta[] {
  if (protocol.id !== 'native')
    return [...pieces.map((text) => ({ type: 'text', text }) as const), { type: 'end', reason: 'stop' }];
  const stream = new RecordedStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

function report(protocol: Protocol, events: readonly ReplyEvent[]): object {
  const textOf = (type: 'text' | 'reasoning'): string =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  return {
    protocol: protocol.id,
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    calls: events.flatMap((event) => {
      if (event.type !== 'call-end') return [];
      const { id, name, arguments: args, start, end, notes } = event.call;
      return [{ id, name, arguments: args, start, end, notes: notes.map(short) }];
    }),
    errors: events.flatMap((event) => {
      if (event.type !== 'malformed') return [];
      const { name, diagnostic } = event.malformed;
      return [{ ...short(diagnostic), ...(name !== '' && { name }), hint: diagnostic.hint }];
    }),
    warnings: events.flatMap((event) => (event.type === 'warning' ? [short(event.diagnostic)] : [])),
  };
}

function short({ code, message, start, end }: Diagnostic): object {
  return { code, message, start, end };
}

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

function chunkSize(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError('--chunk takes a number of characters, 1 or more.');
}

function recovers(recovery: string | undefined): boolean {
  if (recovery === undefined) return false;
  if (['run', 'ask', 'text'].includes(recovery)) return recovery !== 'text';
  throw new UsageError('--recovery takes run, ask or text.');
}

/** What gives a reply away, in the order in which it is looked for. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^\s*data:/, 'native'],
  [/<<<\[TOOL_REQUEST\]>>>/, 'vcp'],
  [/<tool_code>/, 'xml'],
  [/<tool_call>|<function=/, 'hermes'],
  [/function_calls>|<minimax:tool_call>|<invoke /, 'invoke'],
  [/"action"\s*:\s*"(?:tool_call|finish)"/, 'envelope'],
  [/"tool_calls"\s*:/, 'json'],
];

/** `auto` goes by what stands in the reply; a reply without any sign is read as plain text. */
function protocolFor(wanted: string, reply: string): Protocol {
  const id = wanted === 'auto' ? (SIGNS.find(([sign]) => sign.test(reply))?.[1] ?? 'vcp') : wanted;
  const protocol = findProtocol(id);
  if (!protocol) throw new UsageError(`There is no protocol "${id}".`);
  return protocol;
}
