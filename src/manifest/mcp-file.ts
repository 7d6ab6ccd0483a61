import * as z from 'zod/mini';
import { described } from './described';
import { mcpServers } from './mcp-server';

/** What is asked for where `${input:ID}` stands. */
export const mcpInput = z.object({
  id: described(z.string().check(z.minLength(1)), 'What stands in `${input:ID}`.'),
  type: z.optional(
    described(
      z.enum(['promptString', 'pickString']),
      '`promptString` asks for a text, `pickString` offers `options`.',
    ),
  ),
  description: z.optional(described(z.string(), 'What is asked for, in a few words.')),
  default: z.optional(described(z.string(), 'Stands in the box when it opens.')),
  password: z.optional(described(z.boolean(), 'Whether what is entered is hidden.')),
  options: z.optional(described(z.array(z.string()), 'What `pickString` offers.')),
});

/** A whole `.mcp.json`. `servers` is what VS Code calls `mcpServers` in its own file. */
export const mcpFile = z.object({
  mcpServers: z.optional(mcpServers),
  servers: z.optional(mcpServers),
  inputs: z.optional(described(z.array(mcpInput), 'What is asked for where `${input:ID}` stands.')),
});

/** What the editor checks and completes `.mcp.json` by. */
export function mcpFileSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(mcpFile, { io: 'input', target: 'draft-7' });
  return { $schema, allowComments: true, allowTrailingCommas: true, ...schema };
}
