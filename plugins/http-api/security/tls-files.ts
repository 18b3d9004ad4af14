import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { explainError, type Logger } from '../../../src/index.ts';
import { watchTlsFiles } from '../../../src/internal.ts';
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

/** Uses changed files for new connections. Files that cannot be used are ignored. */
export function watchTls(files: TlsFiles, server: Server, log: Logger): () => void {
  const renew = () => {
    const context = readTls(files);
    if (context !== undefined) server.setSecureContext(context);
  };
  return watchTlsFiles([files.certificate, files.key, files.client_authorities], renew, log);
}
