import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startThreeSwitches } from '../../http-api/support/three-switches.ts';

const path = '/api/v1/snmp/rediscover-device';

describe('POST /api/v1/snmp/rediscover-device', { concurrency: 2 }, () => {
  it('rediscovers the device with the address and port, and no other', async (t) => {
    const { post, settle, heard, agents } = await startThreeSwitches(t);
    const { port } = agents[1]!;
    const { status, body } = await post(path, { ip: '127.0.0.1', port });
    assert.equal(status, 202);
    assert.deepEqual(body.device, { name: 'b', ip: '127.0.0.1', port });
    assert.equal(body.discovery.cause, 'requested');
    assert.equal(body.discovery.joined, false);
    assert.match(body.discovery.state, /waiting|running/);
    await settle();
    assert.deepEqual(heard, ['b requested']);
  });

  it('answers with the outcome when wait=true', async (t) => {
    const { post, agents } = await startThreeSwitches(t);
    const { status, body } = await post(`${path}?wait=true`, {
      ip: '127.0.0.1',
      port: String(agents[0]!.port),
    });
    assert.equal(status, 200);
    assert.equal(body.discovery.state, 'completed');
    assert.equal(body.discovery.outcome.ok, true);
    assert.equal(body.discovery.outcome.change.objects, 3);
    assert.ok(body.discovery.outcome.change.instances > 1);
    assert.ok(body.discovery.outcome.durationMs >= 0);
  });

  it('joins a running discovery, and answers 504 when it takes too long', async (t) => {
    const { post, agents } = await startThreeSwitches(t, { api: { wait_ms: 100 } });
    agents[2]!.set({ isSilent: true });
    const device = { ip: '127.0.0.1', port: agents[2]!.port };
    const first = await post(path, device);
    const second = await post(`${path}?wait=true`, device);
    assert.equal(first.status, 202);
    assert.equal(second.status, 504);
    assert.equal(second.body.code, 'HTTP_DISCOVERY_RUNNING');
    assert.equal(second.body.discovery.id, first.body.discovery.id);
    const third = await post(path, device);
    assert.equal(third.body.discovery.joined, true);
  });

  it('finds the device by any spelling of its address', async (t) => {
    const { post, agents } = await startThreeSwitches(t);
    for (const ip of ['127.0.0.1', '::ffff:127.0.0.1', '::FFFF:7f00:1', '0:0:0:0:0:ffff:7f00:0001']) {
      const { status, body } = await post(path, { ip, port: agents[0]!.port });
      assert.equal(status, 202, ip);
      assert.equal(body.device.ip, '127.0.0.1');
    }
  });

  it('names the nearest device when there is no such device', async (t) => {
    const { post, agents } = await startThreeSwitches(t);
    const { status, body } = await post(path, { ip: '127.0.0.1', port: 9 });
    assert.equal(status, 404);
    assert.equal(body.code, 'HTTP_DEVICE_UNKNOWN');
    assert.match(body.detail, /nearest is "[abc]" at 127\.0\.0\.1 port \d+/);
    assert.ok(agents.some(({ port }) => port === body.nearest.port));
  });

  it('rejects every other content type', async (t) => {
    const { call, agents } = await startThreeSwitches(t);
    const body = JSON.stringify({ ip: '127.0.0.1', port: agents[0]!.port });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/json', 'application/xml']) {
      const answer = await call('POST', path, { headers: { 'content-type': type }, body });
      assert.equal(answer.status, 415, type);
      assert.equal(answer.body.code, 'HTTP_CONTENT_TYPE');
    }
    const json = await call('POST', path, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
    });
    assert.equal(json.status, 202);
  });

  it('rejects malformed, missing, unknown and impossible fields', async (t) => {
    const { call, agents, heard, settle } = await startThreeSwitches(t);
    const { port } = agents[0]!;
    const ip = '127.0.0.1';
    const bodies: unknown[] = [
      { ip },
      { port },
      {},
      { ip, port, name: 'a' },
      { ip, port: 0 },
      { ip, port: 65_536 },
      { ip, port: -1 },
      { ip, port: 1.5 },
      { ip, port: '1e3' },
      { ip, port: '' },
      { ip, port: ' 161' },
      { ip, port: '0x10' },
      { ip, port: true },
      { ip, port: null },
      { ip, port: [port] },
      { ip: 5, port },
      { ip: '', port },
      { ip: '999.1.1.1', port },
      { ip: '127.1', port },
      { ip: '0127.0.0.1', port },
      { ip: '::1::', port },
      { ip: '[::1]', port },
      { ip: 'a b', port },
      { ip: 'x'.repeat(400), port },
      [{ ip, port }],
      'text',
      5,
      null,
    ];
    const texts = [
      ...bodies.map((body) => JSON.stringify(body)),
      '',
      '{',
      '{"ip":"127.0.0.1",}',
      `{"ip":"${ip}","port":${port},"__proto__":{"x":1}}`,
      `{"ip":"${ip}","port":${port},"constructor":{"prototype":{}}}`,
    ];
    for (const body of texts) {
      const headers = { 'content-type': 'application/json' };
      const answer = await call('POST', path, { headers, body });
      assert.equal(answer.status, 400, body);
      assert.match(answer.type, /^application\/problem\+json/);
      assert.ok(answer.body.code.startsWith('HTTP_') && answer.body.detail.length > 10);
      assert.doesNotMatch(answer.text, /\bat .*:\d+:\d+|node_modules/);
    }
    assert.equal((await call('POST', path)).status, 400);
    await settle();
    assert.deepEqual(heard, []);
  });

  it('answers 409 while the collector is stopping', async (t) => {
    const { post, collector, agents } = await startThreeSwitches(t);
    agents[2]!.set({ isSilent: true });
    const device = { ip: '127.0.0.1', port: agents[2]!.port };
    const waiting = post(`${path}?wait=true`, device);
    await post(path, device);
    collector.events.emit('collector.stopping', { why: 'the test' });
    assert.equal((await waiting).status, 409);
    const { status, body } = await post(path, device);
    assert.equal(status, 409);
    assert.equal(body.code, 'HTTP_STOPPING');
  });
});
