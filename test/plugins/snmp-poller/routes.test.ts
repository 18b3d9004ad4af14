import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import poller from '../../../plugins/snmp-poller/index.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

/** Its id ends like an instance. */
const dottedObject = `SNMPv2-MIB::system.2024:
  mib: SNMPv2-MIB
  object: system
  attributes:
    sysContact: { oid: .1.3.6.1.2.1.1.4, name: system.contact, syntax: DisplayString }
`;

test('the routes of the poller', async (t) => {
  await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  const folder = new DefinitionFolder(t, { 'objects/dotted.yml': dottedObject });
  folder.writeDevices([
    { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 86400' },
    { name: 'off', port: 1, groups: 'device_groups: [plain], enabled: false' },
  ]);
  const stack = await startApi(t, folder, { more: [{ plugin: poller }] });
  const { call, settle } = stack;
  await settle();
  const device = `/api/v1/snmp/devices/127.0.0.1/${agent.port}`;

  await t.test('return no records before the first poll', async () => {
    const { status, body } = await call('GET', `${device}/records`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      device: { name: 'sw', ip: '127.0.0.1', port: agent.port },
      rows: 0,
      records: [],
    });
    const polling = (await call('GET', `${device}/polling`)).body;
    assert.deepEqual([polling.counters.polls, polling.counters.lastPollAt], [0, undefined]);
    assert.equal(polling.next[0].plan, 'every-86400s');
    assert.deepEqual((await call('GET', '/api/v1/snmp/slowest')).body, { devices: [] });
  });

  await t.test('poll a device now, with or without waiting for the result', async () => {
    agent.set({ delayMs: 100 });
    const begun = await call('POST', `${device}/poll`);
    assert.equal(begun.status, 202);
    assert.deepEqual(begun.body.poll, { joined: false });
    const over = await call('POST', `${device}/poll?wait=true`);
    agent.set({ delayMs: 0 });
    assert.equal(over.status, 200);
    const { poll } = over.body;
    assert.equal(poll.joined, true, 'the request joins the poll under way');
    assert.ok(poll.values > 20 && poll.packets > 0 && poll.durationMs > 0);
    assert.deepEqual(poll.gaps, {});
    assert.deepEqual(poll.records[0], { record: 'IF-MIB::ifEntry', rows: 25 });
    assert.equal((await call('GET', '/api/v1/snmp/polling')).body.polls, 1);
  });

  await t.test('return the latest values page by page, with every digit of a counter', async () => {
    const rows: { key: string; values: Record<string, unknown> }[] = [];
    let cursor = '';
    let pages = 0;
    do {
      const { body } = await call('GET', `${device}/records?limit=10${cursor && `&cursor=${cursor}`}`);
      assert.equal(body.rows, 26);
      for (const record of body.records) rows.push(...record.rows);
      cursor = body.next ?? '';
      pages++;
    } while (cursor !== '');
    assert.equal(pages, 3);
    assert.equal(new Set(rows.map(({ key }) => key)).size, 26, 'each row appears once');
    assert.deepEqual(rows[2], {
      key: 'netif.name=ge-0/3',
      labels: { 'netif.index': '3', 'netif.description': 'GigabitEthernet 0/3', 'netif.name': 'ge-0/3' },
      values: { 'netif.bytes.in': 2740326354009 },
      // No output asks for rates.
      gaps: {},
    });
    assert.equal(rows[0]!.values['netif.bytes.in'], '9007199254740993');
    const one = (await call('GET', `${device}/records?record=SNMPv2-MIB::system`)).body;
    assert.deepEqual([one.rows, one.records.length, one.next], [1, 1, undefined]);
    const wrong = await call('GET', `${device}/records?cursor=bm9uZQ`);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'POLL_CURSOR_INVALID']);
  });

  await t.test('explain a value', async () => {
    const explain = (query: string) => call('GET', `${device}/explain?${query}`);
    const there = await explain('object=IF-MIB::ifXEntry&instance=3&attribute=ifHCInOctets');
    assert.equal(there.status, 200);
    assert.equal(there.body.verdict, 'The last poll returned it.');
    assert.deepEqual(there.body.reading.raw, { type: 'Counter64', value: '2740326354009' });
    assert.equal(there.body.reading.fields[0].value, 2740326354009);
    assert.equal(there.body.definition.line, 9);
    assert.deepEqual((await explain('object=IF-MIB::ifXEntry.3&attribute=ifHCInOctets')).body, there.body);
    const scalar = (await explain('object=SNMPv2-MIB::system.2024&attribute=sysContact')).body;
    assert.deepEqual([scalar.object, scalar.instance], ['SNMPv2-MIB::system.2024', '0']);
    const overridden = await explain('object=IF-MIB::ifEntry&instance=3&attribute=ifInOctets');
    assert.match(overridden.body.verdict, /overrides ifInOctets/);
    assert.equal(overridden.body.reading, undefined);
    const unknown = ['object=IF-MIB::ifXEntri&attribute=x', 'object=IF-MIB::ifXEntry&attribute=ifHCInOctet'];
    const answers = await Promise.all([...unknown, 'object=a&attribute=b&instance=1..2'].map(explain));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.code]),
      [
        [404, 'DEFINITION_UNKNOWN'],
        [404, 'POLL_ATTRIBUTE_UNKNOWN'],
        [400, 'HTTP_INPUT_INVALID'],
      ],
    );
  });

  await t.test('return the slowest devices, and counters', async () => {
    const [slowest] = (await call('GET', '/api/v1/snmp/slowest?limit=1')).body.devices;
    assert.equal(slowest.device.name, 'sw');
    assert.ok(slowest.lastDurationMs > 50 && slowest.roundTripMs > 0 && slowest.retries === 0);
    const { roundTrip, gaps, devices } = (await call('GET', '/api/v1/snmp/polling')).body;
    assert.ok(roundTrip.p99Ms > 0);
    assert.deepEqual([gaps, devices], [{}, 1]);
  });

  await t.test('reject invalid requests, each with its error code', async () => {
    const poll = async (path: string) => {
      const { status, body } = await call('POST', `/api/v1/snmp/devices/${path}/poll?wait=true`);
      return [status, body.code];
    };
    assert.deepEqual(await poll('127.0.0.1/1'), [409, 'POLL_NOT_PLANNED']);
    assert.deepEqual(await poll('127.0.0.1/2'), [404, 'HTTP_DEVICE_UNKNOWN']);
    assert.deepEqual(await poll('127.0.0.1/0'), [400, 'HTTP_PORT_IMPOSSIBLE']);
    agent.set({ isSilent: true });
    const silent = await call('POST', `${device}/poll?wait=true`);
    assert.deepEqual([silent.status, silent.body.poll.values], [200, 0]);
    assert.deepEqual(await poll(`127.0.0.1/${agent.port}`), [503, 'POLL_NO_ANSWER']);
    const { counters } = (await call('GET', `${device}/polling`)).body;
    assert.equal(counters.lastFailure.code, 'SNMP_TIMEOUT');
    assert.ok(counters.retries > 0 && counters.gaps.timeout > 0);
    agent.set({ isSilent: false });
    assert.deepEqual(await poll(`127.0.0.1/${agent.port}`), [200, undefined]);
  });

  await t.test('are part of the OpenAPI document', async () => {
    const { paths } = (await call('GET', '/openapi.json')).body;
    const path = '/api/v1/snmp/devices/{ip}/{port}';
    for (const end of ['records', 'explain', 'polling']) assert.ok(paths[`${path}/${end}`].get, end);
    assert.deepEqual(paths[`${path}/poll`].post.security[0], { token: ['operate'] });
  });
});

test('a request that waits for a poll', async (t) => {
  await t.test('waits no longer than wait_ms, and the poll continues', async (t) => {
    const { poll, poller } = await startEndlessPoll(t, { wait_ms: 50 });
    const { status, body } = await poll();
    assert.deepEqual([status, body.code], [504, 'POLL_RUNNING']);
    assert.match(body.detail, /did not end within 50 ms/);
    assert.equal(poller.counters().underWay, 1);
  });

  await t.test('gets a response when the collector begins to stop', async (t) => {
    const { poll, poller, collector } = await startEndlessPoll(t, {});
    const answer = poll();
    while (poller.counters().underWay === 0) await sleep(5);
    await collector.stop();
    const { status, body } = await answer;
    assert.deepEqual([status, body.code], [409, 'POLL_STOPPING']);
  });
});

/** A collector with one silent device and a timeout of one minute. */
async function startEndlessPoll(t: TestContext, api: { readonly wait_ms?: number }) {
  const agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  const settings = 'version: 2c, communities: [public], timeout: 60000, poll_interval: 86400';
  folder.write(
    'devices/all.yml',
    `sw: { ip: 127.0.0.1, port: ${agent.port}, device_groups: [switch], ${settings} }\n`,
  );
  const more = [{ plugin: poller, options: { finish_within_ms: 0 } }];
  const { collector, call, settle } = await startApi(t, folder, { more, api });
  await settle();
  agent.set({ isSilent: true });
  return {
    collector,
    poller: collector.getService(pollerToken),
    poll: () => call('POST', `/api/v1/snmp/devices/127.0.0.1/${agent.port}/poll?wait=true`),
  };
}
