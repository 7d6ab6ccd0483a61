import { limits } from '../../../base/limits';
import { visibleText } from '../../../base/text';
import type { ResourceCompletion } from '../../../contract/chat';
import { resourceFits, writeMention } from '../../../core/mentions';
import type { Image } from '../../../core/words/attachment';
import { ToolError } from '../../../core/words/tool';
import { digest } from '../../../mcp/pins';
import type { McpSurroundings } from '../../../mcp/ports';
import { readContent } from '../../../mcp/result';
import type { McpServer } from '../../../mcp/server';
import type { McpServers } from '../../../mcp/servers';
import { firstBytes } from '../../../node/files/text-encoding';

/** A prompt of a server, as a message may begin with it. */
export interface McpPrompt {
  /** Text after the slash: `mcp.weather.forecast`. Unique. */
  readonly command: string;
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** Its arguments. */
  readonly required: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly description?: string;
}

interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
}

/** Content returned by a server; an empty text if there is none. */
export interface FromServer {
  readonly text: string;
  readonly images: readonly Image[];
}

/** What the chat needs from running servers. */
export interface McpInChat {
  readonly prompts: () => readonly McpPrompt[];
  readonly resources: () => readonly McpResource[];
  readonly isRunning: (server: string) => boolean;
  /** Rejects with `ToolError` if the server is not running, and with its own errors. */
  readonly expandPrompt: (
    prompt: McpPrompt,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<FromServer>;
  /** The same for a resource, whether the server lists it or not. */
  readonly readResource: (server: string, uri: string, signal: AbortSignal) => Promise<FromServer>;
  /** Asks the user on behalf of a server. */
  readonly ask: McpSurroundings['elicit'];
}

export function mcpInChat(
  servers: Pick<McpServers, 'all' | 'get'>,
  { imageOf, elicit }: Pick<McpSurroundings, 'imageOf' | 'elicit'>,
): McpInChat {
  const options = { imageOf, limits };
  const running = (name: string): McpServer => {
    const server = servers.get(name);
    if (server) return server;
    throw new ToolError('There is no MCP server with this name.');
  };
  return {
    ask: elicit,
    prompts: () => promptsOf(servers.all),
    resources: () => servers.all.flatMap(resourcesOf),
    isRunning: (server) => servers.get(server)?.state.type === 'running',
    expandPrompt: async ({ server, name }, args, signal) => {
      const { messages } = await running(server).getPrompt(name, args, signal);
      const read = messages.map(({ role, content }) => ({ role, ...readContent([content], options) }));
      // Most are a single user message, and need no names.
      const isPlain = read.every(({ role }) => role === 'user');
      const texts = read.map(({ role, texts }) => [...(isPlain ? [] : [`${role}:`]), ...texts].join('\n'));
      return { text: texts.join('\n\n'), images: read.flatMap(({ images }) => images) };
    },
    readResource: async (server, uri, signal) => {
      const { contents } = await running(server).readResource(uri, signal);
      const [first, ...others] = contents;
      if (first && others.length === 0 && 'text' in first) return { text: first.text, images: [] };
      const { texts, images } = readContent(
        contents.map((resource) => ({ type: 'resource', resource })),
        options,
      );
      const hasText = contents.some((each) => 'text' in each);
      return { text: hasText ? texts.join('\n\n') : '', images };
    },
  };
}

function promptsOf(servers: readonly McpServer[]): readonly McpPrompt[] {
  const all = servers.flatMap((server) =>
    server.offer.prompts.slice(0, limits.mcpPrompts).map((prompt) => ({ server: server.name, prompt })),
  );
  const plain = all.map(({ server, prompt }) => `mcp.${inCommand(server)}.${inCommand(prompt.name)}`);
  return all.map(({ server, prompt }, at) => {
    const { name, title, description, arguments: args = [] } = prompt;
    const wanted = plain[at] ?? '';
    const isOnlyOne = plain.indexOf(wanted) === plain.lastIndexOf(wanted);
    const hash = digest(JSON.stringify([server, name])).slice(0, 6);
    const short = wanted.slice(0, LONGEST_COMMAND - hash.length - 1).replace(/\p{Surrogate}$/u, '');
    return {
      command: isOnlyOne && wanted.length <= LONGEST_COMMAND ? wanted : `${short}_${hash}`,
      server,
      name,
      description: oneLine(description ?? title ?? ''),
      required: args
        .filter(({ required }) => required === true)
        .map((arg) => ({
          name: arg.name,
          ...(arg.description !== undefined && {
            description: oneLine(arg.description),
          }),
        })),
    };
  });
}

/** Maximum characters after the slash of a message. */
const LONGEST_COMMAND = 100;

/** Characters that would end a command or be invisible become a line. */
function inCommand(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, '_');
}

function resourcesOf(server: McpServer): readonly McpResource[] {
  return server.offer.resources.slice(0, limits.mcpResources).map(({ uri, name, title }) => ({
    ...{ server: server.name, uri },
    name: oneLine(title ?? name),
  }));
}

function oneLine(text: string): string {
  return firstBytes(visibleText(text).replace(/\s+/g, ' ').trim(), limits.mcpDescriptionBytes);
}

/** Matching resources, in the order of the servers' lists. */
export function completeResource(
  query: string,
  resources: readonly McpResource[],
): readonly ResourceCompletion[] {
  return resources
    .filter((each) => resourceFits(query, each) && isWritable(each))
    .slice(0, limits.completionItems)
    .map((each) => ({ type: 'resource', ...each }));
}

/** A name with misleading characters, or without a form as a mention, must be typed by hand. */
function isWritable({ server, uri }: McpResource): boolean {
  const isSeen = visibleText(server + uri) === server + uri;
  return isSeen && writeMention({ type: 'resource', server, uri }) !== undefined;
}
