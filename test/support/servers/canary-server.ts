import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * A port of this machine that nothing should connect to. Records what it receives; ends with the process at the
 * latest.
 */
export class CanaryServer {
  connections = 0;
  received = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CanaryServer> {
    const server = createServer((socket) => {
      canary.connections++;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        canary.received += bytes.toString('latin1');
        socket.destroy();
      });
    });
    const canary = new CanaryServer(server);
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return canary;
  }

  get origin(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}
