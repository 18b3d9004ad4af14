import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imported, placesOf, readImported } from './support/imported.ts';

const column = (name: string, syntax: string, place: string) =>
  `${name} OBJECT-TYPE SYNTAX ${syntax} ACCESS read-only STATUS mandatory DESCRIPTION "" ::= { ${place} }`;

/** Fans have an index of a bay, an address and a number; bays have only the first of them. */
const mib = `FAN-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, Counter, IpAddress FROM RFC1155-SMI OBJECT-TYPE FROM RFC-1212;
fans OBJECT IDENTIFIER ::= { enterprises 63000 }
${column('fanTotal', 'INTEGER', 'fans 9')}
${column('fanLit', 'INTEGER', 'fans 8')}
fanLitInstance OBJECT IDENTIFIER ::= { fanLit 0 }
${column('fanTable', 'SEQUENCE OF FanEntry', 'fans 1')}
${column('fanEntry', 'FanEntry', 'fanTable 1').replace(' ::=', ' INDEX { bayNumber, fanHost, fanNumber } ::=')}
${column('fanHost', 'IpAddress', 'fanEntry 1')}
${column('fanNumber', 'INTEGER', 'fanEntry 2')}
${column('fanTurns', 'Counter', 'fanEntry 3')}
${column('fanMaker', 'OCTET STRING', 'fanEntry 4')}
${column('fanSpeed', 'INTEGER', 'fanEntry 5')}
${column('bayTable', 'SEQUENCE OF BayEntry', 'fans 2')}
${column('bayEntry', 'BayEntry', 'bayTable 1').replace(' ::=', ' INDEX { bayNumber } ::=')}
${column('bayNumber', 'INTEGER', 'bayEntry 1')}
${column('bayPlace', 'OCTET STRING', 'bayEntry 2')}
END`;

const fan = '1.3.6.1.4.1.63000.1.1';

const profile = (ranges: string) => `
metrics:
  - table: { OID: 1.3.6.1.4.1.63000.1, name: fanTable }
    symbols: [{ OID: ${fan}.3, name: fanTurns }, { OID: ${fan}.4, name: fanMaker }]
    metric_tags:
      - { tag: place, symbol: { OID: 1.3.6.1.4.1.63000.2.1.2, name: bayPlace }, table: bayTable, index_transform: ${ranges} }
      - { tag: host, index_transform: [{ start: 1, end: 4 }] }
      - { tag: fan, index: 6 }
`;

describe('import with MIB files', () => {
  it('reads labels of other tables where index_transform takes whole parts of the index', async (test) => {
    const { directory, refused } = await imported(
      test,
      'datadog',
      {
        'fan.yaml': profile('[{ start: 0, end: 0 }]'),
        'end.yaml': profile('[{ start: 0, drop_right: 5 }]'),
        'middle.yaml': profile('[{ start: 0, end: 2 }]'),
      },
      mib,
    );
    const { raw, problems } = readImported(directory);
    deepEqual(problems, []);
    const { index, attributes } = raw.objects.get('fan::fanTable')!;
    deepEqual(
      index?.map(({ type, column: label }) => [type, label]),
      [
        ['Integer', 'bayNumber'],
        ['IpAddress', 'host'],
        ['Integer', 'fan'],
      ],
    );
    const { at, tag } = attributes['bayPlace']!;
    deepEqual([at, tag], [[1], true]);
    deepEqual([attributes['fanTurns']?.metric, attributes['fanMaker']?.metric], ['counter', undefined]);
    deepEqual(raw.objects.get('end::fanTable')?.attributes['bayPlace']?.at, [1]);
    // It ends inside the address.
    deepEqual(placesOf(refused), ['6:98 place']);
    match(refused[0]!.reason, /--mibs/);
  });

  it('finds the names of Telegraf, and all columns of a table', async (test) => {
    const telegraf = `
[[inputs.snmp]]
  agents = ["192.0.2.1"]
  [[inputs.snmp.field]]
    oid = "FAN-MIB::fanTotal.0"
    name = "total"
  [[inputs.snmp.field]]
    oid = "FAN-MIB::fanLitInstance"
    name = "lit"
  [[inputs.snmp.table]]
    oid = "FAN-MIB::fanTable"
    [[inputs.snmp.table.field]]
      oid = "FAN-MIB::fanMaker"
      is_tag = true
`;
    const { directory, refused, translated } = await imported(
      test,
      'telegraf',
      { 'telegraf.conf': telegraf },
      mib,
    );
    const { raw, problems } = readImported(directory);
    deepEqual([problems, refused, translated], [[], [], []]);
    const { index, attributes } = raw.objects.get('telegraf::table')!;
    equal(index?.length, 3);
    deepEqual(
      Object.entries(attributes).map(([key, { oid, metric, tag }]) => [key, oid, metric, tag]),
      [
        ['fanTurns', `.${fan}.3`, 'counter', undefined],
        ['fanMaker', `.${fan}.4`, undefined, true],
        ['fanSpeed', `.${fan}.5`, 'gauge', undefined],
      ],
    );
    const all = [...raw.objects.values()].flatMap(({ attributes: own }) => Object.entries(own));
    deepEqual(
      all.map(([key, { oid }]) => `${key} ${oid}`).filter((line) => /\.63000\.[89]$/.test(line)),
      ['lit .1.3.6.1.4.1.63000.8', 'total .1.3.6.1.4.1.63000.9'],
    );
  });
});
