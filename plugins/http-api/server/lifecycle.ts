import type { FastifyInstance } from 'fastify';
import { nameListenFailure } from '../../../src/internal.ts';

/** Opens the address that was configured; answers with its URL. Where that cannot be, the error says what to do. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw nameListenFailure('http-api', { host, port }, error);
  }
}

/** How long answers under way may take once nothing new is let in. */
const drainMs = 2000;

export async function stopServer(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cut);
}
