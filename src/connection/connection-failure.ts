import { once } from 'node:events';
import { createServer } from 'node:net';
import { defineErrors, listCauses, WaywiserError } from '../kernel/errors.ts';
import { connectionErrors } from './errors.ts';

/**
 * Makes the error for a server that an output cannot use: `connectionFailure('SERVER_FORBIDS', { server, place }, cause)`. The
 * sentence says what the operator can do. Retries go on, because the operator may correct the server meanwhile.
 */
export const connectionFailure = defineErrors(connectionErrors);

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOENT)$/;
const notTrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO$)/;
const hungUp = /^(ECONNRESET|EPIPE)$/;

/**
 * Returns SERVER_UNREACHABLE or SERVER_NOT_TRUSTED where a code of node:net or node:tls, in the error or its causes, says so;
 * otherwise the error itself. Set `handshake` while a TLS connection is being made: a server that hangs up then most likely refuses
 * the certificate, because in TLS 1.3 the reason may not arrive.
 */
export function nameConnectionFailure(
  server: string,
  error: unknown,
  { handshake = false }: { readonly handshake?: boolean } = {},
): unknown {
  if (error instanceof WaywiserError) return error;
  const codes = listCodes(error);
  if (codes.some((code) => notTrusted.test(code) || (handshake && hungUp.test(code))))
    return connectionFailure('SERVER_NOT_TRUSTED', { server }, error);
  if (codes.some((code) => unreachable.test(code)))
    return connectionFailure('SERVER_UNREACHABLE', { server }, error);
  return error;
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'no interface of this machine has the address',
  EACCES: 'this user may not open the port',
  ENOTFOUND: 'the host name cannot be resolved',
};

/** The error for a plugin whose own server cannot listen. */
export function nameListenFailure(
  plugin: string,
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = listenReasons[code] ?? (code || 'the operating system refuses it');
  return connectionFailure('HTTP_ADDRESS_UNUSABLE', { plugin, host, port, reason }, error);
}

/** Throws what `nameListenFailure` makes when a plugin could not listen now. The port is open for a moment. */
export async function checkListen(
  plugin: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening');
  } catch (error) {
    throw nameListenFailure(plugin, { host, port }, error);
  } finally {
    server.close();
  }
}

function listCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error ? [String(error.code)] : [];
  return [...own, ...listCauses(error).flatMap(listCodes)];
}
