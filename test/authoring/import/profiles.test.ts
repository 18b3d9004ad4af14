import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownDefinitions } from '../../../authoring/import/import-result.ts';
import { importProfiles } from '../../../authoring/import/profiles/import-profiles.ts';
import { SourceFile } from '../../../authoring/import/source/source-node.ts';
import { parseYaml } from '../../../src/definitions/yaml/parse-yaml.ts';
import { imported, placesOf, readImported } from './support/imported.ts';

const entry = '1.3.6.1.4.1.63000.7.1.1';

const base = `
metric_tags:
  - column: { OID: 1.3.6.1.2.1.1.5.0, name: sysName }
`;

const kentik = `
extends: [base.yml, missing.yml]
provider: kentik-fan
sysobjectid: [1.3.6.1.4.1.63000.1, 1.3.6.1.4.1.63000.2.*, 1.3.*.7]
metrics:
  - MIB: FAN-MIB
    symbol: { OID: 1.3.6.1.4.1.63000.7.9.0, name: fanTotal, tag: FanCount, poll_time_sec: 30 }
  - MIB: FAN-MIB
    table: { OID: 1.3.6.1.4.1.63000.7.1, name: fanTable }
    symbols:
      - { OID: ${entry}.2, name: fanState, enum: { turning: 1, stalled: 2 } }
      - { OID: ${entry}.3, name: fanMac, conversion: hwaddr }
      - { OID: ${entry}.4, name: fanLoad, condition: fanState=1 }
      - { OID: ${entry}.5, name: fanCode, conversion: 'hextoint:BigEndian:uint16' }
    metric_tags:
      - { tag: fan, column: { OID: ${entry}.6, name: fanName } }
traps: []
`;

const datadog = `
sysobjectid: 1.3.6.1.4.1.63000.*
device: { vendor: fans }
metrics:
  - MIB: IF-MIB
    table: { OID: 1.3.6.1.2.1.2.2, name: ifTable }
    symbols:
      - { OID: 1.3.6.1.2.1.2.2.1.14, name: ifInErrors, metric_type: monotonic_count }
      - { OID: 1.3.6.1.2.1.2.2.1.4, name: ifMtu, scale_factor: 2 }
      - { OID: 1.3.6.1.2.1.2.2.1.20, name: ifOutErrors, scale_factor: 2 }
    metric_tags:
      - { tag: interface, symbol: { OID: 1.3.6.1.2.1.31.1.1.1.1, name: ifName }, table: ifXTable }
      - { tag: peer, symbol: { OID: 1.3.6.1.4.1.63000.9.1.1.2, name: peerName }, index_transform: [{ start: 0, end: 0 }] }
  - MIB: FAN-MIB
    table: { OID: 1.3.6.1.4.1.63000.7.1, name: fanTable }
    symbols: [{ OID: ${entry}.2, name: fanState, mapping: { 1: turning } }, { OID: ${entry}.7, name: fanText, extract_value: '(.)' }]
    metric_tags: [{ index: 1, tag: fan_number }, { index: 2, tag: other }]
virtual_metrics: []
topology: [1]
`;

describe('import kentik', () => {
  it('makes groups of each profile and chooses them by sysObjectID', async (test) => {
    const { directory } = await imported(test, 'kentik', { 'base.yml': base, 'fan.yml': kentik });
    const { raw, problems } = readImported(directory);
    deepEqual(problems, []);
    deepEqual(raw.deviceGroups.get('fan')?.object_groups, ['base', 'fan']);
    equal(raw.sysObjectIds.get('.1.3.6.1.4.1.63000.2') ?? raw.sysObjectIds.get('1.3.6.1.4.1.63000.2'), 'fan');
  });

  it('keeps enums, conversions and tags, and names fields after tags', async (test) => {
    const { directory } = await imported(test, 'kentik', { 'base.yml': base, 'fan.yml': kentik });
    const { raw } = readImported(directory);
    const { attributes } = raw.objects.get('fan::fanTable')!;
    deepEqual(
      Object.entries(attributes).map(([key, { name, syntax, tag }]) => [key, name, syntax, tag === true]),
      [
        ['fanState', 'fan.fan_state', 'EnumIntegerKeepID', false],
        ['fanMac', 'fan.fan_mac', 'MacAddressNoSuffix', false],
        ['fanLoad', 'fan.fan_load', 'Integer', false],
        ['fanCode', 'fan.fan_code', 'OctetString', false],
        ['fanName', 'fan.fan', 'DisplayString', true],
      ],
    );
    equal(raw.objects.get('fan::fanTotalScalars')?.attributes['fanTotal']?.name, 'fan.fan_count');
  });

  it('names what it refuses with its place', async (test) => {
    const { refused } = await imported(test, 'kentik', { 'base.yml': base, 'fan.yml': kentik });
    deepEqual(
      placesOf(refused).map((place) => place.replace(/^(\d+):\d+/, '$1')),
      [
        '2 missing.yml',
        '3 provider',
        '4 1.3.*.7',
        '7 poll_time_sec',
        '13 condition',
        '14 fanCode hextoint:BigEndian:uint16',
        '17 traps',
      ],
    );
  });
});

describe('import datadog', () => {
  it('takes the index of a table that ships, and joins tags of tables with the same rows', async (test) => {
    const { directory } = await imported(test, 'datadog', { 'fan.yaml': datadog });
    const { raw, compiled, problems } = readImported(directory);
    deepEqual(problems, []);
    const { index, attributes } = raw.objects.get('fan::ifTable')!;
    deepEqual(
      index?.map(({ type, column }) => [type, column]),
      [['Integer', 'ifIndex']],
    );
    deepEqual(attributes['ifInErrors']?.metric, 'counter');
    equal(compiled.objects.get('fan::peerNameEntry')?.record, 'fan::ifTable');
    equal(compiled.objects.get('fan::ifNameEntry')?.record, 'fan::ifTable');
  });

  it('reads a metric that is its own symbol, and names tags of another form', async (test) => {
    const old = `
metrics:
  - { OID: 1.3.6.1.4.1.63000.7.9.0, name: fanTotal, metric_type: gauge }
  - table: { OID: 1.3.6.1.4.1.63000.7.1, name: fanTable }
    symbols: [{ OID: ${entry}.2, name: fanHeat }]
    metric_tags:
      - fan
      - { tag: mode, column: { OID: ${entry}.3, name: fanMode, conversion: odd, enum: { on: 1 } } }
`;
    const { directory, refused } = await imported(test, 'datadog', { 'fan.yaml': old });
    const { raw, problems } = readImported(directory);
    deepEqual(problems, []);
    const attributes = [...raw.objects].flatMap(([id, object]) =>
      id.startsWith('fan::') ? Object.keys(object.attributes) : [],
    );
    deepEqual(attributes.sort(), ['fanHeat', 'fanMode', 'fanTotal']);
    deepEqual(placesOf(refused), ['7:9 fan', '8:79 fanMode odd']);
  });

  it('puts the whole index of an unknown table into one label', async (test) => {
    const { directory } = await imported(test, 'datadog', { 'fan.yaml': datadog });
    const { index } = readImported(directory).raw.objects.get('fan::fanTable')!;
    deepEqual(
      index?.map(({ type, column }) => [type, column]),
      [['ImplicitObjectIdentifier', 'fan_number']],
    );
  });

  it('names what it refuses with its place', async (test) => {
    const { refused } = await imported(test, 'datadog', { 'fan.yaml': datadog });
    deepEqual(
      placesOf(refused).map((place) => place.replace(/^(\d+):\d+/, '$1')),
      [
        '3 device',
        '10 ifOutErrors scale_factor',
        '16 extract_value',
        '17 other',
        '18 virtual_metrics',
        '19 topology',
      ],
    );
  });
});

describe('profiles that extend others', () => {
  const metric = 'metrics:\n  - { MIB: IF-MIB, symbol: { OID: 1.3.6.1.2.1.2.1.0, name: ifNumber } }\n';

  /** The groups of the first of the profiles, of which each extends those that are named. */
  function groupsOf(count: number, extendsOf: (at: number) => readonly number[]) {
    const sources = Array.from({ length: count }, (_, at) => {
      const first = at === 0 ? 'sysobjectid: 1.3.6.1.4.1.63000.1\n' : '';
      const text = `extends: [${extendsOf(at).map((each) => `p${each}.yml`)}]\n${first}${at < count - 1 ? '' : metric}`;
      const document = parseYaml(text, 'typed', 100);
      return new SourceFile(`p${at}.yml`, text, document.value, {
        keyOffset: -1,
        offset: 0,
        children: new Map(),
      });
    });
    const [map, names] = [new Map(), new Set<string>()];
    const known: KnownDefinitions = {
      indexes: map,
      counters: map,
      gauges: names,
      texts: map,
      columns: map,
      tables: map,
      objectGroups: names,
      deviceGroups: names,
    };
    const { set, report } = importProfiles('datadog', sources, known);
    return { groups: set.deviceGroups, refused: report.refused };
  }

  it('in a chain of 20,000 are followed to its end', () => {
    const { groups } = groupsOf(20_000, (at) => (at < 19_999 ? [at + 1] : []));
    deepEqual(
      groups.map(({ members }) => members.length),
      [1],
    );
  });

  it('are visited once, although 2^60 ways lead to the last', () => {
    const { groups } = groupsOf(121, (at) => (at === 120 ? [] : [at + 1, Math.min(at + 2, 120)]));
    deepEqual(
      groups.map(({ members }) => members.length),
      [1],
    );
  });

  it('in a circle are refused at the one that closes it', () => {
    const { refused } = groupsOf(3, (at) => [(at + 1) % 3]);
    deepEqual(
      refused.map(({ file, what }) => `${file} ${what}`),
      ['p2.yml p0.yml'],
    );
  });
});
