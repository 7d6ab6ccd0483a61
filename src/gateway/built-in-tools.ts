import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { JsonSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';

/**
 * A tool that the Responses API defines and the client runs
 * (https://platform.openai.com/docs/api-reference/responses/create). The model gets it as a function; calls and
 * results have items of their own.
 */
export interface BuiltInTool {
  /** Its type, and its name for the model. */
  readonly type: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Types of its items. */
  readonly call: string;
  readonly output: string;
  /** The arguments of a call as fields of its item, and back. */
  readonly toItem: (args: JsonObject) => JsonObject;
  readonly fromItem: (item: JsonObject) => Json | undefined;
  /** The field of a result that the model gets. */
  readonly result: string;
}

const TEXT: JsonSchema = { type: 'string' };

export const builtInTools: readonly BuiltInTool[] = [
  {
    type: 'tool_search',
    description: 'Finds further tools, which can be called afterwards.',
    parameters: { type: 'object', properties: { query: TEXT }, required: ['query'] },
    call: 'tool_search_call',
    output: 'tool_search_output',
    toItem: (args) => ({ execution: 'client', arguments: args }),
    fromItem: (item) => item['arguments'],
    result: 'tools',
  },
  {
    type: 'local_shell',
    description: 'Runs a command in a shell, and returns its output.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'array', items: TEXT, description: 'The program and its arguments.' },
        working_directory: TEXT,
        timeout_ms: { type: 'integer' },
      },
      required: ['command'],
    },
    call: 'local_shell_call',
    output: 'local_shell_call_output',
    toItem: (args) => ({ action: { type: 'exec', env: {}, ...args } }),
    fromItem: (item) => without(item['action'], ['type', 'env', 'user']),
    result: 'output',
  },
  {
    type: 'shell',
    description: 'Runs commands in a shell, and returns their output.',
    parameters: {
      type: 'object',
      properties: { commands: { type: 'array', items: TEXT }, timeout_ms: { type: 'integer' } },
      required: ['commands'],
    },
    call: 'shell_call',
    output: 'shell_call_output',
    toItem: (args) => ({ action: { timeout_ms: null, max_output_length: null, ...args }, environment: null }),
    fromItem: (item) => without(item['action'], ['max_output_length']),
    result: 'output',
  },
  {
    type: 'apply_patch',
    description: 'Creates, changes or deletes a file.',
    parameters: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: TEXT,
        diff: {
          type: 'string',
          description: 'The new lines, each with + before it, or a diff in V4A form. Not for delete_file.',
        },
      },
      required: ['type', 'path'],
    },
    call: 'apply_patch_call',
    output: 'apply_patch_call_output',
    toItem: (args) => ({ operation: args }),
    fromItem: (item) => item['operation'],
    result: 'output',
  },
];

/** The definition of a client: one that the service would run itself is not offered. */
export function builtInTool(tool: JsonObject): BuiltInTool | undefined {
  if (tool['type'] === 'tool_search' && tool['execution'] !== 'client') return undefined;
  return builtInTools.find(({ type }) => type === tool['type']);
}

/** Descriptions and parameters of the client's own replace those of the table. */
export function builtInSpec(
  { type, description, parameters }: BuiltInTool,
  own: Partial<Pick<ToolSpec, 'description' | 'parameters'>>,
): ToolSpec {
  return { name: type, description, parameters, ...own };
}

/** The model's name for a tool. */
type NameOf = (name: string, namespace: Json | undefined) => string;

/** What the model gets as a result. */
export function builtInResult({ type, result }: BuiltInTool, item: JsonObject, nameOf: NameOf): Json {
  const value = item[result] ?? '';
  if (!isJsonList(value)) return value;
  return type === 'tool_search' ? foundTools(value, nameOf) : value.map(shellOutput).join('\n');
}

function foundTools(tools: readonly Json[], nameOf: NameOf): string {
  const names = tools.flatMap((tool) => namesIn(tool, undefined, nameOf));
  return names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}.`;
}

function namesIn(tool: Json, namespace: Json | undefined, nameOf: NameOf): readonly string[] {
  const { name, tools } = isJsonObject(tool) ? tool : {};
  if (tools !== undefined && isJsonList(tools)) return tools.flatMap((each) => namesIn(each, name, nameOf));
  return typeof name === 'string' ? [nameOf(name, namespace)] : [];
}

function shellOutput(output: Json): string {
  if (!isJsonObject(output)) return JSON.stringify(output);
  const { stdout, stderr, outcome } = output;
  const texts = [stdout, stderr, isJsonObject(outcome) ? JSON.stringify(outcome) : undefined];
  return texts.flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : [])).join('\n');
}

function without(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, each]) => !names.includes(name) && each !== null),
  );
}
