import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';

/** A proxy before etcd that holds the next reply to one path, so that those to later requests overtake it. */
export class SlowReplies {
  held = 0;
  readonly #server: Server;
  #path = '';
  #released = Promise.resolve();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(test: { after(run: () => unknown): void }, etcd: string): Promise<SlowReplies> {
    const server = createServer((asked, answer) => {
      const { method, url: path = '', headers } = asked;
      const passed = request(new URL(path, etcd), { method, headers }, async (reply) => {
        if (path === slow.#path) {
          slow.#path = '';
          slow.held++;
          await slow.#released;
        }
        answer.writeHead(reply.statusCode ?? 502, reply.headers).flushHeaders();
        reply.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
    });
    const slow = new SlowReplies(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    test.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return slow;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** Returns what lets the reply pass. */
  hold(path: string): () => void {
    let release = () => {};
    this.#released = new Promise((resolve) => (release = resolve));
    this.#path = path;
    return () => {
      this.#path = '';
      release();
    };
  }
}
