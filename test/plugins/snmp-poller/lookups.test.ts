import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowsOf } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const racks = '1.3.6.1.4.1.32473.9.1.1';
const peers = '1.3.6.1.4.1.32473.9.2.1';
const outlets = '1.3.6.1.4.1.32473.9.3.1';
const doors = '1.3.6.1.4.1.32473.9.4.1';

/** Outlets have the index rack, peer address (with its type), outlet. */
const recording = [
  ['1.3.6.1.2.1.1.3.0', 67, 100],
  [`${racks}.2.1`, 4, 'north'],
  [`${racks}.2.2`, 4, 'south'],
  [`${peers}.2.1.4.192.0.2.1`, 4, 'peer-a'],
  [`${outlets}.4.1.1.4.192.0.2.1.7`, 2, 70],
  [`${outlets}.4.2.1.4.192.0.2.1.7`, 2, 71],
  [`${outlets}.4.2.1.4.192.0.2.2.8`, 2, 72],
  [`${outlets}.4.3.1.4.192.0.2.1.9`, 2, 73],
  [`${doors}.2.2.1`, 2, 21],
]
  .map((line) => line.join('|'))
  .join('\n');

const definitions = {
  'agent.snmprec': `${recording}\n`,
  'objects/racks.yml': `R-MIB::outletEntry:
  index:
    - { type: Integer, name: rack.index, syntax: IntegerAsID }
    - { type: Integer, syntax: skip }
    - { type: OctetString, name: peer.address, syntax: IpAddressNoSuffix }
    - { type: Integer, name: outlet.index, syntax: IntegerAsID }
  attributes:
    rackName: { oid: .${racks}.2, name: rack.name, syntax: DisplayString, tag: true, at: [1] }
    peerName: { oid: .${peers}.2, name: peer.name, syntax: DisplayString, tag: true, at: [2, 3] }
    outletLoad: { oid: .${outlets}.4, name: outlet.load, syntax: Integer, metric: gauge }
R-MIB::doorEntry:
  index:
    - { type: Integer, name: door.index, syntax: IntegerAsID, column: doorIndex }
    - { type: Integer, syntax: skip }
  attributes:
    doorRack: { oid: .${racks}.2, syntax: DisplayString, at: [1] }
    doorHeat:
      oid: .${doors}.2
      syntax: Integer
      sensor: { class: temperature, name: 'Door of {doorRack}' }
`,
  'object_groups/racks.yml': 'racks: { objects: [R-MIB::outletEntry, R-MIB::doorEntry] }\n',
  'device_groups/racks.yml': 'racks: { object_groups: [racks] }\n',
};

describe('a label that another table has at a part of the index', () => {
  it('is read once for all rows, names sensors, and is explained with its own OID', async (test) => {
    const folder = new DefinitionFolder(test, definitions);
    const agent = await startReplayAgent({ recording: `${folder.path}/agent.snmprec` });
    test.after(() => agent.close());
    const settings = `{ ip: 127.0.0.1, port: ${agent.port}, version: 2c, communities: [public], device_groups: [racks] }`;
    folder.write('devices/a.yml', `pdu: ${settings}\n`);
    const { discovered, poll, poller, device } = await startPolling(test, folder);
    await discovered();
    const batches = await poll('pdu');
    const rows = batches.flatMap((batch) => [...rowsOf(batch)]);

    const [first, second, third, fourth] = rows.filter(({ values }) => values['outlet.load'] !== undefined);
    const labelsOf = (row: (typeof rows)[number] | undefined) => [
      row?.values['outlet.load'],
      row?.labels['rack.name'],
      row?.labels['peer.name'],
    ];
    assert.deepEqual(labelsOf(first), [70, 'north', 'peer-a']);
    assert.deepEqual(labelsOf(second), [71, 'south', 'peer-a']);
    assert.deepEqual(labelsOf(third), [72, 'south', undefined], 'peer 192.0.2.2 has no name');
    assert.deepEqual(labelsOf(fourth), [73, undefined, 'peer-a'], 'rack 3 has no name');
    assert.equal(rows.find(({ labels }) => labels['sensor.id'])?.labels['sensor.name'], 'Door of south');

    const explained = poller.explain(device('pdu'), {
      object: 'R-MIB::outletEntry',
      instance: '2.1.4.192.0.2.1.7',
      attribute: 'rackName',
    });
    assert.equal(explained.reading?.oid, `${racks}.2.2`);
    assert.equal(explained.reading?.request.rows, 3, 'one read for each rack');
    assert.equal(explained.reading?.fields[0]?.value, 'south');
  });
});
