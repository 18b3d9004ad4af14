import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { watchTlsFiles } from '../../../src/connection/index.ts';
import { explainError, type Logger } from '../../../src/index.ts';
import type { HttpOptions } from '../options.ts';
import { httpStartFailure } from './start-failure.ts';

export interface TlsContext {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
  readonly minVersion: 'TLSv1.2';
}

type TlsFiles = NonNullable<HttpOptions['tls']>;

/** Reads the TLS files; undefined for plain HTTP. Throws when the files cannot be used. */
export function readTls(files: HttpOptions['tls']): TlsContext | undefined {
  if (files === undefined) return undefined;
  const { certificate, key, client_authorities: authorities } = files;
  try {
    const context: TlsContext = {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      ...(authorities === undefined ? {} : { ca: readFileSync(authorities) }),
      requestCert: authorities !== undefined,
      rejectUnauthorized: authorities !== undefined,
      minVersion: 'TLSv1.2',
    };
    createSecureContext(context);
    return context;
  } catch (error) {
    throw httpStartFailure('HTTP_TLS_UNUSABLE', { reason: explainError(error) });
  }
}

/** When the certificate ends, in milliseconds since 1970. */
export function certificateEndMs({ cert }: Pick<TlsContext, 'cert'>): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

/** A collector with an expired certificate starts: somebody must be able to see what is wrong. */
export function warnOfExpiry(context: TlsContext, file: string, log: Logger, nowMs: number): void {
  const endMs = certificateEndMs(context);
  if (endMs > nowMs) return;
  log.warn(
    { file, ended: new Date(endMs).toISOString() },
    'The TLS certificate of http-api has expired: clients refuse to connect. Renew it; a new file is used without a restart.',
  );
}

/** Uses changed files for new connections. Files that cannot be used are ignored. */
export function watchTls(
  files: TlsFiles,
  server: Server,
  log: Logger,
  onRenewed: (context: TlsContext) => void,
): () => void {
  const renew = () => {
    const context = readTls(files);
    if (context === undefined) return;
    server.setSecureContext(context);
    onRenewed(context);
  };
  return watchTlsFiles([files.certificate, files.key, files.client_authorities], renew, log);
}
