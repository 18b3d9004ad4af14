import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPoster } from '../../../../plugins/outputs/http/service.ts';
import { missingTool } from '../../../support/needs.ts';

const openssl = 'openssl';

/** Takes a body only of a client whose certificate it trusts: its own. */
async function startStrictServer() {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync(openssl, ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const certificate = readFileSync(cert);
  const bodies: string[] = [];
  const settings = { cert: certificate, key: readFileSync(key), ca: certificate, requestCert: true };
  const server = createServer(settings, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    bodies,
    cert,
    key,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

describe('posting over TLS', { skip: missingTool(openssl) }, () => {
  it('trusts its own authority, shows its own certificate, and sends nothing without either', async () => {
    await using server = await startStrictServer();
    const { url, cert, key } = server;
    const postWith = async (tls: { ca?: string; cert?: string; key?: string }) => {
      const poster = createPoster({ url, headers: {}, secret_headers: {}, timeout_ms: 5_000, tls });
      try {
        const post = { body: Buffer.from('body'), contentType: 'text/plain' };
        await poster.post(post, new AbortController().signal);
      } finally {
        poster.close();
      }
    };
    await assert.rejects(postWith({}), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await assert.rejects(postWith({ ca: cert }));
    assert.deepEqual(server.bodies, []);
    await postWith({ ca: cert, cert, key });
    assert.deepEqual(server.bodies, ['body']);
  });
});
