import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { explainError } from '../../../../src/index.ts';
import { startReplayAgent } from '../../../../src/testing/index.ts';
import { type ApiStackOptions, startApi } from '../../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';

const path = '/api/v1/snmp/devices';
const reference = '${env:WAYWISER_TEST_MANAGED}';
const settings = { version: '2c', communities: [reference], device_groups: ['plain'], timeout: 300 };

async function start(
  test: TestContext,
  api: ApiStackOptions['api'] = { managed_devices: { networks: ['127.0.0.0/8'] } },
) {
  process.env['WAYWISER_TEST_MANAGED'] = 'public';
  const folder = new DefinitionFolder(test);
  folder.writeDevices([{ name: 'filed', port: 7, groups: 'device_groups: [plain], enabled: false' }]);
  const stack = await startApi(test, folder, { api });
  const events: string[] = [];
  for (const name of ['device.added', 'device.changed', 'device.removed'] as const) {
    stack.collector.events.on(name, ({ device }) => void events.push(`${name} ${device.name}`));
  }
  const send = (method: string, at: string, body?: unknown) =>
    stack.call(method, path + at, {
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  return { ...stack, folder, events, send };
}

describe('devices of the API', { concurrency: 2 }, () => {
  it('are added, discovered, replaced and removed while the collector runs', async (t) => {
    const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    t.after(() => agent.close());
    const { send, events, settle, collector } = await start(t);
    const at = `/127.0.0.1/${agent.port}`;
    const added = await send('POST', '', { name: 'one', ip: '127.0.0.1', port: agent.port, ...settings });
    assert.equal(added.status, 201, added.text);
    assert.equal(added.headers.get('location'), `${path}${at}`);
    assert.deepEqual(added.body.warnings, []);
    await settle();
    const shown = await send('GET', at);
    assert.equal(shown.body.name, 'one');
    assert.ok(shown.body.inventory.instances > 0);
    assert.deepEqual(shown.body.settings.communities.value, ['***']);
    assert.doesNotMatch(shown.text + added.text, /WAYWISER_TEST_MANAGED/);

    const replaced = await send('PUT', at, { name: 'uno', ...settings, retries: 1 });
    assert.equal(replaced.status, 200, replaced.text);
    assert.equal((await send('GET', at)).body.settings.retries.value, 1);
    assert.equal((await send('PUT', '/127.0.0.1/9', { name: 'two', ...settings })).status, 201);
    for (const where of [at, '/127.0.0.1/9']) assert.equal((await send('DELETE', where)).status, 204);
    assert.equal((await send('GET', at)).status, 404);
    assert.equal((await send('DELETE', at)).status, 404);
    assert.deepEqual(events, [
      'device.added one',
      'device.changed uno',
      'device.added two',
      'device.removed uno',
      'device.removed two',
    ]);
    const audits = collector.logLines.map(({ audit }) => audit as Record<string, unknown>).filter(Boolean);
    assert.deepEqual(audits[0]?.['device'], { name: 'one', ip: '127.0.0.1', port: agent.port });
    assert.deepEqual(
      audits.map(({ method, status }) => `${method} ${status}`),
      ['POST 201', 'PUT 200', 'PUT 201', 'DELETE 204', 'DELETE 204', 'DELETE 404'],
    );
  });

  it('are rejected when a file or another device has the address or the name', async (t) => {
    const { send, events } = await start(t);
    const device = { name: 'one', ip: '127.0.0.1', port: 9, ...settings };
    for (const answer of [
      await send('POST', '', { ...device, port: 7 }),
      await send('PUT', '/127.0.0.1/7', { name: 'one', ...settings }),
      await send('DELETE', '/127.0.0.1/7'),
    ]) {
      assert.equal(answer.status, 409);
      assert.equal(answer.body.code, 'HTTP_DEVICE_OF_FILES');
      assert.match(answer.body.detail, /"filed".*devices\/all\.yml, line 1/);
    }
    assert.equal((await send('POST', '', device)).status, 201);
    const again = await send('POST', '', { ...device, ip: '::ffff:127.0.0.1', name: 'other' });
    assert.equal(again.body.code, 'HTTP_DEVICE_EXISTS');
    for (const name of ['one', 'filed']) {
      const taken = await send('PUT', '/127.0.0.1/10', { name, ...settings });
      assert.equal(taken.body.code, 'HTTP_DEVICE_NAME_TAKEN');
    }
    assert.deepEqual(events, ['device.added one']);
  });

  it('are rejected with every problem, and without a secret in the answer', async (t) => {
    const { send, collector } = await start(t);
    const refused = async (body: object, wanted: readonly string[]) => {
      const answer = await send('POST', '', body);
      assert.equal(answer.status, 422, answer.text);
      assert.equal(answer.body.code, 'HTTP_DEVICE_INVALID');
      const found = answer.body.problems.map(
        ({ level, path, rule }: Record<string, string>) => `${level} ${path} ${rule}`,
      );
      assert.deepEqual(found, wanted);
      assert.doesNotMatch(answer.text, /canary/);
    };
    const one = { name: 'one', ip: '127.0.0.1', port: 9, version: '2c', communities: [reference] };
    await refused({}, ['error name missing-key', 'error  missing-key']);
    await refused({ ...one, name: '../x', retries: true, colour: 1 }, [
      'error name bad-value',
      'error colour unknown-key',
      'error retries wrong-type',
    ]);
    await refused({ ...one, communities: ['canary'] }, ['error communities.0 plain-text-secret']);
    await refused({ ...one, communities: ['${env:WAYWISER_TEST_ABSENT}'], device_groups: ['plian'] }, [
      'warning device_groups.0 unknown-reference',
      'error communities.0 unresolved-secret',
    ]);
    await refused({ ...one, communities: undefined }, ['error  no-credentials']);
    const user = { username: 'operator', authentication_protocol: 'sha' };
    await refused({ ...one, version: '3', v3_credentials: [user] }, [
      'error v3_credentials.0 no-credentials',
    ]);
    await refused({ ...one, v3_credentials: [{ ...user, authentication_passphrase: ['canary'] }] }, [
      'error v3_credentials.0.authentication_passphrase wrong-type',
    ]);
    process.env['WAYWISER_TEST_MANAGED_SHORT'] = 'canary7';
    const short = { ...user, authentication_passphrase: '${env:WAYWISER_TEST_MANAGED_SHORT}' };
    await refused({ ...one, version: '3', v3_credentials: [short] }, [
      'error v3_credentials.0.authentication_passphrase short-passphrase',
    ]);
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);
    await refused({ ...one, communities: undefined, tags: deep }, ['error tags.a wrong-type']);
    const twice = await send('PUT', '/127.0.0.1/9', one);
    assert.deepEqual(
      twice.body.problems.map((found: { path: string }) => found.path),
      ['ip', 'port'],
    );
    for (const body of [[], 'x', 5, null]) assert.equal((await send('POST', '', body)).status, 400);
    assert.doesNotMatch(JSON.stringify(collector.logLines), /canary/);
  });

  it('may not be at addresses of the collector itself, nor outside of the configured networks', async (t) => {
    const open = await start(t, {});
    const inside = await start(t, { managed_devices: { networks: ['192.0.2.0/24', '2001:db8::/32'] } });
    const status = async ({ send }: typeof open, ip: string) =>
      (
        await send('POST', '', {
          name: `d ${ip.replaceAll(/[^\w:.]/g, '-')}`,
          ip,
          ...settings,
          enabled: false,
        })
      ).status;
    const forbidden = [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
      '169.254.169.254',
      'fe80::1',
      '224.0.0.1',
    ];
    for (const ip of [...forbidden, '255.255.255.255', 'ff02::1', '::', 'localhost', 'router.example']) {
      assert.equal(await status(open, ip), 422, ip);
      assert.equal(await status(inside, ip), 422, ip);
    }
    assert.equal(await status(open, '192.0.2.1'), 201);
    assert.equal(await status(inside, '192.0.2.1'), 201);
    assert.equal(await status(inside, '2001:DB8::1'), 201);
    assert.equal(await status(inside, '198.51.100.1'), 422);
    const mapped = await start(t, { managed_devices: { networks: ['::ffff:192.0.2.0/120'] } });
    assert.equal(await status(mapped, '192.0.2.1'), 201);
    assert.equal(await status(mapped, '192.0.3.1'), 422);
    // A short or octal form could mean another network than the operator meant.
    for (const network of ['192.0.2.0/33', '10.1/16', '010.0.0.0/8', '0x0a.0.0.0/8']) {
      await assert.rejects(start(t, { managed_devices: { networks: [network] } }), (error) =>
        explainError(error).includes(`cannot read the network ${network} in`),
      );
    }
  });

  it('get missing settings from the current defaults', async (t) => {
    const { send, collector, folder, events, post } = await start(t);
    const writeDefaults = (more: string) =>
      folder.write(
        'defaults/device.yml',
        `all: { version: 2c, port: 1161, communities: ['${reference}'], v3_credentials: [{ username: x }], ${more} }\n`,
      );
    const apply = () => post('/api/v1/snmp/apply-definitions');
    folder.write('devices/all.yml', '{}\n');
    writeDefaults('retries: 5, tags: { site: lab }');
    await apply();
    const added = await send('POST', '', { name: 'one', ip: '127.0.0.1', timeout: 77, enabled: false });
    assert.equal(added.status, 201, added.text);
    const shown = async () => {
      const {
        retries,
        timeout,
        communities,
        v3_users: users,
        max_oids: oids,
      } = (await send('GET', '/127.0.0.1/1161')).body.settings;
      return [retries, timeout, communities, users, oids].map((each) => each && [each.value, each.origin]);
    };
    const others = [[77, 'device'], [['***'], 'defaults'], undefined, [64, 'built-in']];
    assert.deepEqual(await shown(), [[5, 'defaults'], ...others]);
    writeDefaults('retries: 6');
    assert.equal((await apply()).body.changed, true);
    assert.deepEqual(await shown(), [[6, 'defaults'], ...others]);
    assert.deepEqual(events.slice(-1), ['device.changed one']);

    folder.write('defaults/device.yml', 'all: { version: 2c, communities: [canary] }\n');
    await apply();
    assert.equal((await shown())[2], undefined, 'nor does a device that is there already');
    const refused = await send('POST', '', { name: 'two', ip: '127.0.0.2' });
    assert.equal(refused.status, 422);
    assert.match(refused.body.problems[0].message, /defaults have communities in plain text/);
    assert.doesNotMatch(refused.text + JSON.stringify(collector.logLines), /canary/);
    const own = { name: 'two', ip: '127.0.0.2', communities: [reference], enabled: false };
    assert.equal((await send('POST', '', own)).status, 201);
  });

  it('may refer to the configured secrets only', async (t) => {
    const { send } = await start(t, {
      managed_devices: { secrets: ['env:WAYWISER_TEST_MAN*', 'file:core'] },
    });
    const status = async (communities: readonly string[]) => {
      const device = { name: 'one', ip: '192.0.2.1', version: '2c', communities, enabled: false };
      return (await send('PUT', '/192.0.2.1/161', { ...device, ip: undefined })).body;
    };
    assert.equal((await status([reference])).name, 'one');
    process.env['WAYWISER_TEST_OTHER'] = 'other';
    const { problems } = await status([reference, '${env:WAYWISER_TEST_OTHER}']);
    assert.deepEqual(
      problems.map(({ path, rule }: Record<string, string>) => `${path} ${rule}`),
      ['communities.1 unresolved-secret'],
    );
    await assert.rejects(start(t, { managed_devices: { secrets: ['*'] } }));
  });
});
