import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addRates } from '../../../../plugins/web-page/browser/views/device/add-rates.ts';
import { identify, vendorName } from '../../../../plugins/web-page/browser/views/device/device-identity.ts';
import {
  joinRecords,
  numberOf,
  textOf,
} from '../../../../plugins/web-page/browser/views/device/device-rows.ts';
import { findSources } from '../../../../plugins/web-page/browser/views/device/find-source.ts';
import { localPort } from '../../../../plugins/web-page/browser/views/device/local-port.ts';
import {
  countChanges,
  summarizeChanges,
} from '../../../../plugins/web-page/browser/views/summarize-changes.ts';

const at = '2026-11-23T14:00:00.000Z';
const later = '2026-11-23T14:05:00.000Z';
const record = (
  name: string,
  rows: readonly [string, Record<string, string>, Record<string, string | number>][],
  when = at,
) => ({
  record: name,
  plan: 'every-5s',
  generation: 1,
  slotAt: when,
  at: when,
  fields: [...new Set(rows.flatMap(([, , values]) => Object.keys(values)))].map((field) => ({ field })),
  rows: rows.map(([key, labels, values]) => ({ key, labels, values, gaps: {} })),
});

describe('the records of a device', () => {
  it('are joined when several plans fill them', () => {
    const [table] = joinRecords([
      record(
        'r',
        [
          ['1', { name: 'a' }, { x: 1 }],
          ['2', {}, { x: 2 }],
        ],
        later,
      ),
      record('r', [['1', { kind: 'b' }, { y: '9007199254740993' }]]),
    ]);
    assert.deepEqual(table?.rows[0], {
      key: '1',
      labels: { name: 'a', kind: 'b' },
      values: { x: 1, y: '9007199254740993' },
      gaps: {},
    });
    assert.deepEqual(
      [table?.rows.length, table?.fields.map(({ field }) => field), table?.at],
      [2, ['x', 'y'], at],
    );
    assert.equal(numberOf(table!.rows[0]!, 'y'), 9_007_199_254_740_992);
    assert.equal(numberOf(table!.rows[0]!, 'name'), undefined);
    assert.equal(textOf(table?.rows[0], 'name'), 'a');
  });
});

describe('the rates of interfaces', () => {
  it('come from the history: the latest that it has of each row', () => {
    const [table] = joinRecords([
      record('IF-MIB::ifEntry', [
        ['a', {}, { 'netif.bytes.in': 5 }],
        ['b', {}, { 'netif.bytes.in': 6 }],
      ]),
    ]);
    const series = (row: string, field: string, values: readonly (number | null)[]) => ({
      device: 'd',
      record: 'IF-MIB::ifEntry',
      row,
      labels: {},
      field,
      values,
      gaps: [],
    });
    const { rows } = addRates(table!, {
      times: [1, 2, 3],
      series: [
        series('a', 'netif.bytes.in_rate', [null, 7, null]),
        series('a', 'netif.errors.in_rate', [0, 0, 0]),
        series('b', 'netif.bytes.in_rate', [null, null, null]),
      ],
    });
    assert.deepEqual(
      rows.map(({ values }) => values),
      [{ 'netif.bytes.in': 5, 'netif.bytes.in_rate': 7, 'netif.errors.in_rate': 0 }, { 'netif.bytes.in': 6 }],
    );
  });
});

describe('what a device is', () => {
  it('is read from its chassis', () => {
    const identity = identify(
      joinRecords([
        record('SNMPv2-MIB::system', [
          ['0', { 'system.name': 'sw' }, { 'system.descr': 'A switch', 'system.uptime': 5000 }],
        ]),
        record('ENTITY-MIB::entPhysicalEntry', [
          ['9', { 'entity.class.name': 'module' }, { 'entity.model': 'M', 'entity.serial': 'S9' }],
          [
            '1',
            { 'entity.class.name': 'chassis' },
            { 'entity.model': 'EX', 'entity.manufacturer': 'Example', 'entity.serial': '' },
          ],
        ]),
      ]),
    );
    assert.deepEqual(
      [
        identity.vendor,
        identity.model,
        identity.serial,
        identity.description,
        identity.ownName,
        identity.uptimeMs,
      ],
      ['Example', 'EX', 'S9', 'A switch', 'sw', 5000],
    );
  });
  it('is empty for a device that says nothing', () => assert.equal(identify([]).model, ''));

  it('has the same vendor as in lists, and the words of the device only where these know none', () => {
    assert.equal(vendorName('Cisco', 'Cisco Systems, Inc.'), 'Cisco');
    assert.equal(vendorName('Juniper', ''), 'Juniper');
    assert.equal(vendorName('enterprise 99999', 'Acme Ltd.'), 'Acme Ltd.');
    assert.equal(vendorName('Net-SNMP', 'Supermicro'), 'Supermicro');
    assert.equal(vendorName(undefined, 'Supermicro'), 'Supermicro');
    assert.equal(vendorName('Net-SNMP', ''), 'Net-SNMP');
    assert.equal(vendorName('enterprise 99999', ''), 'enterprise 99999');
    assert.equal(vendorName(undefined, ''), '');
  });
});

describe('the local port of an LLDP neighbour', () => {
  const interfaces = record('IF-MIB::ifEntry', [
    ['1', { 'netif.index': '1', 'netif.name': 'ge-0/0/1' }, { 'netif.mac': '00:1b:21:00:00:01' }],
    ['2', { 'netif.index': '2', 'netif.name': 'ge-0/0/2' }, { 'netif.mac': '00:1b:21:00:00:02' }],
    ['3', { 'netif.index': '3', 'netif.name': 'vlan.3' }, { 'netif.mac': '00:1b:21:00:00:02' }],
  ]);
  const portOf = (number: string, id: string, descr: string) => {
    const ports = record('LLDP-MIB::lldpLocPortEntry', [
      [
        number,
        { 'lldp.local.port.number': number, 'lldp.local.port.id': id, 'lldp.local.port.descr': descr },
        {},
      ],
    ]);
    const neighbours = record('LLDP-MIB::lldpRemEntry', [['n', { 'lldp.local.port.number': number }, {}]]);
    const tables = joinRecords([interfaces, ports, neighbours]);
    return localPort(tables, tables.find((table) => table.record === 'LLDP-MIB::lldpRemEntry')!.rows[0]!);
  };

  it('is a name wherever the device says one, and never an address or a number then', () => {
    assert.equal(portOf('7', 'Gi1/0/1', 'uplink'), 'Gi1/0/1');
    assert.equal(portOf('7', '00:1b:21:00:00:01', 'uplink'), 'ge-0/0/1');
    assert.equal(portOf('7', '0x001b21000001', ''), 'ge-0/0/1');
    assert.equal(portOf('7', '001b.2100.0001', 'uplink'), 'ge-0/0/1');
    assert.equal(portOf('2', '00-1B-21-00-00-02', 'uplink'), 'ge-0/0/2', 'two interfaces have this address');
    assert.equal(portOf('7', '00:1b:21:00:00:02', 'uplink'), 'uplink', 'two interfaces have this address');
    assert.equal(portOf('7', '2', ''), 'ge-0/0/2');
    assert.equal(portOf('7', '512', 'uplink'), 'uplink');
    assert.equal(portOf('7', '512', ''), '512');
    assert.equal(portOf('7', '', ''), '7');
    assert.equal(portOf('7', '00:1b:21:00:00:99', ''), '00:1b:21:00:00:99');
  });
});

describe('where a value comes from', () => {
  const attribute = (name: string, ...fields: string[]) => ({
    name,
    column: '1',
    syntax: 'Integer32',
    fields,
    tag: false,
  });
  const objects = [
    { id: 'IF-MIB::ifEntry', attributes: [attribute('ifInOctets', 'netif.bytes.in')], instances: ['1', '2'] },
    { id: 'IF-MIB::ifXEntry', attributes: [attribute('ifHCInOctets', 'netif.bytes.in')], instances: ['1'] },
    {
      id: 'ENTITY-SENSOR-MIB::entPhySensorEntry',
      attributes: [attribute('entPhySensorType'), attribute('entPhySensorValue')],
      instances: ['100'],
    },
    {
      id: 'HOST-RESOURCES-MIB::hrProcessorEntry',
      attributes: [attribute('hrProcessorLoad', 'processor.usage')],
      instances: ['7'],
    },
  ];
  const find = (field: string, key: string, labels: Record<string, string>) =>
    findSources({ device: 'd', record: 'r', field, key, labels, shown: '' }, objects).map(
      (source) => `${source.object} ${source.attribute} ${source.instance}`,
    );
  it('is found by the field and the index among the labels', () => {
    assert.deepEqual(
      find('netif.bytes.in_rate', 'netif.name=ge-0/1', { 'netif.index': '1', 'netif.name': 'ge-0/1' }),
      ['IF-MIB::ifEntry ifInOctets 1', 'IF-MIB::ifXEntry ifHCInOctets 1'],
    );
    assert.deepEqual(find('netif.bytes.in', 'netif.name=ge-0/2', { 'netif.index': '2' }), [
      'IF-MIB::ifEntry ifInOctets 2',
    ]);
  });
  it('is the attribute that the id of a sensor names', () => {
    assert.deepEqual(
      find('sensor.value', 'entPhySensorValue.100', { 'sensor.id': 'entPhySensorValue.100' }),
      ['ENTITY-SENSOR-MIB::entPhySensorEntry entPhySensorValue 100'],
    );
  });
  it('is the entry that the id of a processor names', () => {
    assert.deepEqual(find('processor.usage', 'x', { 'processor.id': 'hrProcessorEntry.7' }), [
      'HOST-RESOURCES-MIB::hrProcessorEntry hrProcessorLoad 7',
    ]);
  });
  it('is nowhere for a field that no object has', () =>
    assert.deepEqual(find('system.made_up', '0', {}), []));
});

describe('changes of definitions', () => {
  const none = { added: [], changed: [], removed: [] };
  const changes = {
    objects: { added: ['a'], changed: ['b', 'c'], removed: [] },
    objectGroups: none,
    deviceGroups: none,
    notifications: none,
    enums: none,
    devices: { added: [], changed: [], removed: ['d'] },
    sysObjectIds: none,
    networks: none,
  };
  it('fit in one line', () => {
    assert.equal(summarizeChanges(changes), '1 object added, 2 objects changed, 1 device removed');
    assert.equal(
      summarizeChanges({ ...changes, objects: none, devices: none }),
      'only defaults or descriptions',
    );
  });
  it('are counted', () => assert.equal(countChanges(changes), 4));
});
