import type { FastifyInstance } from 'fastify';

/** How long answers under way may take once nothing new is let in. */
const drainMs = 2000;

export async function stopServer(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cut);
}
