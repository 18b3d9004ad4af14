import { listCauses, WaywiserError } from '../../kernel/errors.ts';
import { connectionFailure } from './connection-failure.ts';

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOENT)$/;
const notTrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO$)/;
const hungUp = /^(ECONNRESET|EPIPE)$/;

/**
 * What a failed connection means for a person, as far as the codes of node:net and node:tls tell; else the error itself. A server
 * that hangs up in a `handshake` of TLS most likely refuses the certificate: in TLS 1.3 its reason may be lost on the way.
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

function listCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error ? [String(error.code)] : [];
  return [...own, ...listCauses(error).flatMap(listCodes)];
}
