import type * as z from 'zod/mini';
import type { JsonObject } from '../base/json';
import type { mcpInput } from '../manifest/mcp';

/** How a server is reached, as it stands in `.mcp.json` or in `parley.mcp.servers`; variables are not yet put in. */
export type ServerDefinition = StdioDefinition | HttpDefinition;

/** A program that is started here and spoken to over its standard input and output. */
export interface StdioDefinition {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder that the definition belongs to if not given. */
  readonly cwd?: string;
}

/** Streamable HTTP. */
export interface HttpDefinition {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is asked for where `${input:ID}` stands. */
export type Input = z.output<typeof mcpInput>;

/** A server that is asked for once, and where that is written. */
export interface ConfiguredServer {
  /** As it is written; no two servers of a window have the same. */
  readonly name: string;
  readonly definition: ServerDefinition;
  /** `user`: the user's settings. `workspace`: the `.mcp.json` of a folder, which may be anybody's. */
  readonly scope: 'user' | 'workspace';
  /** What `${workspaceFolder}` stands for, and where a program runs: absolute. Absent where no folder is open. */
  readonly folder?: string;
  /** What the user has to enter for it, each once; absent where that is nothing. */
  readonly inputs?: readonly Input[];
}

/** A definition with everything that stands for something else put in: what really runs. */
export type ResolvedDefinition = ResolvedProgram | HttpDefinition;

export interface ResolvedProgram extends StdioDefinition {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute path of the program, links resolved. */
  readonly executable: string;
}

/** A file of a program: its executable, or one that the definition names. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of its content. */
  readonly sha256: string;
}

/**
 * What an approval binds to: the definition as it is written, in one spelling, the program that it leads to, and the content of
 * its files. A value that a variable stands for is no part of it: it may be a secret, and it is the user's own.
 */
export function canonicalDefinition(
  { name, definition, scope, folder, inputs }: ConfiguredServer,
  executable?: string,
  files: readonly NamedFile[] = [],
): string {
  const { type } = definition;
  const place: JsonObject = { name, scope, folder: folder ?? null, executable: executable ?? null };
  const what: JsonObject =
    type === 'http'
      ? { type, url: definition.url, headers: sorted(definition.headers) }
      : {
          type,
          command: definition.command,
          args: definition.args,
          env: sorted(definition.env),
          cwd: definition.cwd ?? null,
        };
  const asked: JsonObject = inputs ? { inputs: inputs.map(askedFor) } : {};
  const content: JsonObject =
    files.length > 0 ? { files: files.map(({ path, sha256 }) => ({ path, sha256 })) } : {};
  return JSON.stringify({ ...place, ...what, ...asked, ...content }, undefined, 2);
}

/** The words, and so whoever wrote them, can lead the user to enter something else. */
function askedFor({ id, type, description, default: given, password, options }: Input): JsonObject {
  return {
    id,
    type: type ?? null,
    description: description ?? null,
    default: given ?? null,
    password: password ?? null,
    options: options ?? null,
  };
}

function sorted(record: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
