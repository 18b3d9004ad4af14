import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rowsOf } from '../../../src/index.ts';
import { pollRecording } from '../../../src/testing/index.ts';
import { imported, placesOf, readImported } from './support/imported.ts';

const entry = '1.3.6.1.4.1.63000.7.1.1';

const snmpYml = `
auths:
  lab: { community: very-hidden, version: 2 }
  safe:
    version: 3
    username: observer
    security_level: authPriv
    password: long-password
    auth_protocol: SHA256
    priv_protocol: AES
    priv_password: other-password
  broken: { version: 4 }
modules:
  fans:
    walk: [${entry}]
    max_repetitions: 10
    filters: [{ oid: ${entry}.3, targets: [], values: ['1'] }]
    surprise: 1
    metrics:
      - { name: fanTemperature, oid: ${entry}.2, type: gauge, help: 'Heat. More. - ${entry}.2', scale: 0.1, offset: -5, indexes: &index [{ labelname: fanIndex, type: gauge }], lookups: &lookups [{ labels: [fanIndex], labelname: fanName, oid: ${entry}.3, type: DisplayString }, { labels: [], labelname: fanIndex }] }
      - { name: fanState, oid: ${entry}.4, type: EnumAsStateSet, help: State, indexes: *index, lookups: *lookups, enum_values: { 1: turning, 2: stalled } }
      - { name: fanKind, oid: ${entry}.5, type: EnumAsInfo, help: Kind, indexes: *index, lookups: *lookups, enum_values: { 1: axial } }
      - { name: fanTurns, oid: ${entry}.6, type: counter, help: Turns, indexes: *index, lookups: *lookups }
      - { name: fanAlarms, oid: ${entry}.7, type: Bits, help: Alarms, indexes: *index, lookups: *lookups, enum_values: { 0: hot, 1: loud } }
      - { name: fanText, oid: ${entry}.8, type: DisplayString, help: Text, indexes: *index, lookups: *lookups, regex_extracts: { Rpm: [{ regex: '(\\d+) rpm', value: '$1' }], Tenths: [{ regex: '^(?:(.*)(.))$', value: '$1.$2' }], Odd: [{ regex: '(a+)+x', value: '$1' }] } }
      - { name: fanBuilt, oid: ${entry}.9, type: ParseDateAndTime, help: Built, indexes: *index, lookups: *lookups, datetime_pattern: '%Y' }
      - { name: fanPeer, oid: ${entry}.12, type: OctetString, help: Peer, indexes: *index, lookups: *lookups, display_hint: 1d.1d.1d.1d }
      - { name: fanBlob, oid: ${entry}.13, type: OctetString, help: Blob, indexes: *index, lookups: *lookups, display_hint: '2x-' }
      - { name: fanMagic, oid: ${entry}.10, type: Sorcery, help: Magic, indexes: *index }
      - { name: fanPortLoad, oid: 1.3.6.1.4.1.63000.7.2.1.3, type: gauge, help: Load, indexes: [{ labelname: fanIndex, type: gauge }, { labelname: fanPort, type: gauge }], lookups: [{ labels: [fanIndex], labelname: fanName, oid: ${entry}.3, type: DisplayString }] }
      - { name: fanPeerCost, oid: 1.3.6.1.4.1.63000.7.3.1.2, type: gauge, help: Cost, indexes: [{ labelname: fanPeer, type: InetAddress }] }
      - { name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9.0, type: gauge, help: Total }
      - { name: fanOk, oid: ${entry}.14, type: gauge, help: Ok, indexes: *index, lookups: *lookups, enum_values: { 1: ok, 2: failed }, scale: -1, offset: 2 }
  system:
    metrics: [{ name: sysUpTime, oid: 1.3.6.1.2.1.1.3, type: gauge, help: Uptime }]
`;

describe('import snmp-exporter', () => {
  it('makes an object group and a device group of each module', async (test) => {
    const { directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': snmpYml });
    const { raw, problems } = readImported(directory);
    deepEqual(problems, []);
    deepEqual(raw.deviceGroups.get('fans')?.object_groups, ['fans']);
    deepEqual(raw.objectGroups.get('fans')?.objects.length, 4);
  });

  it('does not replace an object group that ships', async (test) => {
    const { directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': snmpYml });
    const { raw } = readImported(directory);
    deepEqual(raw.deviceGroups.get('system')?.object_groups, ['system-module']);
    ok(raw.objectGroups.get('system')?.objects.includes('SNMPv2-MIB::system'));
  });

  it('keeps names, types, scales and enums', async (test) => {
    const { directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': snmpYml });
    const { raw } = readImported(directory);
    const { attributes, index } = raw.objects.get('fans::fanEntry')!;
    const short = ({ syntax, metric, tag, scale, state_as }: (typeof attributes)[string]) =>
      JSON.parse(JSON.stringify({ syntax, metric, tag, scale, state_as }));
    deepEqual(Object.fromEntries(Object.entries(attributes).map(([key, each]) => [key, short(each)])), {
      fanTemperature: { syntax: 'Integer', metric: 'gauge', scale: { factor: 0.1, offset: -5 } },
      fanName: { syntax: 'DisplayString', tag: true },
      fanState: { syntax: 'EnumIntegerKeepID', state_as: 'set' },
      fanKind: { syntax: 'EnumInteger', state_as: 'label' },
      fanTurns: { syntax: 'Counter32', metric: 'counter' },
      fanAlarms: { syntax: 'EnumBitmap' },
      fanTextRpm: { syntax: 'NumberInText', metric: 'gauge' },
      fanTextTenths: { syntax: 'NumberInText', metric: 'gauge', scale: { factor: 0.1 } },
      fanBuilt: { syntax: 'DateInText' },
      fanPeer: { syntax: 'IpAddressNoSuffix' },
      fanBlob: { syntax: 'OctetStringHex' },
      fanOk: { syntax: 'Integer', metric: 'gauge', scale: { factor: -1, offset: 2 } },
    });
    equal(attributes['fanTemperature']!.description, 'Heat');
    deepEqual(
      index,
      [{ type: 'Integer', oid: undefined, syntax: 'skip' }].map(({ type, syntax }) => ({ type, syntax })),
    );
    const peer = raw.objects.get('fans::fanPeerCostEntry')!;
    deepEqual(
      peer.index?.map(({ type, column }) => [type, column]),
      [
        ['Integer', undefined],
        ['OctetString', 'fanPeer'],
      ],
    );
  });

  it('names what it refuses with its place', async (test) => {
    const { refused, counts } = await imported(test, 'snmp-exporter', { 'snmp.yml': snmpYml });
    deepEqual(
      placesOf(refused).map((place) => place.replace(/^(\d+):\d+/, '$1')),
      [
        '12 broken version',
        '16 max_repetitions',
        '17 filters',
        '18 surprise',
        '25 fanTextOdd regex_extracts',
        '26 fanBuilt datetime_pattern',
        '28 fanBlob display_hint',
        '29 fanMagic',
      ],
    );
    equal(counts['refused'], 8);
  });

  it('writes secrets into files that only their owner reads', async (test) => {
    const { directory, written } = await imported(test, 'snmp-exporter', { 'snmp.yml': snmpYml });
    const defaults = readFileSync(join(directory, 'defaults/device.yml'), 'utf8');
    match(defaults, /communities: \["\$\{file:lab\.community\}"\]/);
    for (const path of written.filter((each) => !each.startsWith('secrets/'))) {
      ok(!/very-hidden|long-password|other-password/.test(readFileSync(join(directory, path), 'utf8')), path);
    }
    equal(readFileSync(join(directory, 'secrets/lab.community'), 'utf8'), 'very-hidden\n');
    equal(statSync(join(directory, 'secrets/safe.privacy')).mode & 0o777, 0o600);
  });

  it('reads the format before version 0.23', async (test) => {
    const old =
      'fans:\n  version: 2\n  auth: { community: old }\n  metrics: [{ name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }]\n';
    const { directory, refused } = await imported(test, 'snmp-exporter', { 'snmp.yml': old });
    deepEqual(refused, []);
    ok(readImported(directory).raw.deviceGroups.has('fans'));
  });

  it('takes the version of a user from the module that has it, before version 0.23', async (test) => {
    const old = `
fans:
  version: 3
  auth: { username: observer, security_level: authNoPriv, auth_protocol: SHA, password: long-password }
  metrics: [{ name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }]
`;
    const { directory, refused } = await imported(test, 'snmp-exporter', { 'snmp.yml': old });
    deepEqual(refused, []);
    equal(readFileSync(join(directory, 'secrets/fans.authentication'), 'utf8'), 'long-password\n');
    deepEqual(readImported(directory).raw.networks.get('fans')?.credentials, [
      {
        version: '3',
        v3_credential: {
          username: 'observer',
          authentication_protocol: 'sha',
          authentication_passphrase: '${file:fans.authentication}',
        },
      },
    ]);
  });

  it('gives devices the version of public_v2, which snmp_exporter uses where a scrape names no auth', async (test) => {
    const two = `
auths: { public_v1: { version: 1 }, public_v2: { version: 2 }, public_v3: { version: 3, username: observer } }
modules:
  fans: { metrics: [{ name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }] }
`;
    const { directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': two });
    ok(readFileSync(join(directory, 'defaults/device.yml'), 'utf8').includes('version: "2c"'));
  });

  it('names a module without metrics, as generator.yml has them', async (test) => {
    const both = `
modules:
  fans: { metrics: [{ name: fanTotal, oid: 1.3.6.1.4.1.63000.7.9, type: gauge }] }
  pumps: { walk: [pumpTable], lookups: [{ source_indexes: [pumpIndex], lookup: pumpName }] }
`;
    const { refused, directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': both });
    deepEqual(placesOf(refused), ['4:3 pumps']);
    ok(!readImported(directory).raw.deviceGroups.has('pumps'));
  });

  it('makes definitions that poll a recording', async (test) => {
    const ifMib = `
modules:
  if_mib:
    metrics:
      - { name: ifHCInOctets, oid: 1.3.6.1.2.1.31.1.1.1.6, type: counter, indexes: [{ labelname: ifIndex, type: gauge }], lookups: [{ labels: [ifIndex], labelname: ifDescr, oid: 1.3.6.1.2.1.2.2.1.2, type: DisplayString }] }
`;
    const { directory } = await imported(test, 'snmp-exporter', { 'snmp.yml': ifMib });
    const recording = join('test/recordings', 'switch.snmprec');
    const batches = await pollRecording({ definitions: [directory], recording, deviceGroups: ['if_mib'] });
    const rows = batches.flatMap((batch) => [...rowsOf(batch)]);
    const [first] = rows.filter(({ values }) => values['if_mib.if_hc_in_octets'] !== undefined);
    equal(typeof first?.values['if_mib.if_hc_in_octets'], 'bigint');
    deepEqual(Object.keys(first!.labels).sort(), ['if_mib.if_descr', 'if_mib.if_index']);
  });
});
