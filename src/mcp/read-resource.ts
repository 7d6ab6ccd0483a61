import type { CallToolResult } from '@modelcontextprotocol/client';
import { visibleText } from '../base/text';
import type { JsonSchema } from '../core/words/schema';
import { ToolError, type Caller, type Tool } from '../core/words/tool';
import type { Grant, Verdict } from '../core/words/verdict';
import type { McpSurroundings } from './ports';
import { cut, resourceContent } from './result';
import type { McpServer } from './server';
import { answered, checkArguments } from './server-tool';

/** A running server that has resources or templates. */
export interface ResourceServer {
  readonly server: McpServer;
  readonly toolset: string;
  /** Allows all tools of the server in this session; absent while a tool waits for a review. */
  readonly grant?: Grant;
}

/** What conversations know about the resources of servers. Ends with the window, like the grants of a session. */
export class ConversationResources {
  private readonly byConversation = new WeakMap<Caller, Map<string, SeenResources>>();

  /** Remembers the resources that a result links to. */
  sawLinks(caller: Caller | undefined, server: McpServer, { content }: CallToolResult): void {
    if (!caller) return;
    const { links } = this.of(caller, server);
    for (const block of content) if (block.type === 'resource_link') links.add(block.uri);
  }

  of(caller: Caller, server: McpServer): SeenResources {
    const conversation = first(caller);
    const known = this.byConversation.get(conversation) ?? new Map<string, SeenResources>();
    this.byConversation.set(conversation, known);
    // A server with another definition is another server.
    const key = server.definition;
    const seen = known.get(key) ?? { links: new Set(), isAllowed: false };
    known.set(key, seen);
    return seen;
  }
}

interface SeenResources {
  /** Addresses in results of the server. */
  readonly links: Set<string>;
  /** Whether the user has let a call read one that the server lists or has linked to. */
  isAllowed: boolean;
}

/** Rewinding and summaries change what a conversation has seen, not which one it is. */
function first(caller: Caller): Caller {
  return caller.before ? first(caller.before) : caller;
}

const READ_RESOURCE = 'read_resource';

const parameters: JsonSchema = {
  type: 'object',
  properties: { server: { type: 'string' }, uri: { type: 'string' } },
  required: ['server', 'uri'],
};

/**
 * Reads a resource of a server. Asks like a tool of the server: for what it lists or has linked to once per server and
 * conversation, for any other address each time.
 */
export function readResource(
  servers: readonly ResourceServer[],
  seen: ConversationResources,
  surroundings: Pick<McpSurroundings, 'limits' | 'imageOf'>,
): Tool {
  return {
    spec: {
      name: READ_RESOURCE,
      description: cut(description(servers), surroundings.limits.mcpDescriptionBytes),
      summary: 'reads a resource of an MCP server',
      parameters,
    },
    toolset: 'mcp',
    method: 'readResource',
    userDescription: 'Reads a resource of an MCP server.',
    effect: 'execute',
    agentCallable: true,
    // The server's own time counts.
    timeoutMs: 'none',
    prepare: (input, _signal, caller = {}) => {
      checkArguments(input, parameters, READ_RESOURCE);
      // SAFETY: they were checked.
      const { server: name, uri } = input as { readonly server: string; readonly uri: string };
      const { server, grant } = named(name, servers);
      const state = seen.of(caller, server);
      const isKnown = server.offer.resources.some((each) => each.uri === uri) || state.links.has(uri);
      const isAllowed = isKnown && state.isAllowed;
      return Promise.resolve({
        title: `Read ${visibleText(uri)} of the MCP server ${server.name}`,
        accesses: [
          {
            effect: 'execute',
            kind: 'mcp',
            target: `${server.name}: ${visibleText(uri)}`,
            verdict: isAllowed ? ALLOWED : asking(server, isKnown, grant),
            ...(isKnown && !isAllowed && { notes: [ONCE] }),
          },
        ],
        run: async ({ signal }) => {
          if (isKnown) state.isAllowed = true;
          const { contents } = await answered(READ_RESOURCE, () => server.readResource(uri, signal), signal);
          const { text, images } = resourceContent(contents, surroundings);
          const shown = cut(text, surroundings.limits.mcpResultTextBytes);
          return { text: shown || '(The resource is empty.)', ...(images.length > 0 && { images }) };
        },
      });
    },
  };
}

const ALLOWED: Verdict = {
  decision: 'auto',
  reason: 'the user allowed resources of this server in this session',
};

const ONCE = 'others that the server lists or has linked to are then read without asking in this session';

function asking(server: McpServer, isKnown: boolean, grant: Grant | undefined): Verdict {
  if (isKnown)
    return {
      decision: 'ask',
      reason: `a resource of the MCP server ${server.name}`,
      ...(grant && { wider: grant }),
    };
  return {
    decision: 'ask',
    reason: `an address that the MCP server ${server.name} neither lists nor has linked to`,
  };
}

function named(name: string, servers: readonly ResourceServer[]): ResourceServer {
  const found =
    servers.find(({ server }) => server.name === name) ?? servers.find(({ toolset }) => toolset === name);
  if (found) return found;
  const names = servers.map(({ server }) => visibleText(server.name)).join(', ');
  throw new ToolError(`No MCP server of this name has resources. Choose one of: ${names}.`);
}

/** Lines for each server. */
const MOST_LINES = 20;

/** Characters of a line. */
const LONGEST_LINE = 200;

function description(servers: readonly ResourceServer[]): string {
  return [
    'Reads a resource of an MCP server: one that a result links to, one of these, or an address by one of the templates.',
    ...servers.flatMap(({ server: { name, offer } }) => [
      `Server ${oneLine(name)}:`,
      ...listed(offer.templates.map(({ uriTemplate }) => `template ${uriTemplate}`)),
      ...listed(offer.resources.map(({ uri }) => uri)),
    ]),
  ].join('\n');
}

function listed(texts: readonly string[]): readonly string[] {
  const lines = texts.slice(0, MOST_LINES).map((text) => `- ${oneLine(text)}`);
  return texts.length > MOST_LINES ? [...lines, `- and ${texts.length - MOST_LINES} more`] : lines;
}

function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ')).slice(0, LONGEST_LINE);
}
