import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The connection of one member to etcd: a TCP proxy that a test can cut. */
export class EtcdLink {
  readonly #server: Server;
  #port: number;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
  }

  static async start(test: { after(run: () => unknown): void }, etcd: string): Promise<EtcdLink> {
    const server = createServer();
    const link = new EtcdLink(server, Number(new URL(etcd).port));
    server.on('connection', (socket) => link.#forward(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    test.after(() => {
      link.#endAll();
      server.close();
    });
    return link;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Nothing passes from now on, as when a cable is pulled: connections stay open and are silent. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was under way is lost. With `newOnly` the old connections stay open and silent, as behind a firewall that was restarted. */
  connect({ newOnly = false } = {}): void {
    this.#isCut = false;
    if (!newOnly) this.#endAll();
  }

  /** Leads to another etcd from now on. */
  lead(etcd: string): void {
    this.#port = Number(new URL(etcd).port);
    this.#endAll();
  }

  #forward(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (data) => {
        if (!this.#isCut) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!this.#isCut) to.destroy();
      });
      if (this.#isCut) from.pause();
    }
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
