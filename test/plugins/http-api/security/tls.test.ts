import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTls, warnOfExpiry } from '../../../../plugins/http-api/security/tls-files.ts';
import { createLogger } from '../../../../src/kernel/logger.ts';
import { missingTool } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';

describe('TLS', { skip: missingTool('openssl') }, () => {
  it('serves HTTPS, reads changed files without a restart, and keeps the old ones when they are broken', async (t) => {
    const folder = makeCertificates(t, ['one', 'two']);
    for (const end of ['crt', 'key']) copyFileSync(join(folder, `one.${end}`), join(folder, `used.${end}`));
    const tls = { certificate: join(folder, 'used.crt'), key: join(folder, 'used.key') };
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { tls } });
    assert.match(baseUrl, /^https:/);
    const first = await ask(baseUrl);
    assert.deepEqual([first.status, first.subject], [200, 'one']);

    writeFileSync(tls.key, 'no key');
    await sleep(1500);
    assert.equal((await ask(baseUrl)).subject, 'one');
    for (const end of ['crt', 'key']) copyFileSync(join(folder, `two.${end}`), join(folder, `used.${end}`));
    await until(async () => (await ask(baseUrl)).subject === 'two');
  });

  it('says when the certificate ends, and keeps browsers on TLS', async (t) => {
    const folder = makeCertificates(t, ['one']);
    const tls = { certificate: join(folder, 'one.crt'), key: join(folder, 'one.key') };
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { tls } });
    const { text, headers } = await ask(baseUrl, {}, '/metrics');
    assert.equal(headers['strict-transport-security'], 'max-age=31536000');
    const end = Number(/^waywiser_http_certificate_end_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
    const left = end - Date.now() / 1000;
    assert.ok(left > 86_400 && left <= 2 * 86_400, String(end));
    const plain = await startApi(t, new DefinitionFolder(t));
    const answer = await plain.call('GET', '/metrics');
    assert.equal(answer.headers.get('strict-transport-security'), null);
    assert.doesNotMatch(answer.text, /certificate_end/);
  });

  it('warns of a certificate that has expired', (t) => {
    const folder = makeCertificates(t, ['one']);
    const certificate = join(folder, 'one.crt');
    const context = readTls({ certificate, key: join(folder, 'one.key') })!;
    const lines: string[] = [];
    const log = createLogger({
      level: 'warn',
      instance: 'test',
      destination: { write: (line) => void lines.push(line) },
    });
    warnOfExpiry(context, certificate, log, Date.now());
    assert.deepEqual(lines, []);
    warnOfExpiry(context, certificate, log, Date.now() + 3 * 86_400_000);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /has expired/);
  });

  it('accepts only clients with a certificate of a configured authority', async (t) => {
    const folder = makeCertificates(t, ['server', 'client', 'stranger']);
    const file = (name: string) => join(folder, name);
    const tls = {
      certificate: file('server.crt'),
      key: file('server.key'),
      client_authorities: file('client.crt'),
    };
    const { baseUrl } = await startApi(t, new DefinitionFolder(t), { api: { tls } });
    const pair = (name: string) => ({
      cert: readFileSync(file(`${name}.crt`)),
      key: readFileSync(file(`${name}.key`)),
    });
    assert.equal((await ask(baseUrl, pair('client'))).status, 200);
    await assert.rejects(ask(baseUrl, pair('stranger')));
    await assert.rejects(ask(baseUrl));
  });

  it('does not start with files that cannot be used', async (t) => {
    const folder = makeCertificates(t, ['one', 'two']);
    const tls = { certificate: join(folder, 'one.crt'), key: join(folder, 'two.key') };
    await assert.rejects(startApi(t, new DefinitionFolder(t), { api: { tls } }), ({ cause }: Error) => {
      assert.equal((cause as { code?: string }).code, 'HTTP_TLS_UNUSABLE');
      return true;
    });
  });
});

function makeCertificates(test: TestContext, names: readonly string[]): string {
  const folder = temporaryFolder(test);
  for (const name of names) {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)];
    execFileSync('openssl', ['req', '-x509', ...kind, '-subj', `/CN=${name}`, ...files], { stdio: 'ignore' });
  }
  return folder;
}

interface TlsAnswer {
  readonly status: number;
  readonly subject: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Requests the description, or another path, on a new connection. */
function ask(baseUrl: string, client: object = {}, path = '/openapi.json'): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false, ...client };
    const sent = request(`${baseUrl}${path}`, options, (response) => {
      const { socket, statusCode: status = 0, headers } = response;
      const { subject } = (socket as import('node:tls').TLSSocket).getPeerCertificate();
      response.toArray().then((parts) => {
        resolve({ status, subject: String(subject.CN), headers, text: Buffer.concat(parts).toString() });
      }, reject);
    });
    sent.on('error', reject).end();
  });
}
