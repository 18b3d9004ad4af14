import { readFileSync } from 'node:fs';
import { pathOption } from '../../kernel/plugin-options.ts';
import { type Static, Type } from '../../typebox.ts';

/** The option `tls` of what connects to others: an authority of one's own, a certificate to show. */
export const tlsSchema = Type.Object(
  {
    ca: Type.Optional(pathOption({ description: 'certificates to trust, PEM' })),
    cert: Type.Optional(pathOption({ description: 'own certificate, PEM' })),
    key: Type.Optional(pathOption({ description: 'its private key, PEM' })),
  },
  { description: 'for encrypted connections' },
);

export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** The content of the named files, as node:tls takes it. Throws when one cannot be read. */
export function readTlsFiles({ ca, cert, key }: Static<typeof tlsSchema> = {}): TlsFiles {
  return {
    ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
    ...(cert === undefined ? {} : { cert: readFileSync(cert) }),
    ...(key === undefined ? {} : { key: readFileSync(key) }),
  };
}
