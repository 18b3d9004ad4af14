import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { explainError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { pathOption } from '../kernel/plugin-options.ts';
import { type Static, Type } from '../typebox.ts';
import { connectionFailure } from './connection-failure.ts';

/** The option `tls` of an output that connects to a server: a private authority, and a certificate to present. */
export const tlsSchema = Type.Object(
  {
    ca: Type.Optional(pathOption({ description: 'certificates to trust, PEM' })),
    cert: Type.Optional(pathOption({ description: 'client certificate, PEM' })),
    key: Type.Optional(pathOption({ description: 'private key of the client certificate, PEM' })),
  },
  { description: 'encrypts connections; the files are read again for each new connection' },
);

/** The content of the files, in the form that node:tls takes. */
export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * Reads the files that the option `tls` names, for connections to `server`, whose name appears in errors. Throws OUTPUT_TLS_FILE when
 * a file cannot be read, and OUTPUT_TLS_UNUSABLE when the files hold something else or do not belong together.
 */
export function readTlsFiles(paths: Static<typeof tlsSchema>, server: string): TlsFiles {
  const files: { -readonly [Name in keyof TlsFiles]: TlsFiles[Name] } = {};
  for (const option of ['ca', 'cert', 'key'] as const) {
    const file = paths[option];
    if (file === undefined) continue;
    try {
      files[option] = readFileSync(file);
    } catch (error) {
      throw connectionFailure('OUTPUT_TLS_FILE', { file, server, option }, error);
    }
  }
  try {
    createSecureContext(files);
  } catch (error) {
    throw connectionFailure('OUTPUT_TLS_UNUSABLE', { server, reason: explainError(error) }, error);
  }
  return files;
}

/**
 * Calls `renew` within about a second after one of the files changes, until the returned function is called. `renew` reads the files
 * again and throws when they cannot be used, for example while only one of two files has been replaced: the old ones stay in use then.
 */
export function watchTlsFiles(
  files: readonly (string | undefined)[],
  renew: () => void,
  log: Logger,
): () => void {
  const paths = files.filter((path) => path !== undefined);
  const renewOrKeep = () => {
    try {
      renew();
      log.info('The TLS files changed. New connections use the new files.');
    } catch (error) {
      log.error({ error }, 'The changed TLS files cannot be used. The old ones stay in use.');
    }
  };
  for (const path of paths) watchFile(path, { interval: 1000, persistent: false }, renewOrKeep);
  return () => {
    for (const path of paths) unwatchFile(path, renewOrKeep);
  };
}
