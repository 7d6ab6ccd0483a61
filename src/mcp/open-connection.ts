import {
  ProtocolError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { boundedFetch, serverFetch } from './bounded-fetch';
import { Connection } from './connection';
import type { ConnectionEvents } from './connection';
import type { ConfiguredServer, HttpDefinition, ResolvedDefinition, ResolvedProgram } from './definition';
import { ServerProblem } from './ports';
import type { McpSurroundings, ServerProcess } from './ports';
import { ProgramTransport } from './program-transport';

interface Opening<Resolved> {
  readonly server: ConfiguredServer;
  readonly resolved: Resolved;
  readonly surroundings: McpSurroundings;
  readonly events: ConnectionEvents;
  readonly signal: AbortSignal;
}

/** Connects to a server, and starts it before where it is a program. Leaves nothing behind where it rejects. */
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
    // It answers and does not know the older handshake: a server of the newer one alone.
    if (!(error instanceof ProtocolError)) throw error;
    return await startProgram(opening, 'auto');
  }
}

async function startProgram(
  { server, resolved, surroundings, events, signal }: Opening<ResolvedProgram>,
  mode: 'legacy' | 'auto',
): Promise<Connection> {
  const program = await surroundings.startProgram(resolved);
  program.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => surroundings.log(server.name, text.trimEnd()));
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

async function openHttp({
  server,
  resolved,
  surroundings,
  events,
  signal,
}: Opening<HttpDefinition>): Promise<Connection> {
  const { provider, callback } = surroundings.signIn(server, resolved.url);
  const connectOnce = async (
    transport: StreamableHTTPClientTransport,
  ): Promise<Connection | UnauthorizedError> => {
    const signIn = async (stop: AbortSignal): Promise<void> => transport.finishAuth(await callback(stop));
    const connection = new Connection({ server, surroundings, events, signIn }, 'auto');
    try {
      await connection.connect(transport, signal);
      return connection;
    } catch (error) {
      await connection.close();
      if (error instanceof UnauthorizedError) return error;
      throw error;
    }
  };
  const transportTo = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(resolved.url), {
      fetch: boundedFetch(serverFetch(surroundings.fetch, resolved), surroundings.limits),
      authProvider: provider,
    });
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
