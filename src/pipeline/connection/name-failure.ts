import { listCauses, WaywiserError } from '../../kernel/errors.ts';
import { connectionFailure } from './connection-failure.ts';

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOENT)$/;
const notTrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|EPROTO$)/;

/** What a failed connection means for a person, as far as the codes of node:net and node:tls tell; else the error itself. */
export function nameConnectionFailure(server: string, error: unknown): unknown {
  if (error instanceof WaywiserError) return error;
  const codes = listCodes(error);
  if (codes.some((code) => notTrusted.test(code)))
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
