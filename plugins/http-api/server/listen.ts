import type { FastifyInstance } from 'fastify';
import { httpStartFailure } from '../security/start-failure.ts';

/** Opens the address that was configured; answers with its URL. Where that cannot be, the error says what to do. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = reasons[code] ?? (code || 'the system refuses it');
    throw httpStartFailure('HTTP_ADDRESS_UNUSABLE', { host, port, reason }, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'no interface of this machine has the address',
  EACCES: 'this user may not open the port',
  ENOTFOUND: 'nobody knows the name',
};
