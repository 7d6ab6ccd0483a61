import {
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type Transport,
} from '@modelcontextprotocol/client';
import { visibleText } from '../base/text';
import { boundedFetch, serverFetch } from './bounded-fetch';
import { Connection, type ConnectionEvents } from './connection';
import type { ConfiguredServer, HttpDefinition, ResolvedDefinition, ResolvedProgram } from './definition';
import { ServerProblem, type McpSurroundings, type ServerProcess, type SignIn } from './ports';
import { ProgramTransport } from './program-transport';

interface Opening<Resolved> {
  readonly server: ConfiguredServer;
  readonly resolved: Resolved;
  readonly surroundings: McpSurroundings;
  readonly events: ConnectionEvents;
  readonly signal: AbortSignal;
}

/** Connects to a server, and starts its program first. Leaves nothing running if it rejects. */
export function openConnection(opening: Opening<ResolvedDefinition>): Promise<Connection> {
  const { resolved } = opening;
  return resolved.type === 'http'
    ? openHttp({ ...opening, resolved })
    : openProgram({ ...opening, resolved });
}

async function openProgram(opening: Opening<ResolvedProgram>): Promise<Connection> {
  try {
    return await startProgram(opening, 'legacy');
  } catch (error) {
    // It answers but does not know the older handshake, so it supports only the newer one.
    if (!(error instanceof ProtocolError)) throw error;
    return await startProgram(opening, 'auto');
  }
}

async function startProgram(
  { server, resolved, surroundings, events, signal }: Opening<ResolvedProgram>,
  mode: 'legacy' | 'auto',
): Promise<Connection> {
  const program = await surroundings.startProgram(resolved);
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    surroundings.log(server.name, text.trimEnd());
    events.onOutput(text);
  });
  const connection = new Connection({ server, surroundings, events, program }, mode);
  const transport = new ProgramTransport(program, surroundings.limits, (reason) => {
    connection.breach = reason;
  });
  try {
    await Promise.race([connection.connect(transport, signal), endedEarly(program, connection)]);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function endedEarly(program: ServerProcess, connection: Connection): Promise<never> {
  const how = await program.ended;
  const reason = connection.breach ?? how;
  throw new ServerProblem(`It ended before it was ready: ${reason}. Look at its log.`);
}

async function openHttp(opening: Opening<HttpDefinition>): Promise<Connection> {
  const { resolved, surroundings, signal } = opening;
  const fetchFrom = boundedFetch(serverFetch(surroundings.fetch, resolved), surroundings.limits);
  const url = new URL(resolved.url);
  const { provider: authProvider, callback } = surroundings.signIn(opening.server, resolved.url);
  const options = { fetch: fetchFrom, authProvider };
  try {
    const transportTo = () => new StreamableHTTPClientTransport(url, options);
    return await openRemote(opening, { transportTo, callback, mode: 'auto' });
  } catch (error) {
    if (!resolved.mayBeSse || signal.aborted || !isRefusal(error)) throw error;
    // oxlint-disable-next-line typescript/no-deprecated -- servers that only speak it are still in use
    const transportTo = () => new SSEClientTransport(url, options);
    return await openRemote(opening, { transportTo, callback, mode: 'legacy' });
  }
}

/** The server answers, but not in the way of Streamable HTTP. */
function isRefusal(error: unknown): boolean {
  return error instanceof SdkHttpError || networkCode(error) === undefined;
}

/** Connects, and signs in first if the server requires that. */
async function openRemote(
  { server, surroundings, events, signal }: Opening<HttpDefinition>,
  { transportTo, callback, mode }: Remote,
): Promise<Connection> {
  const connectOnce = async (transport: RemoteTransport): Promise<Connection | UnauthorizedError> => {
    const signIn = async (stop: AbortSignal): Promise<void> => transport.finishAuth(await callback(stop));
    const ends = transport instanceof StreamableHTTPClientTransport && {
      endSession: () => transport.terminateSession(),
    };
    const connection = new Connection({ server, surroundings, events, signIn, ...ends }, mode);
    try {
      await connection.connect(transport, signal);
      return connection;
    } catch (error) {
      await connection.close();
      if (error instanceof UnauthorizedError) return error;
      throw error;
    }
  };
  const transport = transportTo();
  const first = await connectOnce(transport);
  if (first instanceof Connection) return first;
  events.onSigningIn();
  const brought = await callback(signal);
  events.onSignedIn();
  await transport.finishAuth(brought);
  const second = await connectOnce(transportTo());
  if (second instanceof Connection) return second;
  throw second;
}

type RemoteTransport = Transport & Pick<StreamableHTTPClientTransport, 'finishAuth'>;

interface Remote extends Pick<SignIn, 'callback'> {
  readonly transportTo: () => RemoteTransport;
  readonly mode: 'legacy' | 'auto';
}

/** Maximum characters shown of an error. */
const MOST_SAID = 300;

export function problemOf(error: unknown): string {
  if (error instanceof ServerProblem) return error.message;
  const code = networkCode(error);
  if (code !== undefined) {
    const problem = `The server could not be reached (${code}). Check that it runs and its address is right, then restart it.`;
    return problem;
  }
  const whole = error instanceof Error ? error.message : String(error);
  const said = visibleText(whole.slice(0, MOST_SAID).replace(/\s+/g, ' ').trim());
  const problem = `The server could not be started: ${said}. See its log.`;
  return problem;
}

/** `ECONNREFUSED`, `ENOTFOUND`: from the innermost cause of an error. */
function networkCode(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ('code' in at && typeof at.code === 'string' && /^(?:E[A-Z]{4,}|UND_ERR_\w+|CERT_\w+)$/.test(at.code))
      return at.code;
  }
  return undefined;
}
