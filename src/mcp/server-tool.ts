import { Validator, type Schema } from '@cfworker/json-schema';
import { ProtocolError, type CallToolResult, type Tool as ListedTool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../base/json';
import { visibleText } from '../base/text';
import { withoutBounds, type JsonSchema } from '../core/words/schema';
import { ToolError, type Caller, type Tool } from '../core/words/tool';
import type { Grant, Verdict } from '../core/words/verdict';
import { Overdue, type CallOptions } from './connection';
import type { McpSurroundings } from './ports';
import { cut, toolOutput } from './result';
import { mapSubschemas } from '../core/words/schema-references';
import type { ReadSchema } from './schema';

/** A tool of a server and how it is offered. */
interface OfferedTool {
  readonly listed: ListedTool;
  readonly wireName: string;
  readonly server: { readonly name: string; readonly toolset: string };
  /** Digest of everything shown to the user about it. */
  readonly digest: string;
  /** Its arguments. */
  readonly read: ReadSchema;
  /** Allows all tools of the server in this session; absent while one of them waits for a review. */
  readonly serverGrant?: Grant;
  /** Why it is not offered to models, in one sentence. */
  readonly problem?: string;
}

/** Calls it on the current connection. */
export type CallTool = (
  listed: ListedTool,
  args: JsonObject,
  options: CallOptions,
  caller: Caller | undefined,
) => Promise<CallToolResult>;

/** A server's tool as one of our tools. Its effect is unknown, whatever it claims, so it asks. */
export function serverTool(offered: OfferedTool, call: CallTool, surroundings: McpSurroundings): Tool {
  const { listed, wireName, server, digest, read } = offered;
  const { limits, approvals } = surroundings;
  const problem = offered.problem ?? (read.ok ? undefined : `${read.problem} Models are not offered it.`);
  const parameters: JsonSchema = read.ok ? read.schema : { type: 'object' };
  const description = visibleText(listed.description ?? listed.title ?? '');
  return {
    spec: {
      name: wireName,
      description: cut(description, limits.mcpDescriptionBytes),
      parameters,
      shown: withoutBounds(parameters),
    },
    toolset: server.toolset,
    origin: { type: 'mcp', server: server.name },
    method: wireName,
    effect: 'execute',
    agentCallable: true,
    // The call has its own clock, which progress resets and a form stops.
    timeoutMs: 'none',
    ...(problem !== undefined && { whyNotOffered: problem }),
    prepare: (input, _signal, caller) => {
      checkArguments(input, parameters, wireName);
      const name = visibleText(listed.name);
      return Promise.resolve({
        title: `Run ${name} of the MCP server ${server.name}`,
        accesses: [{ effect: 'execute', kind: 'mcp', target: `${server.name}: ${name}`, verdict: verdict() }],
        run: async ({ signal, onOutput }) => {
          const result = await answered(
            wireName,
            () => call(listed, input, { signal, onProgress: onOutput }, caller),
            signal,
          );
          return toolOutput(wireName, result, surroundings);
        },
      });
    },
  };

  function verdict(): Verdict {
    if (approvals.isAllowed(digest)) return { decision: 'auto', reason: 'always allowed by the user' };
    const grant = { type: 'allow-mcp-tool', server: server.name, tool: listed.name, digest } as const;
    return {
      decision: 'ask',
      reason: `a tool of the MCP server ${server.name}`,
      grant,
      ...(offered.serverGrant && { wider: offered.serverGrant }),
    };
  }
}

/** Throws `ToolError` for arguments that do not match the schema. */
export function checkArguments(input: JsonObject, parameters: JsonSchema, wireName: string): void {
  const problems = argumentProblems(input, parameters);
  if (problems.length === 0) return;
  throw new ToolError(`Wrong arguments: ${problems.join('; ')} Correct them and call ${wireName} again.`);
}

/** Any error between us and the server becomes a result for the model. */
export async function answered<T>(wireName: string, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted || error instanceof ToolError || !(error instanceof Error)) throw error;
    throw new ToolError(failure(wireName, error), { cause: error });
  }
}

/** Maximum bytes of a server's error message. */
const MOST_SAID = 2_048;

function failure(wireName: string, error: Error): string {
  const said = cut(visibleText(error.message.replace(/\s+/g, ' ').trim()), MOST_SAID);
  if (error instanceof Overdue)
    return `${wireName} was given up: ${said}. Its effect is unknown. Ask for less, or ask the user.`;
  if (error instanceof ProtocolError)
    return `${wireName} was refused by its server: ${said}. Change the arguments, or do without it.`;
  return `${wireName} could not be finished: ${said}. Its effect is unknown. Go on without it, or ask the user.`;
}

/** Problems of arguments by a server's schema, one clause each; nothing if they are valid. */
export function argumentProblems(given: JsonObject, schema: JsonSchema): readonly string[] {
  // SAFETY: a schema that the checker cannot read throws below.
  const checked = checkable(schema as JsonObject) as Schema;
  try {
    const { errors } = new Validator(checked, '2020-12', false).validate(given);
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .slice(0, MOST)
      .map(
        ({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`,
      );
  } catch {
    // An unreadable schema reports no problems; the server checks the arguments itself.
    return [];
  }
}

const MOST = 5;

/** An error about an outer value that only repeats an inner error. */
const AROUND = new Set(['properties', 'items', 'additionalItems', 'prefixItems', 'allOf', 'false']);

/**
 * Left to the server: patterns, because a foreign one can block the editor forever; uniqueness, because its cost is
 * quadratic; and negation and counting, because our check accepts more than the schema.
 */
const LEFT = new Set([
  ...['pattern', 'format', 'patternProperties'],
  ...['not', 'if', 'then', 'else', 'oneOf'],
  ...['contains', 'minContains', 'maxContains', 'uniqueItems'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);

function checkable(schema: JsonObject): JsonObject {
  const { patternProperties, anyOf = schema['oneOf'] } = schema;
  const kept = Object.entries(schema).filter(
    // If a pattern allows names, no name is unknown.
    ([keyword]) =>
      !LEFT.has(keyword) && (keyword !== 'additionalProperties' || patternProperties === undefined),
  );
  return mapSubschemas({ ...Object.fromEntries(kept), ...(anyOf !== undefined && { anyOf }) }, checkable);
}
