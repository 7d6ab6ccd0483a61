import type * as z from 'zod/mini';
import type { JsonObject } from '../base/json';
import type { mcpInput } from '../manifest/mcp';

/** How a server is reached, as written in `.mcp.json` or `parley.mcp.servers`; variables are not replaced yet. */
export type ServerDefinition = StdioDefinition | HttpDefinition;

/** A program started here, used over its standard input and output. */
export interface StdioDefinition {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Default: the folder of the definition. */
  readonly cwd?: string;
}

/** Streamable HTTP, or its predecessor. */
export interface HttpDefinition {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The server may speak only the protocol of 2024, with server-sent events. */
  readonly mayBeSse?: true;
  /** The client that the user registered with the site, for sites that accept no new ones. */
  readonly oauth?: { readonly clientId: string };
}

/** An input, asked for where `${input:ID}` occurs. */
export type Input = z.output<typeof mcpInput>;

/** A server and the source of its definition. */
export interface ConfiguredServer {
  /** As written; unique in a window. */
  readonly name: string;
  readonly definition: ServerDefinition;
  /** `user`: the user's settings. `workspace`: the `.mcp.json` of a folder, which anyone may have written. */
  readonly scope: 'user' | 'workspace';
  /** Value of `${workspaceFolder}` and folder of the program: absolute. Absent if no folder is open. */
  readonly folder?: string;
  /** Inputs, each once; absent if there are none. */
  readonly inputs?: readonly Input[];
  readonly options?: ServerOptions;
}

/** How a server is used. No part of what is approved. */
export interface ServerOptions {
  /** Longest time without activity in a call. */
  readonly callTimeoutMs?: number;
  readonly startTimeoutMs?: number;
  /** It is not started by itself. */
  readonly isDisabled?: true;
  /** What is wrong or unknown in its entry, in sentences for its log. */
  readonly remarks?: readonly string[];
}

/** A definition with variables and inputs replaced: what actually runs. */
export type ResolvedDefinition = ResolvedProgram | HttpDefinition;

export interface ResolvedProgram extends StdioDefinition {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute path of the program, links resolved. */
  readonly executable: string;
}

/** A file of a program: its executable, or one named in the definition. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of its content. */
  readonly sha256: string;
}

/**
 * What an approval binds to: the canonical definition, its program, and the content of its files. Excludes values of
 * variables, which may be secret and are set by the user.
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
      ? {
          type: definition.mayBeSse ? 'sse' : type,
          url: definition.url,
          headers: sorted(definition.headers),
          ...(definition.oauth && { oauth: { clientId: definition.oauth.clientId } }),
        }
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

/** The words of an input could trick the user into entering something else. */
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
