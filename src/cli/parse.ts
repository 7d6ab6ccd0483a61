import * as z from 'zod';
import { parseReply } from '../core/reply/parse-reply';
import { joinedText } from '../core/reply/reply-reader';
import type { Diagnostic } from '../core/words/messages';
import type { Protocol, Strictness } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';
import { replyDeltas } from '../models/recorded-reply';
import { findProtocol } from '../protocols';
import { detectProtocol } from '../protocols/choose';
import {
  knownProtocols,
  answerLines,
  answerId,
  readAll,
  parseJsonLine,
  readOptions,
  rejectWords,
  required,
  UsageError,
} from './command-line';
import { readToolFile, ToolList, toSpecs } from './tool-file';

/** `parley parse`: parses a reply. */
export async function parse(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    protocol: { type: 'string' },
    tools: { type: 'string' },
    chunk: { type: 'string' },
    jsonl: { type: 'boolean' },
    recovery: { type: 'string' },
  });
  rejectWords(positionals, 'Give the reply on standard input: < FILE.');
  const chunk = chunkSize(values.chunk);
  const recover = recovers(values.recovery);
  if (values.jsonl) {
    for (const option of ['protocol', 'tools'] as const) {
      if (values[option] !== undefined) throw new UsageError(notWithLines(option));
    }
    await answerLines((line) => parseLine(line, { chunk, recover }));
    return 0;
  }
  const id = required(values.protocol, '--protocol');
  const tools = values.tools === undefined ? undefined : readToolFile(values.tools);
  const reply = await readAll();
  const parsed = answer({ protocol: protocolFor(id, reply), reply, tools, chunk, recover });
  process.stdout.write(`${JSON.stringify(parsed)}\n`);
  return 0;
}

function notWithLines(option: string): string {
  return `--${option} cannot be combined with --jsonl. Give the protocol and the tools in each line.`;
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
  const given = parseJsonLine(line);
  const checked = Case.safeParse(given);
  if (!checked.success) return { id: answerId(given), error: z.prettifyError(checked.error) };
  const { id, protocol, text, tools, strictness, recovery } = checked.data;
  try {
    return {
      id,
      ...answer({
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

interface ParseRequest {
  readonly protocol: Protocol;
  readonly reply: string;
  readonly tools: readonly ToolSpec[] | undefined;
  /** Characters that the parser gets at once; 0 for all. */
  readonly chunk: number;
  readonly recover: boolean;
  readonly strictness?: Strictness | undefined;
}

function answer({ protocol, reply, tools, chunk, recover, strictness }: ParseRequest): object {
  const parsed = parseReply(protocol, replyDeltas(protocol.id, reply, chunk), {
    ...(tools && tools.length > 0 && { tools }),
    ...(strictness && { strictness }),
    recover,
  });
  const { parts } = parsed;
  return {
    protocol: protocol.id,
    text: joinedText(parsed, 'text'),
    reasoning: joinedText(parsed, 'reasoning'),
    calls: parts.flatMap((part) => {
      if (part.type !== 'call') return [];
      const { id, name, arguments: args, start, end, notes } = part.call;
      return [{ id, name, arguments: args, start, end, notes: notes.map(short) }];
    }),
    errors: parts.flatMap((part) => {
      if (part.type !== 'malformed') return [];
      const { name, diagnostic } = part.malformed;
      return [{ ...short(diagnostic), ...(name !== '' && { name }), hint: diagnostic.hint }];
    }),
    warnings: parts.flatMap((part) => (part.type === 'warning' ? [short(part.diagnostic)] : [])),
  };
}

function short({ code, message, start, end }: Diagnostic): object {
  return { code, message, start, end };
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

/** `auto` decides by the text of the reply; a reply without markers is plain text. */
function protocolFor(wanted: string, reply: string): Protocol {
  const id = wanted === 'auto' ? detectProtocol(reply) : wanted;
  const protocol = findProtocol(id);
  if (!protocol) throw new UsageError(`There is no protocol "${id}". Use one of: ${knownProtocols()}.`);
  return protocol;
}
