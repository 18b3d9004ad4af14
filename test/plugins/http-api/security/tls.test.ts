import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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
    assert.deepEqual(await ask(baseUrl), { status: 200, subject: 'one' });

    writeFileSync(tls.key, 'no key');
    await sleep(1500);
    assert.equal((await ask(baseUrl)).subject, 'one');
    for (const end of ['crt', 'key']) copyFileSync(join(folder, `two.${end}`), join(folder, `used.${end}`));
    await until(async () => (await ask(baseUrl)).subject === 'two');
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

/** Requests the description on a new connection. */
function ask(baseUrl: string, client: object = {}): Promise<{ status: number; subject: string }> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false, ...client };
    const sent = request(`${baseUrl}/openapi.json`, options, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const { subject } = (socket as import('node:tls').TLSSocket).getPeerCertificate();
      response.resume().on('end', () => resolve({ status, subject: String(subject.CN) }));
    });
    sent.on('error', reject).end();
  });
}
