import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * A port of this machine that nothing should connect to. Records what it receives; ends with the process at the
 * latest.
 */
export class Tripwire {
  connections = 0;
  received = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Tripwire> {
    const server = createServer((socket) => {
      tripwire.connections++;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        tripwire.received += bytes.toString('latin1');
        socket.destroy();
      });
    });
    const tripwire = new Tripwire(server);
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return tripwire;
  }

  get origin(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}
