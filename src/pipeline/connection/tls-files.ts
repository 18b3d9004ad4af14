import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { explainError } from '../../kernel/errors.ts';
import { pathOption } from '../../kernel/plugin-options.ts';
import { type Static, Type } from '../../typebox.ts';
import { connectionFailure } from './connection-failure.ts';

/** The option `tls` of what connects to others: an authority of one's own, a certificate to show. */
export const tlsSchema = Type.Object(
  {
    ca: Type.Optional(pathOption({ description: 'certificates to trust, PEM' })),
    cert: Type.Optional(pathOption({ description: 'own certificate, PEM' })),
    key: Type.Optional(pathOption({ description: 'its private key, PEM' })),
  },
  { description: 'for encrypted connections; the files are read again for each new one' },
);

/** As node:tls takes them. */
export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * The content of the named files, as node:tls takes it, for the connection with `server`. Throws OUTPUT_TLS_FILE when one cannot be
 * read, and OUTPUT_TLS_UNUSABLE when they hold something else or do not belong together.
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
