import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PEM files in one folder: an authority, and certificates of a server at 127.0.0.1 and of a client, signed by it. */
export interface Certificates {
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

export function makeCertificates(folder: string): Certificates {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=test authority'],
    ...['-keyout', at('ca-key.pem'), '-out', at('ca.pem')],
  );
  const sign = (name: string, extension: string) => {
    const [cert, key, request] = [at(`${name}.pem`), at(`${name}-key.pem`), at(`${name}.csr`)];
    writeFileSync(at(`${name}.ext`), `${extension}\n`);
    openssl('req', '-new', ...newKey, '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
    openssl(
      ...['x509', '-req', '-in', request, '-CA', at('ca.pem'), '-CAkey', at('ca-key.pem')],
      ...['-CAcreateserial', '-days', '2', '-extfile', at(`${name}.ext`), '-out', cert],
    );
    return { cert, key };
  };
  return {
    ca: at('ca.pem'),
    server: sign('server', 'subjectAltName=IP:127.0.0.1,DNS:localhost'),
    client: sign('client', 'extendedKeyUsage=clientAuth'),
  };
}
