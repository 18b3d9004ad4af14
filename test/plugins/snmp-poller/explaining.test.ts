import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const counter = { object: 'IF-MIB::ifXEntry', instance: '3', attribute: 'ifHCInOctets' };

test('explanations and counters of the poller', async (t) => {
  await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  await using silent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
  silent.set({ isSilent: true });
  const folder = new DefinitionFolder(t);
  folder.writeDevices([
    { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 86400' },
    { name: 'plain', port: agent.port + 1, groups: 'device_groups: [plain], enabled: false' },
    { name: 'dead', port: silent.port, groups: 'device_groups: [switch], poll_interval: 86400' },
  ]);
  const { poller, device, discovery, poll, definitions } = await startPolling(t, folder);
  await discovery.runs.find((run) => run.device.name === 'sw')!.ended;
  const explain = (question: Partial<typeof counter>, name = 'sw') =>
    poller.explain(device(name), { ...counter, ...question });

  await t.test('explains a value that has not been polled yet', () => {
    const { verdict, reading } = explain({});
    assert.match(verdict, /no poll has returned values yet/);
    assert.equal(reading!.raw, undefined);
  });

  await t.test('explains a value from its definition to the fields that it writes', async () => {
    await poll('sw');
    const { verdict, definition, broughtInBy, inventory, reading, lastFailure } = explain({});
    assert.equal(verdict, 'The last poll returned it.');
    assert.deepEqual([definition.file, definition.line], ['objects/interfaces.yml', 9]);
    assert.equal(definition.decoding.syntax, 'BytesB');
    assert.deepEqual(definition.decoding.scale, { times: 1, over: 1 });
    assert.deepEqual(broughtInBy, [{ deviceGroup: 'switch', objectGroup: 'interfaces' }]);
    assert.equal(inventory!.hasInstance, true);
    assert.equal(inventory!.isOutdated, false);
    assert.equal(reading!.oid, '1.3.6.1.2.1.31.1.1.1.6.3');
    assert.deepEqual(reading!.raw, { type: 'Counter64', value: '2740326354009' });
    assert.equal(lastFailure, undefined);
  });

  await t.test('explains why a value is missing, for each possible reason', async () => {
    assert.match(
      explain({ object: 'IF-MIB::ifEntry', attribute: 'ifInOctets' }).verdict,
      /ifXEntry ifHCInOctets overrides ifInOctets/,
    );
    assert.match(explain({ instance: '33' }).verdict, /no instance 33 of IF-MIB::ifXEntry. It has 1, 2, 3/);
    assert.match(explain({}, 'plain').verdict, /enabled: false/);
    assert.match(explain({}, 'dead').verdict, /has not been discovered yet/);
    assert.throws(() => explain({ object: 'IF-MIB::ifXEntri' }), { code: 'DEFINITION_UNKNOWN' });
    assert.throws(() => explain({ attribute: 'ifHCInOctet' }), /Did you mean "ifHCInOctets"/);
    folder.write('objects/more.yml', laterObject);
    folder.write('object_groups/more.yml', 'later: { objects: [IP-MIB::ip] }\n');
    folder.write(
      'device_groups/groups.yml',
      'switch: { object_groups: [system, later] }\nplain: { object_groups: [system] }\n',
    );
    assert.equal((await definitions.apply({ requestedBy: 'the test' })).accepted, true);
    assert.match(
      explain({ object: 'IP-MIB::ip', instance: '0', attribute: 'ipForwarding' }).verdict,
      /did not look for IP-MIB::ip\. Rediscover/,
    );
    assert.match(
      explain({}).verdict,
      /No device group of "sw" includes IF-MIB::ifXEntry: its groups are switch\./,
    );
  });

  await t.test('counts polls, failures and retries per device and for all devices', async () => {
    agent.set({ isSilent: true });
    await poll('sw');
    const one = poller.deviceCounters(device('sw'))!;
    assert.equal(one.polls, 2);
    assert.equal(one.failedPolls, 1);
    assert.equal(one.retries, 1, 'the device is configured for one retry');
    assert.equal(one.lastFailure!.code, 'SNMP_TIMEOUT');
    assert.ok(one.roundTripMs > 0);
    assert.ok(one.varbinds > 20 && one.values > 20 && one.packets > 0);
    assert.ok(one.gaps.timeout! > 0);
    const all = poller.counters();
    assert.deepEqual([all.polls, all.retries, all.varbinds], [one.polls, one.retries, one.varbinds]);
    assert.ok(all.roundTrip.p99Ms > 0);
    assert.equal(poller.slowest(1)[0]!.device.name, 'sw');
  });

  await t.test('probes a silent device before it polls it on request', async () => {
    const probes = () => poller.deviceCounters(device('sw'))!.probes;
    const before = probes();
    const { joined, ended } = await poller.requestPoll(device('sw'));
    assert.equal(joined, false);
    await assert.rejects(ended, { code: 'POLL_NO_ANSWER' });
    assert.equal(probes(), before + 1);
    agent.set({ isSilent: false });
    const report = await (await poller.requestPoll(device('sw'))).ended;
    assert.ok(report.values > 0 && report.packets > 0);
    assert.deepEqual(report.gaps, {});
    const description = { object: 'SNMPv2-MIB::system', instance: '0', attribute: 'sysDescr' };
    assert.equal(explain(description).verdict, 'The last poll returned it.');
    agent.set({ isSilent: true });
    await poll('sw');
    assert.match(explain(description).verdict, /last answered poll returned it\. The device is suspect now/);
    assert.deepEqual(report.records, [{ record: 'SNMPv2-MIB::system', rows: 1 }]);
    await assert.rejects(poller.requestPoll(device('dead')), {
      code: 'POLL_NOT_PLANNED',
      message: /has not been discovered/,
    });
    await assert.rejects(poller.requestPoll(device('plain')), {
      code: 'POLL_NOT_PLANNED',
      message: /enabled: false/,
    });
  });
});

const laterObject = `IP-MIB::ip:
  mib: IP-MIB
  object: ip
  attributes:
    ipForwarding: { oid: .1.3.6.1.2.1.4.1, name: ip.forwarding, syntax: Integer, metric: gauge }
`;
