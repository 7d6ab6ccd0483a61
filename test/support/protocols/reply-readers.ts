import { spawn } from 'node:child_process';
import type { ShownPart } from '../../../src/contract/lab-parse';
import type { AgentEvent } from '../../../src/core/words/events';
import type { Diagnostic } from '../../../src/core/words/messages';
import type { Model } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import type { Tool, ToolSpec } from '../../../src/core/words/tool';
import { doParseJob } from '../../../src/host/ui/lab/parse-job';
import { testSession, testTool } from '../agent/test-session';
import { distFile } from '../dist';
import type { ReplyCase } from './reply-cases';

/** The parsed reply, in the form that the command line prints. */
export interface ReadReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly unknown[];
  readonly errors: readonly unknown[];
  readonly warnings: readonly unknown[];
}

/** Reads them with `parley parse --jsonl`, in order. */
export async function readByCommandLine(
  cases: readonly { readonly protocol: Protocol; readonly each: ReplyCase }[],
): Promise<readonly ReadReply[]> {
  const lines = cases.map(({ protocol, each: { reply, tools, strictness, recover } }) =>
    JSON.stringify({
      ...{ protocol: protocol.id, text: reply, strictness, recovery: recover ? 'ask' : 'text' },
      ...(tools && { tools: tools.map(definition) }),
    }),
  );
  const child = spawn(process.execPath, [distFile('cli.js'), 'parse', '--jsonl']);
  child.stdin.end(lines.join('\n'));
  let output = '';
  for await (const piece of child.stdout) output += String(piece);
  return output
    .trim()
    .split('\n')
    .map((line) => {
      // SAFETY: the command line prints this form, see `surface.md`; the test compares all of it.
      const { text, reasoning, calls, errors, warnings } = JSON.parse(line) as ReadReply;
      return { text, reasoning, calls, errors, warnings };
    });
}

/** Returns the case with only those facts about its tools that the command line accepts. */
export function asDefined(each: ReplyCase): ReplyCase {
  const tools = each.tools?.map(({ name, description, parameters, xmlSchema }) => ({
    ...{ name, description, parameters },
    ...(xmlSchema && { xmlSchema }),
  }));
  return { ...each, tools };
}

function definition({ name, description, parameters, xmlSchema }: ToolSpec): object {
  return { name, description, parameters, ...(xmlSchema && { xml_schema: xmlSchema }) };
}

/** Reads it with the lab. */
export async function readByLab(protocol: Protocol, each: ReplyCase): Promise<ReadReply> {
  const { reply, tools = [], strictness, recover } = each;
  const answer = await doParseJob({
    type: 'reply',
    reading: { reply, protocol: protocol.id, chunk: 0, tools, strictness, recover },
    promptForm: 'full',
  });
  if (!('parts' in answer)) throw new Error('The job has another kind of answer.');
  const textOf = (part: ShownPart): string => {
    if (part.type !== 'text' && part.type !== 'reasoning') return '';
    return 'text' in part ? part.text : reply.slice(part.start, part.end);
  };
  return answerOf(answer.parts.map((part) => ({ part, text: textOf(part) })));
}

/** Reads it with the chat: the events of a session for a reply that streams through the loop. */
export async function readByChat(protocol: Protocol, each: ReplyCase): Promise<ReadReply> {
  const { reply, strictness, recover } = each;
  const model: Model = {
    name: 'recorded',
    async *stream() {
      yield { type: 'text', text: reply };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const { session, events } = testSession({
    model: model,
    protocol: each.tools ? protocol : bindingNothing(protocol),
    tools: (each.tools ?? []).map(toolWith),
    config: { strictness, recovery: recover ? 'ask' : 'text' },
  });
  // The calls of the reply do not run here.
  session.onEvent(({ type }) => {
    if (type === 'reply-end') session.stop();
  });
  await session.send('Go on.');
  const first = events.slice(
    0,
    events.findIndex(({ type }) => type === 'reply-end'),
  );
  const begin = first.findIndex(({ type }) => type === 'reasoning-end');
  return answerOf(first.filter(({ type }, at) => at >= begin || type === 'warning').flatMap(partOf));
}

/** Without tools in a case nothing is offered, so that every name counts, like on the command line. */
function bindingNothing(protocol: Protocol): Protocol {
  return {
    ...protocol,
    createParser: ({ tools: _, whyUnavailable: __, ...options }) => protocol.createParser(options),
  };
}

function toolWith(spec: ToolSpec): Tool {
  return { ...testTool(spec.name, 'read', async () => 'Done.'), spec };
}

interface Part {
  readonly part: ShownPart;
  readonly text: string;
}

function partOf(event: AgentEvent): Part[] {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return [{ part: { type: event.type, text: event.text }, text: event.text }];
    case 'reasoning-end':
      return [{ part: { type: 'reasoning', text: event.text }, text: event.text }];
    case 'call-end':
      return [{ part: { type: 'call', call: event.call }, text: '' }];
    case 'malformed':
    case 'warning':
      return [{ part: event, text: '' }];
    default:
      return [];
  }
}

function answerOf(parts: readonly Part[]): ReadReply {
  const joined = (type: string): string =>
    parts.flatMap(({ part, text }) => (part.type === type ? [text] : [])).join('');
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    calls: parts.flatMap(({ part }) => {
      if (part.type !== 'call') return [];
      const { id, name, arguments: args, start, end, notes } = part.call;
      return [{ id, name, arguments: args, start, end, notes: notes.map(short) }];
    }),
    errors: parts.flatMap(({ part }) => {
      if (part.type !== 'malformed') return [];
      const { name, diagnostic } = part.malformed;
      return [{ ...short(diagnostic), ...(name !== '' && { name }), hint: diagnostic.hint }];
    }),
    warnings: parts.flatMap(({ part }) => (part.type === 'warning' ? [short(part.diagnostic)] : [])),
  };
}

function short({ code, message, start, end }: Diagnostic): object {
  return { code, message, start, end };
}
