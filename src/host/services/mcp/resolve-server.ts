import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import { isHttp } from '../../../mcp/config-file';
import type {
  ConfiguredServer,
  HttpDefinition,
  ResolvedDefinition,
  ServerDefinition,
  StdioDefinition,
} from '../../../mcp/definition';
import { ServerProblem } from '../../../mcp/ports';
import { programFolder, sourcesOf } from '../../../mcp/program-files';
import { putIn, textsOf, variablesIn } from '../../../mcp/variables';
import { isLikelyKey } from '../../../node/processes/environment';
import { findProgram, isBatchFile, isForEveryProgram } from '../../../node/processes/start-program';
import type { Secrets } from '../../platform/secrets';
import type { Inputs } from './inputs';

/** The program of a definition; nothing for a server over HTTP. Never asks. */
export async function locateServer(
  server: ConfiguredServer,
  roots: readonly string[],
): Promise<string | undefined> {
  const { definition } = server;
  if (definition.type === 'http') return undefined;
  const command = putIn(definition.command, sourcesOf(server));
  const executable = await findProgram(command, { cwd: programFolder(server, definition), roots });
  if (executable !== undefined && process.platform === 'win32' && isBatchFile(executable)) {
    const text =
      '"{0}" is a Windows shell script, which cannot be started directly. Use "node" with the script, or "cmd" with "/c" and the script.';
    throw new ServerProblem(vscode.l10n.t(text, visibleText(command)));
  }
  if (executable !== undefined) return executable;
  const text = 'The program "{0}" was not found. Install it, or fix "command".';
  throw new ServerProblem(vscode.l10n.t(text, visibleText(command)));
}

/** The address of a server, as far as it is known without asking. */
export function serverAddress(server: ConfiguredServer): string | undefined {
  const { definition } = server;
  if (definition.type !== 'http') return undefined;
  try {
    return putIn(definition.url, sourcesOf(server));
  } catch (error) {
    if (error instanceof ServerProblem) return undefined;
    throw error;
  }
}

interface ResolveParts {
  readonly inputs: Inputs;
  readonly secrets: Secrets;
}

/** Replaces variables, and asks for inputs of the user. */
export async function resolveServer(
  server: ConfiguredServer,
  executable: string | undefined,
  { inputs, secrets }: ResolveParts,
): Promise<ResolvedDefinition> {
  const { definition } = server;
  const sources = sourcesOf(server);
  const entered = await inputs.of(server);
  const put = (text: string): string => putIn(text, sources, entered);
  const resolved =
    definition.type === 'http'
      ? resolvedAddress(definition, put)
      : await resolvedProgram(server, definition, executable, put);
  for (const secret of [...putInSecrets(definition), ...secretsIn(resolved)]) secrets.learnSecret(secret);
  return resolved;
}

function resolvedAddress(definition: HttpDefinition, put: (text: string) => string): HttpDefinition {
  const url = put(definition.url);
  if (!isHttp(url)) {
    const text = 'The URL must begin with http:// or https://. Fix "url".';
    throw new ServerProblem(vscode.l10n.t(text));
  }
  return { ...definition, url, headers: withValues(definition.headers, put) };
}

async function resolvedProgram(
  server: ConfiguredServer,
  definition: StdioDefinition,
  executable: string | undefined,
  put: (text: string) => string,
): Promise<ResolvedDefinition> {
  const cwd = programFolder(server, definition);
  const isFolder = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    const text = 'The working folder {0} does not exist. Fix "cwd".';
    throw new ServerProblem(vscode.l10n.t(text, visibleText(cwd)));
  }
  return {
    type: 'stdio',
    // Only the folder of the approved definition counts as its location.
    command: putIn(definition.command, sourcesOf(server)),
    args: definition.args.map(put),
    env: withValues(definition.env, put),
    cwd,
    executable: executable ?? '',
  };
}

function withValues(
  given: Readonly<Record<string, string>>,
  put: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, put(value)]));
}

/**
 * Values from the environment are probably secrets, unless they are as short as a number or a word. Inputs of the
 * user are known already.
 */
function putInSecrets(definition: ServerDefinition): readonly string[] {
  const names = variablesIn(textsOf(definition)).filter((name) => !isForEveryProgram(name));
  return names.flatMap((name) => {
    const value = process.env[name] ?? '';
    return isLikelyKey(name, value) || value.length >= SHORTEST_VALUE ? [value] : [];
  });
}

/** Characters. */
const SHORTEST_VALUE = 8;

const SECRET_HEADER = /auth|token|key|secret|cookie/i;
/** Characters. A shorter value is a common word that logs contain anyway. */
const SHORTEST_KEY = 16;

/** Secrets in the definition itself that must not be logged. */
function secretsIn(resolved: ResolvedDefinition): readonly string[] {
  if (resolved.type === 'stdio')
    return Object.entries(resolved.env).flatMap(([name, value]) => (isLikelyKey(name, value) ? [value] : []));
  const secret = Object.entries(resolved.headers).filter(([name]) => SECRET_HEADER.test(name));
  // `Bearer KEY`: the key may appear without the word before it.
  const keys = secret.flatMap(([, value]) => [value, value.replace(/^.*\s/s, '')]);
  return keys.filter((key) => key.length >= SHORTEST_KEY);
}
