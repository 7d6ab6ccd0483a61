/**
 * Runs beside a command in the sandbox and shares its isolated network. Forwards connections to a port of their loopback
 * to the socket of our proxy. Starts the command once it listens, and ends with the command's exit code or signal.
 *
 *   node site-forwarder.js SOCKET PORT PROGRAM [ARGUMENT…]
 */
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { spawnProgram } from '../processes/child-process';

/** Descriptors besides the standard ones that the command gets from `wrap-command.ts`. */
const PASSED = [3, 4, 5, 6];

const [socket = '', port = '', program = '', ...words] = process.argv.slice(2);

const server = createServer((client) => {
  const proxy = connect(socket);
  for (const end of [client, proxy]) end.on('error', () => undefined);
  client.pipe(proxy);
  proxy.pipe(client);
  client.once('close', () => proxy.destroy());
  proxy.once('close', () => client.destroy());
});

server.listen(Number(port), '127.0.0.1', () => {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const child = spawnProgram(program, words, { env, stdio: ['inherit', 'inherit', 'inherit', ...PASSED] });
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
});
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
