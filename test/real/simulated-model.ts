import path from 'node:path';
import { parseObject, type Json, type JsonObject } from '../../src/base/json';
import { escapeOf } from '../../src/base/markers';
import type { Protocol } from '../../src/core/words/protocol';
import { wellFormedSchema } from '../../src/core/words/schema';
import { typeText } from '../../src/protocols/prompt/describe';
import {
  answerWith,
  streamParts,
  streamText,
  type EndpointReply,
  type EndpointRequest,
} from '../support/servers/fake-endpoint';
import { parseText } from '../support/protocols/run-parser';

/** The step that the model has the client do. */
export interface Job {
  /** Absolute path. */
  readonly file: string;
  readonly content: string;
  /** What the client makes of the content: in its file, and perhaps in the call that it sends back. */
  readonly written: string;
  readonly command: string;
  /** Part of the command's output. */
  readonly printed: string;
  readonly answer: string;
}

/** Names of the tools for each step; the first one that is offered is used. */
const TOOLS = {
  write: ['mcp__files__write_file', 'write', 'write_file', 'editor', 'apply_patch'],
  read: ['mcp__files__read_text_file', 'read', 'read_file', 'read_files'],
  run: ['bash', 'run_shell_command', 'run_commands', 'exec_command'],
} as const;

type Step = keyof typeof TOOLS;
const STEPS = ['write', 'read', 'run'] as const satisfies readonly Step[];

/** A tool as described in the prompt: each required argument with its type in words. */
interface DescribedTool {
  readonly name: string;
  readonly needed: ReadonlyMap<string, string>;
}

/** The script cannot continue with the offered tools. */
class Unplayable extends Error {}

type Call = Pick<ReturnType<typeof parseText>['calls'][number], 'name' | 'arguments'>;

/**
 * A model that knows only what it is sent. It finds the client's tools in the system prompt and its earlier calls
 * in the conversation, and calls the next tool in the form of the protocol. Once, before the last call, it calls a
 * tool that does not exist.
 */
export class SimulatedModel {
  /** The faults that were found in the requests. */
  readonly problems = new Set<string>();
  /** The tools that it has called. */
  readonly called: string[] = [];
  private hasErred = false;
  /** The texts of the first call. */
  private written: readonly string[] = [];

  constructor(
    private readonly protocol: Protocol,
    private readonly job: Job,
  ) {}

  answer(request: EndpointRequest): EndpointReply {
    try {
      return this.reply(request);
    } catch (error) {
      if (!(error instanceof Unplayable)) throw error;
      this.problems.add(error.message);
      return failed(500, error.message);
    }
  }

  private reply({ body }: EndpointRequest): EndpointReply {
    const { messages } = body;
    if (body.tools || messages.some(({ role }) => role === 'tool'))
      return failed(400, 'tools are not supported');
    const tools = describedTools(String(messages[0]?.content));
    if (tools.length === 0) return streamText('A small job');
    const done = this.callsIn(messages);
    const last = String(messages.at(-1)?.content);
    this.check(done, last);
    const step = STEPS[done.length];
    if (step === undefined) return streamText(this.job.answer);
    if (step === 'run' && !this.hasErred) {
      this.hasErred = true;
      return this.call('do_it_all', { command: this.job.command });
    }
    const { name, args } = this.nextCall(step, tools);
    if (step === 'write') this.written = Object.values(args).filter((value) => typeof value === 'string');
    this.called.push(name);
    return this.call(name, args);
  }

  private call(name: string, args: JsonObject): EndpointReply {
    return streamParts(this.protocol, [
      { type: 'text', text: 'I will do that now.' },
      { type: 'call', call: { id: `k${this.called.length}`, name, arguments: args } },
    ]);
  }

  private callsIn(messages: EndpointRequest['body']['messages']): readonly Call[] {
    const own = messages.filter(({ role }) => role === 'assistant');
    return own.flatMap(({ content }) => parseText(this.protocol, [content]).calls);
  }

  private nextCall(step: Step, tools: readonly DescribedTool[]): { name: string; args: JsonObject } {
    const { file, content, command } = this.job;
    const tool = named(tools, TOOLS[step]);
    if (tool) return { name: tool.name, args: argumentsOf(tool, this.job) };
    const shell = named(tools, TOOLS.run);
    if (!shell)
      throw new Unplayable(`There is no tool to ${step} among ${tools.map(({ name }) => name).join()}`);
    const commands = { write: heredoc(file, content), read: `cat '${file}'`, run: command };
    return { name: shell.name, args: argumentsOf(shell, { ...this.job, command: commands[step] }) };
  }

  /** Checks that the earlier calls are as written and that their results have arrived. */
  private check(done: readonly Call[], last: string): void {
    const { undo } = escapeOf(this.protocol.markers ?? []);
    const [write] = done;
    const came = JSON.stringify(write?.arguments ?? {});
    const { content, written } = this.job;
    const isSentBack = (text: string): boolean =>
      came.includes(JSON.stringify(text)) || (text === content && came.includes(JSON.stringify(written)));
    if (write && !this.written.every(isSentBack)) this.problems.add('the call is sent back in another form');
    if (done.length === 2 && !this.hasErred && !holdsLines(undo(last), written))
      this.problems.add(`the read text differs from the written one: ${JSON.stringify(last.slice(-600))}`);
    if (done.length === 3 && !last.includes(this.job.printed))
      this.problems.add(`the output of the command is missing: ${JSON.stringify(last.slice(-600))}`);
  }
}

function failed(status: number, message: string): EndpointReply {
  return answerWith(status, 'application/json', JSON.stringify({ error: { message } }));
}

function named(tools: readonly DescribedTool[], names: readonly string[]): DescribedTool | undefined {
  const wanted = names.map((name) => tools.find((tool) => tool.name.toLowerCase() === name));
  return wanted.find((tool) => tool !== undefined);
}

/** Reads both kinds of tool descriptions: definitions in JSON, and signatures between markers. */
function describedTools(prompt: string): readonly DescribedTool[] {
  const definitions = prompt.slice(prompt.lastIndexOf('\n<tools>\n')).split('\n').map(parseObject);
  const [, signatures = ''] = prompt.split(/<<<\[(?:END_)?TOOL_DEFINITION\]>>>/);
  return [
    ...definitions.flatMap((definition) => (definition ? [signed(definition)] : [])),
    ...Array.from(signatures.matchAll(/^([\w-]+)\((.*?)\)(?:: |$)/gm), ([, name = '', list = '']) => ({
      name,
      needed: neededIn(list),
    })),
  ];
}

/** The arguments of a signature that are not optional; one without a type is text. */
function neededIn(list: string): ReadonlyMap<string, string> {
  // Commas also stand between the fields of an object and in texts.
  const all = list.matchAll(/(\w+)(\??)(?:: ((?:\{[^}]*\}|"[^"]*"|[^,{"])+))?(?:, |$)/g);
  const needed = Array.from(all, ([, name = '', mark = '', type = 'string']) => ({ name, mark, type }));
  return new Map(needed.flatMap(({ name, mark, type }) => (mark === '' ? [[name, type]] : [])));
}

function signed({ name, parameters = {} }: JsonObject): DescribedTool {
  const schema = wellFormedSchema(parameters);
  const { properties = {}, required = [] } = schema;
  const needed = Object.entries(properties).filter(([key]) => required.includes(key));
  return {
    name: typeof name === 'string' ? name : '',
    needed: new Map(needed.map(([key, each]) => [key, typeText(each, schema)])),
  };
}

function argumentsOf({ needed }: DescribedTool, job: Job): JsonObject {
  return Object.fromEntries(Array.from(needed, ([name, type]) => [name, valueOf(name, type, job)]));
}

function valueOf(name: string, type: string, { file, content, command }: Job): Json {
  const isList = type.startsWith('list');
  if (/^(?:absolute_?)?(?:file_?)?path$/i.test(name)) return file;
  if (name === 'content' || name === 'new_text') return content;
  if (name === 'input') return patch(path.basename(file), content);
  if (name === 'files') return [{ path: file }];
  if (/^(?:cmd|commands?)$/.test(name)) return isList ? [command] : command;
  if (type === 'boolean') return false;
  if (type === 'string') return 'A small job.';
  throw new Unplayable(`There is no value for ${name} (${type}).`);
}

/** The form of Codex, whose tool takes text instead of JSON. */
function patch(file: string, content: string): string {
  const lines = content.trimEnd().split('\n');
  const added = lines.map((line) => `+${line}`);
  return ['*** Begin Patch', `*** Add File: ${file}`, ...added, '*** End Patch'].join('\n');
}

/** For clients whose only tool is a shell. */
function heredoc(file: string, content: string): string {
  return `cat > '${file}' <<'END_OF_FILE'\n${content}END_OF_FILE`;
}

/**
 * Clients number lines, indent them, and change line ends, some of them inside JSON. Qwen Code drops blanks at line
 * ends.
 */
function holdsLines(text: string, content: string): boolean {
  const lines = content.split('\n').map((line) => line.trimEnd());
  return lines.every((line) => text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1)));
}
