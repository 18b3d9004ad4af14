import type { FastifyInstance } from 'fastify';
import { nameListenFailure } from '../../../src/connection/index.ts';

/** Connections that wait in the operating system. It drops more, and a client that was dropped tries again a second later. */
const backlog = 4_096;

/** Listens on the configured address. Returns its URL. If that fails, the error says what to do. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen({ host, port, backlog });
  } catch (error) {
    throw nameListenFailure('http-api', { host, port }, error);
  }
}

/** How long running requests may take after the server stops accepting new ones. */
const drainMs = 2000;

export async function stopServer(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cut);
}
