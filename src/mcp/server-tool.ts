import { Validator, type Schema } from '@cfworker/json-schema';
import { ProtocolError, type CallToolResult, type Tool as ListedTool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../base/json';
import { visibleText } from '../base/text';
import { withoutBounds, type JsonSchema } from '../core/words/schema';
import { ToolError, type Tool } from '../core/words/tool';
import type { Verdict } from '../core/words/verdict';
import { Overdue, type CallOptions } from './connection';
import type { McpSurroundings } from './ports';
import { cut, toolOutput } from './result';
import { mapSubschemas, type ReadSchema } from './schema';

/** How a server's tool is offered. */
interface OfferedTool {
  readonly listed: ListedTool;
  readonly wireName: string;
  readonly server: { readonly name: string; readonly toolset: string };
  /** Of everything that the user was told of it. */
  readonly digest: string;
  /** Its arguments. */
  readonly read: ReadSchema;
  /** Why models are not offered it, in one sentence. */
  readonly problem?: string;
}

/** Calls it on the connection of that moment. */
type CallTool = (listed: ListedTool, args: JsonObject, options: CallOptions) => Promise<CallToolResult>;

/** A tool of a server as a tool of ours. What it does is not known, whatever it says of itself, so it asks. */
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
    // The call has a clock of its own, which progress sets back and a form stops.
    timeoutMs: 'none',
    ...(problem !== undefined && { whyNotOffered: problem }),
    prepare: (input) => {
      check(input, parameters, wireName);
      const name = visibleText(listed.name);
      return Promise.resolve({
        title: `Run ${name} of the MCP server ${server.name}`,
        accesses: [{ effect: 'execute', kind: 'mcp', target: `${server.name}: ${name}`, verdict: verdict() }],
        run: async ({ signal, onOutput }) => {
          const result = await answered(
            wireName,
            () => call(listed, input, { signal, onProgress: onOutput }),
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
    return { decision: 'ask', reason: `a tool of the MCP server ${server.name}`, grant };
  }
}

/** Throws `ToolError` for arguments that the tool does not take. */
function check(input: JsonObject, parameters: JsonSchema, wireName: string): void {
  const problems = argumentProblems(input, parameters);
  if (problems.length === 0) return;
  throw new ToolError(`Wrong arguments: ${problems.join('; ')} Correct them and call ${wireName} again.`);
}

/** Whatever goes wrong between us and the server ends as a result that tells the model so. */
async function answered(
  wireName: string,
  call: () => Promise<CallToolResult>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted || error instanceof ToolError || !(error instanceof Error)) throw error;
    throw new ToolError(failure(wireName, error), { cause: error });
  }
}

/** Bytes of what a server says of a failure. */
const MOST_SAID = 2_048;

function failure(wireName: string, error: Error): string {
  const said = cut(visibleText(error.message.replace(/\s+/g, ' ').trim()), MOST_SAID);
  if (error instanceof Overdue)
    return `${wireName} was given up: ${said}. Its effect is unknown. Ask for less, or ask the user.`;
  if (error instanceof ProtocolError)
    return `${wireName} was refused by its server: ${said}. Change the arguments, or do without it.`;
  return `${wireName} could not be finished: ${said}. Its effect is unknown. Go on without it, or ask the user.`;
}

/** What is wrong with arguments by a server's schema, in one clause each; nothing where all is well. */
export function argumentProblems(given: JsonObject, schema: JsonSchema): readonly string[] {
  // SAFETY: what is no schema that the checker can read throws below.
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
    // A schema that cannot be read finds no fault; the server looks at the arguments itself.
    return [];
  }
}

const MOST = 5;

/** What says of an outer value that an inner one is wrong. */
const AROUND = new Set(['properties', 'items', 'additionalItems', 'prefixItems', 'allOf', 'false']);

/**
 * Left to the server: patterns, because one that a stranger wrote is enough to keep the editor busy for good; what a
 * list without twins costs is the square of its length; and what turns around whether something fits, or counts it,
 * because more fits here than should.
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
    // Where names are allowed by a pattern, none can be called unknown.
    ([keyword]) =>
      !LEFT.has(keyword) && (keyword !== 'additionalProperties' || patternProperties === undefined),
  );
  return mapSubschemas({ ...Object.fromEntries(kept), ...(anyOf !== undefined && { anyOf }) }, checkable);
}
