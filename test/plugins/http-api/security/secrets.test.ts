import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startApi } from '../support/api-stack.ts';

const canaries = [
  'canary-community',
  'canary-passphrase',
  'canary-privacy',
  '0xcafe0123canary',
  'canary-bearer',
];
const forms = canaries.flatMap((text) => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
]);

describe('secrets', () => {
  it('are in no answer, no log line and no event', async (t) => {
    const folder = new DefinitionFolder(t);
    folder.write(
      'devices/all.yml',
      `two: { ip: 127.0.0.1, port: 9, version: 2c, communities: [canary-community], timeout: 50, retries: 0, device_groups: [plain] }
three:
  ip: 127.0.0.1
  port: 10
  version: '3'
  timeout: 50
  retries: 0
  device_groups: [plain]
  v3_credentials:
    - username: operator
      authentication_protocol: sha
      authentication_passphrase: canary-passphrase
      privacy_protocol: aes
      privacy_passphrase: canary-privacy
      secret_key: "0xcafe0123canary"
`,
    );
    const { call, post, collector, settle } = await startApi(t, folder);
    const heard: unknown[] = [];
    for (const name of ['definitions.changed', 'definitions.rejected', 'discovery.failed'] as const) {
      collector.events.on(name, (payload) => void heard.push(payload));
    }
    await settle();
    const headers = { authorization: 'Bearer canary-bearer' };
    const apply = '/api/v1/snmp/apply-definitions?force_rediscovery=true';
    const answers = [
      await post(apply, undefined, headers),
      await post(`${apply}&dry_run=true`),
      await post('/api/v1/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port: 9 }, headers),
      await post('/api/v1/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port: 10 }),
      await post('/api/v1/snmp/rediscover-device', { ip: '127.0.0.1', port: 11 }),
    ];
    const paths = [
      'devices',
      'devices/127.0.0.1/9',
      'devices/127.0.0.1/10',
      'definitions',
      'generations',
      'discoveries',
    ];
    for (const path of paths) answers.push(await call('GET', `/api/v1/snmp/${path}`, { headers }));
    answers.push(await call('GET', '/api/v1/collector'), await call('GET', '/openapi.json'));
    folder.write(
      'devices/more.yml',
      'broken: { ip: 127.0.0.1, communities: [canary-community], colour: red }\n',
    );
    answers.push(await post(apply));
    assert.equal(answers.at(-1)!.status, 422);
    assert.ok(answers.every(({ status }) => status < 500));
    assert.ok(answers.some(({ text }) => text.includes('operator')));
    const everything = JSON.stringify([answers.map(({ text }) => text), collector.logLines, heard]);
    assert.deepEqual(
      forms.filter((form) => everything.includes(form)),
      [],
    );
  });
});
