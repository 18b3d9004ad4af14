import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definePlugin, secretOption, Type } from '../../../src/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startApi } from './support/api-stack.ts';
import { startThreeSwitches } from './support/three-switches.ts';

const secretive = definePlugin({
  name: 'secretive',
  kind: 'service',
  summary: "Has options that are nobody's business.",
  options: Type.Object({ url: Type.String(), password: secretOption({ description: 'a secret' }) }),
  start: () => {},
});

const names = (devices: readonly { readonly name: string }[]) => devices.map(({ name }) => name);

describe('reading routes', () => {
  it('lists devices by state, group, tag and text, page by page', async (t) => {
    const { call } = await startThreeSwitches(t);
    const list = async (query: string) => (await call('GET', `/api/v1/snmp/devices${query}`)).body;
    assert.deepEqual(names((await list('')).devices), ['a', 'b', 'c']);
    assert.equal((await list('')).devices[0].state, 'up');
    assert.deepEqual(names((await list('?group=switch')).devices), ['a', 'b']);
    assert.deepEqual(names((await list('?state=down')).devices), []);
    assert.deepEqual(names((await list('?text=C')).devices), ['c']);
    assert.deepEqual(names((await list('?tag=site')).devices), []);
    const first = await list('?limit=2');
    assert.deepEqual(names(first.devices), ['a', 'b']);
    assert.equal(first.total, 3);
    const second = await list(`?limit=2&cursor=${first.next}`);
    assert.deepEqual(names(second.devices), ['c']);
    assert.equal(second.next, undefined);
    for (const query of ['?limit=0', '?limit=1001', '?limit=1e2', '?state=odd', '?cursor=x', '?page=2']) {
      assert.equal((await call('GET', `/api/v1/snmp/devices${query}`)).status, 400, query);
    }
  });

  it('sorts devices, also page by page, and filters them by vendor', async (t) => {
    const { call } = await startThreeSwitches(t);
    const list = async (query: string) => (await call('GET', `/api/v1/snmp/${query}`)).body;
    assert.deepEqual(names((await list('devices?sort=-name')).devices), ['c', 'b', 'a']);
    const first = await list('devices?sort=-name&limit=2&text=127.');
    assert.deepEqual([names(first.devices), first.total], [['c', 'b'], 3]);
    const second = await list(`devices?sort=-name&limit=2&text=127.&cursor=${first.next}`);
    assert.deepEqual([names(second.devices), second.total, second.next], [['a'], 3, undefined]);
    for (const query of ['sort=odd', `sort=name&cursor=${first.next}`, `cursor=${first.next}`]) {
      assert.equal((await call('GET', `/api/v1/snmp/devices?${query}`)).status, 400, query);
    }
    const { vendor } = (await list('devices')).devices[0];
    const { vendors } = await list('vendors');
    assert.deepEqual([vendors[0].vendor, vendors[0].devices > 0], [vendor, true]);
    const { total, devices } = await list(`devices?vendor=${encodeURIComponent(vendor)}&sort=vendor`);
    assert.equal(total, vendors[0].devices);
    assert.ok(devices.every((each: { vendor: string }) => each.vendor === vendor));
    assert.equal((await list('devices?vendor=none')).total, 0);
  });

  it('counts in total what the filters select, on each page', async (t) => {
    const { call, post } = await startThreeSwitches(t);
    const list = async (query: string) => (await call('GET', `/api/v1/snmp/${query}`)).body;
    for (const [query, total] of [
      ['', 3],
      ['?group=switch', 2],
      ['?group=switch&limit=1', 2],
      ['?state=down', 0],
      ['?text=C', 1],
      ['?tag=site', 0],
    ] as const) {
      assert.equal((await list(`devices${query}`)).total, total, query);
    }
    const { next } = await list('devices?group=switch&limit=1');
    const second = await list(`devices?group=switch&limit=1&cursor=${next}`);
    assert.deepEqual([names(second.devices), second.total, second.next], [['b'], 2, undefined]);

    for (let i = 0; i < 2; i++) await post('/api/v1/snmp/apply-definitions?force_rediscovery=true');
    const all = await list('generations');
    assert.equal(all.total, all.generations.length);
    assert.equal(all.next, undefined);
    const page = await list('generations?limit=1');
    assert.deepEqual([page.generations.length, page.total], [1, all.total]);
  });

  it('lists objects, object groups and device groups, page by page', async (t) => {
    const { call } = await startThreeSwitches(t);
    const list = async (path: string) => (await call('GET', `/api/v1/snmp/${path}`)).body;
    const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
    const all = await list('objects');
    assert.deepEqual(ids(all.objects), ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry', 'SNMPv2-MIB::system']);
    assert.deepEqual([all.total, all.generation, all.next], [3, 1, undefined]);
    assert.deepEqual(all.objects[1], {
      id: 'IF-MIB::ifXEntry',
      file: 'objects/interfaces.yml',
      line: 9,
      record: 'IF-MIB::ifEntry',
      attributes: 2,
    });
    const first = await list('objects?record=IF-MIB::ifEntry&limit=1');
    assert.deepEqual([ids(first.objects), first.total], [['IF-MIB::ifEntry'], 2]);
    const second = await list(`objects?record=IF-MIB::ifEntry&limit=1&cursor=${first.next}`);
    assert.deepEqual([ids(second.objects), second.total, second.next], [['IF-MIB::ifXEntry'], 2, undefined]);
    assert.deepEqual(ids((await list('objects?text=SYSTEM')).objects), ['SNMPv2-MIB::system']);

    assert.deepEqual(ids((await list('object-groups')).groups), ['interfaces', 'system']);
    assert.deepEqual(ids((await list('object-groups?object=SNMPv2-MIB::system')).groups), ['system']);
    const { groups, total } = await list('device-groups?text=switch');
    assert.equal(total, 1);
    assert.equal(groups[0].id, 'switch');
    assert.deepEqual([groups[0].members, groups[0].objects], [['system', 'interfaces'], 3]);
    for (const query of ['objects?cursor=x', 'device-groups?limit=0', 'object-groups?record=x']) {
      assert.equal((await call('GET', `/api/v1/snmp/${query}`)).status, 400, query);
    }
  });

  it('finds devices by name, by ADDRESS:PORT, and by an address that only one device has', async (t) => {
    const managed_devices = { networks: ['127.0.0.0/8'] };
    const { call, post, agents, folder } = await startThreeSwitches(t, { api: { managed_devices } });
    const show = (device: string) => call('GET', `/api/v1/snmp/devices/${encodeURIComponent(device)}`);
    const { port } = agents[0]!;
    assert.equal((await show('a')).body.port, port);
    assert.equal((await show(`127.0.0.1:${port}`)).body.name, 'a');
    assert.equal((await show(`[::ffff:127.0.0.1]:${port}`)).body.name, 'a');
    const { body: inventory } = await call('GET', '/api/v1/snmp/devices/c/inventory');
    assert.deepEqual(inventory.deviceGroups, ['plain']);

    const unknown = await show('aa');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'HTTP_DEVICE_NAME_UNKNOWN']);
    assert.match(unknown.body.detail, /There is no device "aa"\. Did you mean "a"\?/);
    const several = await show('127.0.0.1');
    assert.deepEqual([several.status, several.body.code], [409, 'HTTP_DEVICE_AMBIGUOUS']);
    assert.ok(several.body.detail.includes(`127.0.0.1:${port}`), several.body.detail);
    assert.deepEqual(names(several.body.devices), ['a', 'b', 'c']);

    const idle = { version: '2c', communities: ['${env:HOME}'], device_groups: ['plain'], enabled: false };
    const added = await post('/api/v1/snmp/devices', { name: 'shared', ip: '127.0.0.2', ...idle });
    assert.equal(added.status, 201, added.text);
    const imposter = { name: `127.0.0.1:${port}`, ip: '127.0.0.3', ...idle };
    assert.equal((await post('/api/v1/snmp/devices', imposter)).status, 201);
    assert.equal((await show(`127.0.0.1:${port}`)).body.name, 'a', 'an address and port win over a name');
    assert.equal((await show('127.0.0.2')).body.name, 'shared');
    const file = 'shared: { ip: 192.0.2.9, version: 2c, communities: [public], enabled: false }\n';
    folder.write('devices/shared.yml', file);
    assert.equal((await post('/api/v1/snmp/apply-definitions')).status, 200);
    const shared = await show('shared');
    assert.equal(shared.status, 409);
    assert.match(shared.body.detail, /192\.0\.2\.9:161, 127\.0\.0\.2:161\. Use one of these instead\.$/);

    const put = { name: 'renamed', ...idle };
    const replaced = await call('PUT', '/api/v1/snmp/devices/127.0.0.2:161', {
      body: JSON.stringify(put),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(replaced.status, 200, replaced.text);
    assert.equal((await show('shared')).body.ip, '192.0.2.9');
    assert.equal((await call('DELETE', '/api/v1/snmp/devices/renamed')).status, 204);
    assert.equal((await show('renamed')).status, 404);
    assert.equal((await call('DELETE', '/api/v1/snmp/devices/shared')).body.code, 'HTTP_DEVICE_OF_FILES');
  });

  it('shows a device with the origin of its settings, and without secrets', async (t) => {
    const { call, agents } = await startThreeSwitches(t);
    const { port } = agents[0]!;
    const { status, body, text } = await call('GET', `/api/v1/snmp/devices/127.0.0.1/${port}`);
    assert.equal(status, 200);
    assert.equal(body.name, 'a');
    assert.deepEqual(body.settings.timeout, { value: 300, origin: 'device' });
    assert.deepEqual(body.settings.communities.value, ['***']);
    assert.doesNotMatch(text, /public/);
    assert.deepEqual(body.origin, { file: 'devices/all.yml', line: 1 });
    assert.equal(body.inventory.objects, 3);
    assert.equal(body.lastDiscovery.state, 'completed');
    const { roundTripMs, missingOids, tables } = body.learned;
    assert.ok(roundTripMs > 0 && missingOids === 0);
    const interfaces = tables.find(({ root }: { root: string }) => root === '1.3.6.1.2.1.2.2.1.2');
    assert.ok(interfaces.varbindBytes > 10 && interfaces.loops === false, JSON.stringify(tables));
    const mapped = encodeURIComponent('::ffff:127.0.0.1');
    assert.equal((await call('GET', `/api/v1/snmp/devices/${mapped}/${port}`)).body.name, 'a');
    assert.equal((await call('GET', '/api/v1/snmp/devices/127.0.0.1/9')).status, 404);
    assert.equal((await call('GET', '/api/v1/snmp/devices/127.0.0.1/70000')).status, 400);
  });

  it('shows the inventory of a device', async (t) => {
    const { call, agents } = await startThreeSwitches(t);
    const { body } = await call('GET', `/api/v1/snmp/devices/127.0.0.1/${agents[2]!.port}/inventory`);
    assert.deepEqual(body.objects, [{ id: 'SNMPv2-MIB::system', instances: ['0'] }]);
    assert.deepEqual(body.deviceGroups, ['plain']);
  });

  it('shows at which parts of the index another table has a label', async (t) => {
    const { call, folder, post } = await startThreeSwitches(t);
    folder.write(
      'objects/outlets.yml',
      `PDU-MIB::outletEntry:
  mib: PDU-MIB
  object: outletEntry
  index: [{ type: Integer, name: pdu.index, syntax: IntegerAsID }, { type: Integer, name: outlet.index, syntax: IntegerAsID }]
  discovery_attribute: outletLoad
  attributes:
    pduName: { oid: .1.3.6.1.4.1.32473.8.1.1.2, name: pdu.name, syntax: DisplayString, tag: true, at: [1] }
    outletLoad: { oid: .1.3.6.1.4.1.32473.8.2.1.4, name: outlet.load, syntax: Gauge32, metric: gauge, unit: W }
`,
    );
    assert.equal((await post('/api/v1/snmp/apply-definitions')).status, 200);
    const { body } = await call('GET', '/api/v1/snmp/objects/PDU-MIB::outletEntry');
    assert.deepEqual(
      body.attributes.map(({ name, at }: { name: string; at?: number[] }) => [name, at]),
      [
        ['pduName', [1]],
        ['outletLoad', undefined],
      ],
    );
  });

  it('shows the current definitions, single ones by id with their position, and the generations', async (t) => {
    const { call, folder, post } = await startThreeSwitches(t);
    const get = async (path: string) => (await call('GET', `/api/v1/snmp/${path}`)).body;
    const running = await get('definitions');
    assert.equal(running.counts.objects, 3);
    assert.equal(running.degraded, false);
    const object = await get('objects/IF-MIB::ifXEntry');
    assert.equal(object.file, 'objects/interfaces.yml');
    assert.equal(object.line, 9);
    assert.equal(object.augments, 'IF-MIB::ifEntry');
    assert.deepEqual(
      object.attributes.map(({ name }: { name: string }) => name),
      ['ifName', 'ifHCInOctets'],
    );
    assert.deepEqual((await get('object-groups/system')).members, ['SNMPv2-MIB::system']);
    assert.deepEqual((await get('device-groups/switch')).members, ['system', 'interfaces']);
    const unknown = await call('GET', '/api/v1/snmp/device-groups/swich');
    assert.equal(unknown.status, 404);
    assert.equal(unknown.body.code, 'DEFINITION_UNKNOWN');
    assert.match(unknown.body.detail, /switch/);
    assert.equal((await call('GET', '/api/v1/snmp/objects/__proto__')).status, 404);

    folder.write('object_groups/more.yml', 'unused: { objects: [IF-MIB::ifEntry] }\n');
    await post('/api/v1/snmp/apply-definitions');
    const { generations } = await get('generations');
    assert.deepEqual(generations[0].changes.objectGroups.added, ['unused']);
    assert.equal(generations[0].requestedBy, 'anonymous at 127.0.0.1');
    assert.equal(generations[0].generation, running.generation + 1);
  });

  it('shows discoveries and their progress', async (t) => {
    const { call } = await startThreeSwitches(t);
    const { body } = await call('GET', '/api/v1/snmp/discoveries?state=completed&limit=2');
    assert.equal(body.discoveries.length, 2);
    assert.equal(body.total, 3);
    const [{ id }] = body.discoveries;
    const one = await call('GET', `/api/v1/snmp/discoveries/${id}`);
    assert.equal(one.body.cause, 'initial');
    assert.ok(one.body.packets > 1);
    assert.deepEqual(one.body, body.discoveries[0]);
    assert.equal((await call('GET', '/api/v1/snmp/discoveries/none')).body.code, 'HTTP_DISCOVERY_UNKNOWN');
  });

  it('names the allowed values when a filter has another one', async (t) => {
    const { call } = await startThreeSwitches(t);
    for (const [path, allowed] of [
      ['devices?state=dwn', 'unknown, up, suspect, down, recovering'],
      ['discoveries?state=don', 'waiting, running, completed, failed'],
    ] as const) {
      const { status, body } = await call('GET', `/api/v1/snmp/${path}`);
      assert.equal(status, 400);
      assert.ok(body.detail.includes(`"state" of the query must be one of ${allowed}`), body.detail);
    }
  });

  it('shows the collector, and whether it is alive and ready', async (t) => {
    const { call, collector } = await startThreeSwitches(t);
    const { body } = await call('GET', '/api/v1/collector');
    assert.equal(body.devices, 3);
    assert.ok(body.plugins.some(({ name }: { name: string }) => name === 'http-api'));
    assert.equal(body.pipeline.pushed, 0);
    assert.equal((await call('GET', '/livez')).body.status, 'alive');
    assert.deepEqual((await call('GET', '/readyz')).body, { status: 'ready', degraded: [] });
    collector.events.emit('collector.stopping', { why: 'the test' });
    const { status, body: refusal } = await call('GET', '/readyz');
    assert.equal(status, 503);
    assert.equal(refusal.code, 'HTTP_NOT_READY');
    assert.equal((await call('GET', '/livez')).status, 200);
  });

  it('shows the last poll and the last error of a device, and forgets them when it is removed', async (t) => {
    const { call, collector, agents } = await startThreeSwitches(t);
    const device = { name: 'a', ip: '127.0.0.1', port: agents[0]!.port };
    const show = async () => (await call('GET', `/api/v1/snmp/devices/127.0.0.1/${device.port}`)).body;
    assert.ok(!('lastPoll' in (await show())) && !('lastError' in (await show())));
    const poll = { device, plan: '60 s', slotMs: 0, durationMs: 12, packets: 3, gaps: {} };
    collector.events.emit('poll.failed', { ...poll, gaps: { timeout: 7 }, reason: 'timeout' });
    collector.events.emit('poll.completed', { ...poll, values: 42 });
    const { lastPoll, lastError } = await show();
    const { plan, durationMs, packets, values, ok } = lastPoll;
    assert.deepEqual([plan, durationMs, packets, values, ok], ['60 s', 12, 3, 42, true]);
    assert.equal(lastError.code, 'timeout');
    collector.events.emit('device.removed', { device, cause: 'the test' });
    assert.ok(!('lastPoll' in (await show())));
  });

  it('shows the options of plugins without credentials', async (t) => {
    const open = await startApi(t, new DefinitionFolder(t), {
      more: [
        { plugin: secretive, options: { url: 'nats://me:canary@127.0.0.1', password: '${env:CANARY}' } },
      ],
      env: { CANARY: 'canary' },
    });
    const { body, text } = await open.call('GET', '/api/v1/collector');
    const shown = body.plugins.find(({ name }: { name: string }) => name === 'secretive');
    assert.deepEqual(shown.options, { url: 'nats://127.0.0.1', password: '***' });
    assert.doesNotMatch(text, /canary/);
  });
});
