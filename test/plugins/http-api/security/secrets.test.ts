import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hashToken } from '../../../../plugins/http-api/security/credentials/stored-token.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import type { EventName } from '../../../../src/index.ts';
import { until } from '../../../support/until.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { type Answer, startApi } from '../support/api-stack.ts';
import { storeCheaply } from '../support/cheap-password.ts';
import { listOperations } from '../support/description.ts';

/** Forty different secrets. They consist of letters and digits, so that escaping cannot hide one. */
const secrets = Array.from(
  { length: 40 },
  (_, i) => `canary${i}x${hashToken(`${i}`).toString('hex').slice(0, 12)}`,
);
const spare = [...secrets];
const take = (): string => spare.shift()!;
const names = { community: 'WAYWISER_TEST_CANARY_A', passphrase: 'WAYWISER_TEST_CANARY_B' };
const eventNames: readonly EventName[] = [
  'definitions.changed',
  'definitions.rejected',
  'device.added',
  'device.changed',
  'device.removed',
  'device.state',
  'discovery.started',
  'discovery.completed',
  'discovery.failed',
  'poll.completed',
  'poll.failed',
];

describe('forty secrets', () => {
  it('are in no answer, log line, event, metric and state file, plain, in hex or in base64', async (t) => {
    const [token, password] = [take(), take()];
    process.env[names.community] = take();
    process.env[names.passphrase] = take();
    const folder = new DefinitionFolder(t);
    folder.write('devices/all.yml', writeDevices());
    const { call, post, collector, settle } = await startApi(t, folder, {
      more: [{ plugin: poller }],
      logLevel: 'trace',
      api: {
        tokens: [{ name: 'ci', role: 'admin', sha256: hashToken(token).toString('hex') }],
        passwords: [{ name: 'ann', role: 'admin', scrypt: storeCheaply(password) }],
        managed_devices: { networks: ['127.0.0.0/8'] },
        wait_ms: 300,
      },
    });
    const heard: unknown[] = [];
    for (const name of eventNames) collector.events.on(name, (payload) => void heard.push(payload));
    await settle();

    const as = (text: string) => ({ authorization: text });
    const basic = (text: string) => as(`Basic ${Buffer.from(`ann:${text}`).toString('base64')}`);
    const admin = as(`Bearer ${token}`);
    const answers: Answer[] = [];
    const keep = async (answer: Promise<Answer>) => answers.push(await answer);
    const apply = '/api/v1/snmp/apply-definitions';
    for (const headers of [
      admin,
      basic(password),
      basic(take()),
      as(`Bearer ${take()}`),
      as(`Digest ${take()}`),
    ]) {
      await keep(post(`${apply}?force_rediscovery=true`, undefined, headers));
    }
    await keep(post(`${apply}?dry_run=true`, undefined, { ...admin, cookie: `session=${take()}` }));
    await keep(post(`${apply}?access_token=${take()}`, undefined, admin));
    await keep(post(`${apply}?force_rediscovery=${take()}`, undefined, admin));
    await keep(call('GET', `/api/v1/snmp/devices?password=${take()}`, { headers: admin }));
    await keep(call('GET', '/api/v1/collector', { headers: { ...admin, 'x-api-key': take() } }));
    await keep(post(apply, undefined, { 'proxy-authorization': take() }));
    const community = `\${env:${names.community}}`;
    const user = {
      username: 'operator',
      authentication_protocol: 'sha',
      authentication_passphrase: `\${env:${names.passphrase}}`,
    };
    const device = { ip: '127.0.0.1', version: '2c', communities: [community], timeout: 50, retries: 0 };
    await keep(post('/api/v1/snmp/devices', { ...device, name: 'kept', port: 12 }, admin));
    await keep(
      post(
        '/api/v1/snmp/devices',
        { ...device, name: 'kept too', port: 13, version: '3', v3_credentials: [user] },
        admin,
      ),
    );
    for (const wrong of [
      { communities: [take(), take()] },
      { communities: take() },
      { communities: [{ text: take() }] },
      { v3_credentials: [{ ...user, authentication_passphrase: take(), privacy_passphrase: take() }] },
      { v3_credentials: [{ ...user, privacy_protocol: 'aes', secret_key: take(), privacy_key: [take()] }] },
      { community: take() },
    ]) {
      await keep(post('/api/v1/snmp/devices', { ...device, name: 'refused', port: 14, ...wrong }, admin));
      assert.equal(answers.at(-1)!.status, 422);
    }
    for (const body of [`{"communities":["${take()}"`, `["${take()}"]`, `"${take()}"`]) {
      const headers = { ...admin, 'content-type': 'application/json' };
      await keep(call('POST', '/api/v1/snmp/devices', { headers, body }));
    }
    for (const port of [9, 10, 11, 12]) {
      await keep(post('/api/v1/snmp/rediscover-device?wait=true', { ip: '127.0.0.1', port }, admin));
    }
    folder.write(
      'devices/more.yml',
      `broken: { ip: 127.0.0.1, communities: [${take()}], colour: red, v3_credentials: [{ username: x, secret: ${take()} }] }\n`,
    );
    await keep(post(apply, undefined, admin));
    assert.equal(answers.at(-1)!.status, 422);

    const { body: description } = await call('GET', '/openapi.json', { headers: admin });
    for (const { method, path } of listOperations(description)) {
      if (method !== 'GET' || path === '/api/v1/events') continue;
      for (const port of ['9', '10', '12', '13']) {
        const address = path.replace('{ip}', '127.0.0.1').replace('{port}', port).replace('{id}', 'switch');
        await keep(call('GET', address, { headers: admin }));
        if (address === path) break;
      }
    }
    assert.ok(answers.some(({ text }) => text.includes('operator')) && answers.length > 40);
    assert.deepEqual(spare, [], 'all are planted');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const readState = () =>
      readdirSync(collector.stateDirectory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    await until(() => readState().some((text) => text.includes(community)));
    const files = readState();
    const places = {
      answers: answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n'),
      logs: JSON.stringify(collector.logLines),
      events: JSON.stringify(heard),
      files: files.join('\n'),
    };
    for (const [place, text] of Object.entries(places)) {
      const found = secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
      assert.deepEqual(found, [], place);
    }
  });
});

function writeDevices(): string {
  const rest = 'timeout: 50, retries: 0, device_groups: [plain]';
  return `two: { ip: 127.0.0.1, port: 9, version: 2c, communities: [${take()}, ${take()}, ${take()}], ${rest} }
three:
  { ip: 127.0.0.1, port: 10, version: '3', ${rest}, v3_credentials: [
    { username: operator, authentication_protocol: sha, authentication_passphrase: ${take()},
      privacy_protocol: aes, privacy_passphrase: ${take()}, secret_key: "${take()}", privacy_key: "${take()}" } ] }
four: { ip: 127.0.0.1, port: 11, version: 1, communities: [${Array.from({ length: 6 }, take).join(', ')}], tags: { site: lab }, ${rest} }
`;
}

/** The secret in plain text, in hex, and in base64 at each of the three possible offsets. */
function formsOf(secret: string): string[] {
  const shifted = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(before + secret).toString('base64');
    return text.slice(before === '' ? 0 : 4, -4);
  });
  const hex = Buffer.from(secret).toString('hex');
  return [secret, hex, hex.toUpperCase(), ...shifted];
}
