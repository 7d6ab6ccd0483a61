import { execFileSync } from 'node:child_process';
import dgram from 'node:dgram';
import net, { type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { python, saysSo, type Escape } from './escape';
import { startHelper } from './helper-processes';
import type { World } from './world';

const heard = (world: World): boolean => world.heard.includes('hello');

/** Connections to servers on this machine. */
export const talk: readonly Escape[] = [
  ...['127.0.0.1', '::1', ...ownAddresses()].map((host): Escape => ({
    name: `connect to a server on ${/^(?:127|::1)/u.test(host) ? host : 'an address of this machine'}`,
    prepare: (world) => listen(world, { host, port: 0 }),
    attempt: ({ address }) =>
      python(`
connection = socket.create_connection(('${host}', ${address}), 1)
connection.sendall(b'hello'); connection.shutdown(1); connection.recv(1)`),
    succeeded: heard,
    ...(host === '::1' && { needs: 'IPv6' }),
  })),
  {
    name: 'send to a server over UDP',
    prepare: listenForDatagrams,
    attempt: ({ address }) =>
      python(`
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.settimeout(1)
server.sendto(b'hello', ('127.0.0.1', ${address})); server.recv(1)`),
    succeeded: heard,
  },
  {
    name: 'ask a server for a name',
    prepare: listenForDatagrams,
    attempt: ({ address }) =>
      python(`
question = b'\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\5hello\\4test\\0\\0\\1\\0\\1'
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.settimeout(1)
server.connect(('127.0.0.1', ${address})); server.send(question); server.recv(1)`),
    succeeded: heard,
  },
  ...[
    {
      name: 'connect to a socket in the workspace',
      at: ({ workspace }: World) => path.join(workspace, 's.sock'),
    },
    {
      name: "connect to a socket named like Docker's",
      at: ({ home }: World) => path.join(home, 'docker.sock'),
    },
  ].map(({ name, at }): Escape => ({
    name,
    prepare: (world) => listen(world, { path: at(world) }),
    attempt: (world) =>
      python(`
connection = socket.socket(socket.AF_UNIX); connection.settimeout(1)
connection.connect(${JSON.stringify(at(world))}); connection.sendall(b'hello'); connection.shutdown(1); connection.recv(1)`),
    succeeded: heard,
  })),
  ...['SSH_AUTH_SOCK', 'VSCODE_IPC_HOOK_CLI', 'DBUS_SESSION_BUS_ADDRESS'].map((variable): Escape => ({
    name: `connect to the socket that ${variable} names`,
    prepare: async (world) => {
      const socket = path.join(world.workspace, 'named.sock');
      await listen(world, { path: socket });
      const before = process.env[variable];
      process.env[variable] = socket;
      world.after(() => {
        if (before === undefined) Reflect.deleteProperty(process.env, variable);
        else process.env[variable] = before;
      });
    },
    attempt: () =>
      python(`
connection = socket.socket(socket.AF_UNIX); connection.settimeout(1)
connection.connect(os.environ.get('${variable}', 'named.sock')); connection.sendall(b'hello'); connection.shutdown(1); connection.recv(1)`),
    succeeded: heard,
  })),
  {
    name: 'connect to an abstract socket',
    prepare: (world) =>
      startListener(
        world,
        `
server = socket.socket(socket.AF_UNIX); server.bind('\\0parley-escapes-${process.pid}'); server.listen()
print('up', flush=True)
print(server.accept()[0].recv(9).decode(), flush=True)`,
      ),
    attempt: () =>
      `${python(`
connection = socket.socket(socket.AF_UNIX)
connection.connect('\\0parley-escapes-${process.pid}'); connection.sendall(b'hello')`)}\nsleep 0.1`,
    succeeded: heard,
  },
  ...[
    { name: 'send a datagram to a socket', made: 'socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)' },
    {
      name: 'send a datagram to a socket from one end of a pair',
      made: 'socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]',
    },
  ].map(({ name, made }): Escape => ({
    name,
    prepare: (world) =>
      startListener(
        world,
        `
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); server.bind('d.sock')
print('up', flush=True)
print(server.recv(9).decode(), flush=True)`,
      ),
    attempt: () => `${python(`${made}.sendto(b'hello', 'd.sock')`)}\nsleep 0.1`,
    succeeded: heard,
  })),
  ...[
    {
      name: 'a virtual machine',
      script: 'socket.socket(40, socket.SOCK_STREAM)',
      needs: 'a kernel with vsock',
    },
    { name: 'events of the kernel', script: 'socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)' },
    {
      name: 'the audit log',
      script: 'socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9)',
      needs: 'a kernel with audit',
    },
    {
      name: 'ciphers of the kernel',
      script: 'socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)',
      needs: 'a kernel with ciphers for programs',
    },
    { name: 'bluetooth', script: 'socket.socket(31, socket.SOCK_RAW, 1)', needs: 'a kernel with bluetooth' },
    { name: 'packets', script: 'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)', isRoots: true },
    { name: 'unix sockets', script: 'socket.socket(socket.AF_UNIX)' },
  ].map(({ name, script, ...row }): Escape => ({
    ...row,
    name: `open a socket for ${name}`,
    attempt: () => python(`${script}; done()`),
    succeeded: saysSo,
  })),
  {
    name: 'accept a connection from outside',
    prepare: async (world) => {
      const port = await freePort();
      world.address = String(port);
      const knock = setInterval(() => {
        const connection = net.connect({ host: '127.0.0.1', port });
        connection.once('connect', () => (world.heard += 'hello'));
        connection.on('error', () => undefined);
        connection.once('connect', () => connection.destroy());
      }, 20);
      world.after(() => clearInterval(knock));
    },
    attempt: ({ address }) =>
      python(`
server = socket.create_server(('127.0.0.1', ${address})); server.settimeout(0.5); server.accept()`),
    succeeded: heard,
  },
  {
    name: 'write to a terminal outside',
    prepare: (world) =>
      startListener(
        world,
        `
import pty
ours, theirs = pty.openpty()
print(os.ttyname(theirs), flush=True)
while True: print(os.read(ours, 99).decode(), flush=True)`,
      ),
    attempt: ({ address }) => `echo hello > ${address}; sleep 0.1`,
    succeeded: heard,
  },
  ...[
    { name: 'write into a named pipe outside', settings: () => ({}) },
    {
      name: 'write into a named pipe below a folder that it may read',
      settings: ({ outside }: World) => ({ readPaths: [outside] }),
    },
  ].map(({ name, settings }): Escape => ({
    name,
    settings,
    prepare: async (world) => {
      const pipe = path.join(world.outside, 'pipe');
      execFileSync('mkfifo', [pipe]);
      await startListener(
        world,
        `
pipe = os.open(${JSON.stringify(pipe)}, os.O_RDWR)
print('up', flush=True)
print(os.read(pipe, 9).decode(), flush=True)`,
      );
    },
    attempt: ({ outside }) => `timeout 1 sh -c 'echo hello > ${outside}/pipe'; sleep 0.1`,
    succeeded: heard,
  })),
];

/** Addresses at which other machines reach this machine. */
function ownAddresses(): readonly string[] {
  const found = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
  return found
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)
    .slice(0, 1);
}

/** A server that records what it receives; `world.address` is its port. */
async function listen(world: World, at: { host: string; port: number } | { path: string }): Promise<void> {
  const server: Server = net.createServer((connection) => {
    connection.on('error', () => undefined);
    connection.on('data', (chunk) => {
      world.heard += String(chunk);
      connection.end('x');
    });
  });
  world.after(() => new Promise((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
  const address = server.address();
  if (typeof address === 'object' && address) world.address = String(address.port);
}

/** A program for `python3` that prints one line when it listens, and then what it receives. */
async function startListener(world: World, script: string): Promise<void> {
  const helper = await startHelper(world, ['python3', '-c', `import os, socket\n${script}`]);
  world.address = helper.said;
  helper.stdout?.on('data', (chunk) => (world.heard += String(chunk)));
}

async function listenForDatagrams(world: World): Promise<void> {
  const server = dgram.createSocket('udp4');
  server.on('message', (message, { port, address }) => {
    world.heard += message.toString('latin1');
    server.send('x', port, address);
  });
  world.after(() => new Promise((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  world.address = String(server.address().port);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
