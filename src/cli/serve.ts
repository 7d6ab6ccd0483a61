import { randomUUID } from 'node:crypto';
import { gatewayBackend } from '../agent/gateway-backend';
import { visibleText } from '../base/text';
import { gatewayRoutes } from '../gateway/routes';
import { ServedRequests } from '../gateway/served-requests';
import { openPass } from '../models/open-model';
import { GatewayServer, randomToken } from '../node/endpoint/gateway-server';
import { countTokens } from '../node/tokens';
import { findProtocol } from '../protocols';
import { untilSignalled } from './built-in';
import { clientHelp, clients } from './clients';
import { knownProtocols, readOptions, rejectWords, UsageError } from './command-line';
import { said } from './language';
import { accessTo, askedProfile, fallbackTo, profileOf } from './run-profile';

/** `parley serve`: a gateway that gives every client tool calls, whatever the model supports. Runs no tools itself. */
export async function serve(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'model-name': { type: 'string' },
    profile: { type: 'string', multiple: true },
    protocol: { type: 'string', default: 'auto' },
    port: { type: 'string', default: '0' },
    token: { type: 'string' },
    'api-key-env': { type: 'string', default: 'PARLEY_API_KEY' },
    'help-client': { type: 'string' },
  });
  rejectWords(positionals, 'Use options only.');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new UsageError(`"${values.port}" is not a port. Give --port a port number, or leave it out.`);
  if (values.token === '')
    throw new UsageError('--token is empty. Give a token, or leave it out to generate one.');
  const { 'help-client': client, token: ownToken, 'model-name': modelName } = values;
  if (client !== undefined) return helpClient(client, { port, token: ownToken, model: modelName });
  if (values.protocol !== 'auto' && !findProtocol(values.protocol)) {
    throw new UsageError(
      `there is no protocol "${values.protocol}". Use auto, or one of: ${knownProtocols()}.`,
    );
  }
  const { signal: stopped } = untilSignalled();
  const [firstFile, ...otherFiles] = values.profile ?? [];
  const wanted = profileOf({ ...values, profile: firstFile });
  const keyVariable = values['api-key-env'];
  const access = await accessTo(wanted, keyVariable);
  const others = otherFiles.map((file) => profileOf({ profile: file }));
  const fallbacks = await Promise.all(
    others.map((each) => fallbackTo(each, { first: wanted, keyVariable, signal: stopped, tell: log })),
  );
  const profile = await askedProfile(wanted, access, stopped, log);
  const served = new ServedRequests({ now: Date.now, note: log });
  const { protocol } = values;
  const backend = gatewayBackend({
    ...{ profile, access, countTokens, protocol, served, newId: randomUUID, fallbacks },
  });
  const pass = openPass(profile, access);
  const token = values.token ?? randomToken();
  const server = await GatewayServer.start({
    port,
    token,
    routes: gatewayRoutes({ ...backend, ...(pass && { pass }) }),
    onError: (error) => log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error;
    const problem = `the port ${port} is taken. Give another --port, or leave it out.`;
    throw new Error(problem, { cause: error });
  });
  process.stdout.write(`Listening on ${server.address}\n`);
  if (values.token === undefined) process.stdout.write(`Token: ${token}\n`);
  await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }));
  await server.stop();
  return 0;
}

/** For a gateway that starts with the same options, or else with these. */
function helpClient(
  name: string,
  {
    port,
    token = 'TOKEN',
    model = 'parley',
  }: { readonly port: number; readonly token: string | undefined; readonly model: string | undefined },
): number {
  const fixed = port === 0 ? USUAL_PORT : port;
  const help = clientHelp(name, { address: `http://127.0.0.1:${fixed}/v1`, token, model }, said);
  if (help === undefined) {
    const known = Object.keys(clients).join(', ');
    throw new UsageError(`there is no help for "${name}", only for ${known}.`);
  }
  const start = said(`Start the gateway with --port ${fixed} --token ${token}.`);
  process.stdout.write(`${start}\n\n${help}`);
  return 0;
}

const USUAL_PORT = 8787;

function log(sentence: string): void {
  process.stderr.write(visibleText(`${said(sentence)}\n`));
}
