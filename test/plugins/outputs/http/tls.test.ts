import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import http from '../../../../plugins/outputs/http/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { runOutput } from '../support/running-output.ts';

/** The certificate of the server, and which clients it accepts. */
function settingsOf({ ca, server: { cert, key } }: Certificates) {
  return { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca), requestCert: true };
}

/** Accepts a body only from a client of its authority, and records the serial number of the client certificate. */
async function startStrictServer() {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-tls-'));
  const makeFolder = (name: string) => {
    mkdirSync(join(folder, name));
    return makeCertificates(join(folder, name));
  };
  const first = makeFolder('first');
  const serials: string[] = [];
  const server = createServer(settingsOf(first), async (request, response) => {
    for await (const _ of request);
    serials.push((request.socket as TLSSocket).getPeerCertificate().serialNumber);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    folder,
    first,
    serials,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    makeFolder,
    trustOnly: (certificates: Certificates) => server.setSecureContext(settingsOf(certificates)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

describe('posting over TLS', { skip: missingTool('openssl') }, () => {
  it('uses its own authority and client certificate, and sends nothing without them', async () => {
    await using server = await startStrictServer();
    const { ca, client } = server.first;
    const denials = [
      [{}, /^No encrypted connection to https:\/\/127\.0\.0\.1:\d+ could be made.*self-signed certificate/],
      [{ ca }, /certificate required|ECONNRESET|EPIPE/],
    ] as const;
    for (const [tls, reason] of denials) {
      await using output = await runOutput(
        http,
        { url: server.url, tls },
        { delivery: { stall_after_ms: 0 } },
      );
      output.push(createTestBatch());
      await output.until(() => output.stalls.length > 0);
      assert.match(output.stalls[0]!, reason);
    }
    assert.deepEqual(server.serials, []);
    await using output = await runOutput(http, { url: server.url, tls: { ca, ...client } });
    await output.deliver(createTestBatch());
    assert.equal(server.serials.length, 1);
  });

  it('uses renewed certificates without a restart, and the old ones until then', async () => {
    await using server = await startStrictServer();
    const second = server.makeFolder('second');
    const used = (name: string) => join(server.folder, name);
    const tls = { ca: used('ca'), cert: used('cert'), key: used('key') };
    const place = ({ ca, client }: Certificates) => {
      copyFileSync(ca, tls.ca);
      copyFileSync(client.cert, tls.cert);
      copyFileSync(client.key, tls.key);
    };
    place(server.first);
    await using output = await runOutput(http, { url: server.url, tls });
    await output.deliver(createTestBatch());

    writeFileSync(tls.key, 'no key');
    await output.until(() => output.logText.includes('The old ones stay in use'));
    await output.deliver(createTestBatch());
    assert.equal(output.counters.retries, 0);

    server.trustOnly(second);
    place(second);
    await output.until(() => output.logText.includes('New connections use the new files'));
    await output.deliver(createTestBatch());
    const [before, meanwhile, after] = server.serials;
    assert.equal(meanwhile, before);
    assert.notEqual(after, before);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [3, 0]);
  });
});
