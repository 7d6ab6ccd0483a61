import * as z from 'zod/mini';
import { described } from './schema-parts';

const text = z.string().check(z.minLength(1));

/**
 * One server in the shared format. Other fields belong to other agents and are named in the server's log. Combinations of fields are
 * checked when the server is loaded, so that one error does not affect the others.
 */
export const mcpServer = z.object({
  type: z.optional(
    described(
      z.enum(['stdio', 'http', 'streamable-http', 'sse']),
      '`stdio` starts a program (`command`), `http` connects to a Streamable HTTP server (`url`), `sse` also to an older one. Optional.',
      { enum: ['stdio', 'http', 'sse'] },
    ),
  ),
  command: z.optional(
    described(
      z.clone(text),
      'The program: a path, or a name that is looked up in the PATH outside the workspace.',
    ),
  ),
  args: z.optional(described(z.array(z.string()), 'Arguments of the program, one per item.')),
  env: z.optional(
    described(
      z.record(z.string(), z.union([z.string(), z.number()], 'use a text or a number')),
      'Environment variables, added to a minimal environment. `${input:ID}` in a value is asked for once and stored in the secret storage.',
    ),
  ),
  cwd: z.optional(
    described(
      z.clone(text),
      'Working folder of the program. Default: the folder of this file, or your home folder for servers in your settings.',
    ),
  ),
  url: z.optional(described(z.clone(text), 'URL of an HTTP server, usually ending in `/mcp`.')),
  headers: z.optional(
    described(
      z.record(z.string(), z.string()),
      'Sent with every request. `${input:ID}` in a value is asked for once and stored in the secret storage.',
    ),
  ),
  oauth: z.optional(
    described(
      z.object({ clientId: described(z.clone(text), 'The ID of the client.') }),
      'The client that you registered with the site, if it does not register new clients by itself.',
    ),
  ),
  disabled: z.optional(described(z.boolean(), 'Whether the server is not started by itself.')),
  timeout: z.optional(
    described(
      z.number().check(z.positive()),
      'Seconds without activity after which a call is given up. 1,000 and more are read as milliseconds. Default: 60.',
    ),
  ),
  startupTimeout: z.optional(
    described(
      z.number().check(z.positive()),
      'Seconds after which a start is given up. 1,000 and more are read as milliseconds. Default: 30, and 600 for the first start of npx, uvx or docker.',
    ),
  ),
});

/** Spellings of other agents. */
export const mcpServerAliases: Readonly<Record<string, string>> = {
  tool_timeout_sec: 'timeout',
  startup_timeout_sec: 'startupTimeout',
};

export const mcpServers = described(
  z.record(z.string(), mcpServer),
  'The servers, by a name of your choice.',
  {
    defaultSnippets: [
      {
        label: 'Program',
        body: { '${1:name}': { command: '${2:npx}', args: ['${3:-y}', '${4:package}'] } },
      },
      { label: 'HTTP', body: { '${1:name}': { type: 'http', url: '${2:https://example.com/mcp}' } } },
    ],
  },
);

/** An input, asked for where `${input:ID}` occurs. */
export const mcpInput = z.object({
  id: described(z.string().check(z.minLength(1)), 'The ID in `${input:ID}`.'),
  type: z.optional(
    described(
      z.enum(['promptString', 'pickString']),
      '`promptString` asks for a text, `pickString` offers `options`.',
    ),
  ),
  description: z.optional(described(z.string(), 'What is asked for, in a few words.')),
  default: z.optional(described(z.string(), 'The initial text of the box.')),
  password: z.optional(described(z.boolean(), 'Whether what is entered is hidden.')),
  options: z.optional(described(z.array(z.string()), 'What `pickString` offers.')),
});

/** A whole `.mcp.json`. `servers` is what VS Code calls `mcpServers` in its own file. */
const mcpFile = z.object({
  mcpServers: z.optional(mcpServers),
  servers: z.optional(mcpServers),
  inputs: z.optional(described(z.array(mcpInput), 'Values that `${input:ID}` asks for.')),
});

/** Schema for validation and completion of `.mcp.json`. */
export function mcpFileSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(mcpFile, { io: 'input', target: 'draft-7' });
  return { $schema, allowComments: true, allowTrailingCommas: true, ...schema };
}
