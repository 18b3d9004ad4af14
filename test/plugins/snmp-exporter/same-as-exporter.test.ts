import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareOids } from '../../../src/model/oid.ts';
import { parseRecording } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { seriesOf, startBoth } from './support/both-exporters.ts';

const recording = fileURLToPath(new URL('../../recordings/switch.snmprec', import.meta.url));

/** YAML has numbers as keys here, which an object cannot have. */
const enumOf = (...names: readonly string[]) => new Map(names.map((name, i) => [i + 1, name]));

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';
const states = enumOf('up', 'down', 'testing', 'unknown', 'dormant', 'notPresent', 'lowerLayerDown');

const ifIndex = { indexes: [{ labelname: 'ifIndex', type: 'gauge' }] };
const lookup = (labelname: string, oid: string) => ({
  labels: ['ifIndex'],
  labelname,
  oid,
  type: 'DisplayString',
});
// Without ifAlias: the exporter refuses the whole scrape when one text is not UTF-8, as in this recording.
const ofInterface = {
  ...ifIndex,
  lookups: [lookup('ifName', `${ifXEntry}.1`), lookup('ifDescr', `${ifEntry}.2`)],
};
const metric = (name: string, oid: string, type: string, more: object = {}) => ({
  name,
  oid,
  type,
  help: `${name} of the interface - ${oid}`,
  ...more,
});

/** The module if_mib, in the form of the exporter that Debian has: credentials are a part of the module. */
const modules = {
  if_mib: {
    walk: ['1.3.6.1.2.1.2', '1.3.6.1.2.1.31.1.1', '1.3.6.1.2.1.17'],
    get: ['1.3.6.1.2.1.1.1.0', '1.3.6.1.2.1.1.2.0'],
    version: 2,
    auth: { community: 'public' },
    metrics: [
      metric('sysDescr', '1.3.6.1.2.1.1.1', 'DisplayString'),
      metric('ifNumber', '1.3.6.1.2.1.2.1', 'gauge'),
      metric('ifType_info', `${ifEntry}.3`, 'gauge', ofInterface),
      metric('ifMtu', `${ifEntry}.4`, 'gauge', ofInterface),
      metric('ifSpeed', `${ifEntry}.5`, 'gauge', ofInterface),
      metric('ifPhysAddress', `${ifEntry}.6`, 'PhysAddress48', ofInterface),
      metric('ifAdminStatus', `${ifEntry}.7`, 'gauge', { ...ofInterface, enum_values: states }),
      metric('ifOperStatus', `${ifEntry}.8`, 'EnumAsStateSet', { ...ofInterface, enum_values: states }),
      metric('ifInErrors', `${ifEntry}.14`, 'counter', ofInterface),
      metric('ifHCInOctets', `${ifXEntry}.6`, 'counter', ofInterface),
      metric('ifHCOutOctets', `${ifXEntry}.10`, 'counter', ofInterface),
      metric('ifHighSpeed', `${ifXEntry}.15`, 'gauge', ofInterface),
      metric('ifConnectorPresent', `${ifXEntry}.17`, 'EnumAsInfo', {
        ...ofInterface,
        enum_values: enumOf('true', 'false'),
      }),
      metric('dot1dTpFdbPort', '1.3.6.1.2.1.17.4.3.1.2', 'gauge', {
        indexes: [{ labelname: 'dot1dTpFdbAddress', type: 'PhysAddress48', fixed_size: 6 }],
      }),
    ],
  },
};

const rack = '1.3.6.1.4.1.32473.9.1.1';
const peer = '1.3.6.1.4.1.32473.9.2.1';
const outlet = '1.3.6.1.4.1.32473.9.3.1';
const outletIndexes = [
  { labelname: 'rackIndex', type: 'gauge' },
  { labelname: 'peerAddress', type: 'InetAddress' },
  { labelname: 'outletIndex', type: 'gauge' },
];
const rackName = { labels: ['rackIndex'], labelname: 'rackName', oid: `${rack}.2`, type: 'DisplayString' };
const peerName = { labels: ['peerAddress'], labelname: 'peerName', oid: `${peer}.2`, type: 'DisplayString' };
const outletName = {
  labels: ['rackIndex', 'peerAddress', 'outletIndex'],
  labelname: 'outletName',
  oid: `${outlet}.2`,
  type: 'DisplayString',
};

/** Tables whose metrics have other labels each, from other tables. */
const outlets = {
  walk: ['1.3.6.1.4.1.32473.9'],
  version: 2,
  auth: { community: 'public' },
  metrics: [
    metric('outletLoad', `${outlet}.4`, 'gauge', {
      indexes: outletIndexes,
      lookups: [rackName, peerName, outletName],
    }),
    metric('outletHours', `${outlet}.5`, 'counter', { indexes: outletIndexes }),
    metric('outletVolts', `${outlet}.6`, 'gauge', {
      indexes: outletIndexes,
      lookups: [outletName, { labels: [], labelname: 'peerAddress' }],
    }),
    metric('outletName', `${outlet}.2`, 'DisplayString', {
      indexes: outletIndexes,
      lookups: [rackName, outletName, { labels: [], labelname: 'rackIndex' }],
    }),
    metric('outletText', `${outlet}.7`, 'DisplayString', {
      indexes: outletIndexes,
      regex_extracts: {
        Amps: [{ regex: '([\\d.]+).*', value: '$1' }],
        Tenths: [{ regex: '(.*)(.)', value: '$1.$2' }],
      },
    }),
    metric('rackName', `${rack}.2`, 'DisplayString', {
      indexes: [{ labelname: 'rackIndex', type: 'gauge' }],
    }),
  ],
};

const outletRecording = recordingOf([
  ['1.3.6.1.2.1.1.3.0', 67, 100],
  [`${rack}.2.1`, 4, 'north'],
  [`${rack}.2.2`, 4, 'south'],
  [`${peer}.2.1.4.192.0.2.1`, 4, 'peer-a'],
  ...['1.1.4.192.0.2.1.7', '2.1.4.192.0.2.1.7', '2.1.4.192.0.2.2.8', '3.1.4.192.0.2.1.9'].flatMap(
    (instance, i) => [
      [`${outlet}.2.${instance}`, 4, `outlet ${i}`],
      [`${outlet}.4.${instance}`, 66, 70 + i],
      [`${outlet}.5.${instance}`, 65, 100 + i],
      [`${outlet}.6.${instance}`, 2, 230 - i],
      [`${outlet}.7.${instance}`, 4, 2305 + 5 * i],
    ],
  ),
]);

const every = '1.3.6.1.4.1.32473.9.4.1';
const ofRow = { indexes: [{ labelname: 'thing', type: 'gauge' }] };
const bits = new Map(['hot', 'loud', 'dirty'].map((name, bit) => [bit, name]));

/** Every type that the exporter has, with values that have no name, are empty, or too short. */
const types = {
  walk: ['1.3.6.1.4.1.32473.9.4'],
  version: 2,
  auth: { community: 'public' },
  metrics: [
    metric('thingState', `${every}.2`, 'EnumAsStateSet', { ...ofRow, enum_values: enumOf('up', 'down') }),
    metric('thingKind', `${every}.3`, 'EnumAsInfo', { ...ofRow, enum_values: enumOf('axial', 'radial') }),
    metric('thingAlarms', `${every}.4`, 'Bits', { ...ofRow, enum_values: bits }),
    metric('thingAddress', `${every}.5`, 'PhysAddress48', ofRow),
    metric('thingBlob', `${every}.6`, 'OctetString', ofRow),
    metric('thingText', `${every}.7`, 'DisplayString', ofRow),
    metric('thingHost', `${every}.8`, 'InetAddressIPv4', ofRow),
    metric('thingBuilt', `${every}.9`, 'DateAndTime', ofRow),
    metric('thingLoad', `${every}.10`, 'Float', ofRow),
    metric('thingRatio', `${every}.11`, 'Double', ofRow),
    metric('thingModel', `${every}.12`, 'OctetString', ofRow),
    // A text that is the only label of its series.
    metric('thingName', `${every}.13`, 'DisplayString', {
      ...ofRow,
      lookups: [
        { labels: ['thing'], labelname: 'thingName', oid: `${every}.13`, type: 'DisplayString' },
        { labels: [], labelname: 'thing' },
      ],
    }),
    // The exporter shows the kind of a row by its number.
    metric('thingByKind', '1.3.6.1.4.1.32473.9.4.2.1.2', 'gauge', {
      indexes: [
        { labelname: 'kind', type: 'EnumAsInfo', enum_values: enumOf('axial', 'radial') },
        { labelname: 'place', type: 'gauge' },
      ],
    }),
    metric('thingOfKind', '1.3.6.1.4.1.32473.9.4.2.1.1', 'gauge', {
      indexes: [
        { labelname: 'kind', type: 'EnumAsInfo', enum_values: enumOf('axial', 'radial') },
        { labelname: 'place', type: 'gauge' },
      ],
    }),
  ],
};

const typeRecording = recordingOf([
  ['1.3.6.1.2.1.1.3.0', 67, 100],
  ...[1, 2, 7].map((value, i) => [`${every}.2.${i + 1}`, 2, value] as const),
  ...[1, 2, 7].map((value, i) => [`${every}.3.${i + 1}`, 2, value] as const),
  ...['a0', '', 'f0ff'].map((octets, i) => [`${every}.4.${i + 1}`, '4x', octets] as const),
  ...['0242ac110002', '', '0a0b0c0d0e'].map((octets, i) => [`${every}.5.${i + 1}`, '4x', octets] as const),
  ...['00ff', '', '6162'].map((octets, i) => [`${every}.6.${i + 1}`, '4x', octets] as const),
  ...['61', '', 'c3bc'].map((octets, i) => [`${every}.7.${i + 1}`, '4x', octets] as const),
  ...['192.0.2.1', '0.0.0.0'].map((address, i) => [`${every}.8.${i + 1}`, 64, address] as const),
  ...['07e60b18080f1e00', '07e60b18080f1e002b0100'].map(
    (octets, i) => [`${every}.9.${i + 1}`, '4x', octets] as const,
  ),
  ...['9f780441ac0000', '9f7804c0100000'].map(
    (octets, i) => [`${every}.10.${i + 1}`, '68x', octets] as const,
  ),
  ...['9f7908bfb999999999999a'].map((octets, i) => [`${every}.11.${i + 1}`, '68x', octets] as const),
  ...['1.3.6.1.4.1.9', '0.0'].map((oid, i) => [`${every}.12.${i + 1}`, 6, oid] as const),
  ...['a', 'b', 'c'].map((text, i) => [`${every}.13.${i + 1}`, 4, text] as const),
  ...['1.1', '2.1', '3.1'].map((row, i) => [`1.3.6.1.4.1.32473.9.4.2.1.1.${row}`, 2, i] as const),
  ...['1.1', '2.1', '3.1'].map((row, i) => [`1.3.6.1.4.1.32473.9.4.2.1.2.${row}`, 2, i] as const),
]);

const probe = '1.3.6.1.4.1.32473.9.6.1';
const okOrFailed = enumOf('ok', 'failed');

/** What came with newer versions than Debian's: scale, offset (applied after it), dates in texts, labels that are names of numbers. */
const newer = {
  walk: [probe],
  version: 2,
  auth: { community: 'public' },
  metrics: [
    metric('probeHeat', `${probe}.2`, 'gauge', { ...ofRow, scale: 0.1, offset: -5 }),
    metric('probeOk', `${probe}.3`, 'gauge', { ...ofRow, enum_values: okOrFailed, scale: -1, offset: 2 }),
    metric('probeRuns', `${probe}.4`, 'gauge', {
      ...ofRow,
      scale: 0.01,
      lookups: [
        {
          labels: ['thing'],
          labelname: 'probeKind',
          oid: `${probe}.8`,
          type: 'EnumAsInfo',
          enum_values: enumOf('axial', 'radial'),
        },
      ],
    }),
    metric('probeBuilt', `${probe}.5`, 'ParseDateAndTime', { ...ofRow, datetime_pattern: '%b %d %Y' }),
    metric('probeNow', `${probe}.6`, 'ParseDateAndTime', {
      ...ofRow,
      datetime_pattern: '%a %b %d %H:%M:%S %Y',
    }),
    metric('probeRate', `${probe}.7`, 'DisplayString', {
      ...ofRow,
      scale: 10,
      offset: 1,
      regex_extracts: { Percent: [{ regex: '([\\d.]+).*', value: '$1' }] },
    }),
  ],
};

const probeRecording = recordingOf([
  ['1.3.6.1.2.1.1.3.0', 67, 100],
  ...[253, -40].map((value, i) => [`${probe}.2.${i + 1}`, 2, value] as const),
  ...[1, 2].map((value, i) => [`${probe}.3.${i + 1}`, 2, value] as const),
  ...[4200, 50].map((value, i) => [`${probe}.4.${i + 1}`, 67, value] as const),
  ...['Feb 29 2024', 'Never'].map((text, i) => [`${probe}.5.${i + 1}`, 4, text] as const),
  [`${probe}.6.1`, 4, 'Thu Feb 29 13:30:15 2024'],
  ...[2, 7].map((value, i) => [`${probe}.8.${i + 1}`, 2, value] as const),
  ...['12.5 %', 'none'].map((text, i) => [`${probe}.7.${i + 1}`, 4, text] as const),
]);

const probeSeries = {
  'probeHeat thing=1': 20.3,
  'probeHeat thing=2': -9,
  'probeOk thing=1': 1,
  'probeOk thing=2': 0,
  'probeRuns probeKind=radial thing=1': 42,
  'probeRuns probeKind=7 thing=2': 0.5,
  'probeBuilt thing=1': 1_709_164_800,
  'probeNow thing=1': 1_709_213_415,
  'probeRatePercent thing=1': 126,
};

function recordingOf(lines: readonly (readonly (string | number)[])[]): string {
  return [...lines]
    .sort(([one], [other]) => compareOids(String(one), String(other)))
    .map((line) => `${line.join('|')}\n`)
    .join('');
}

describe('GET /snmp of a module that was imported from snmp.yml', () => {
  it('has the series of snmp_exporter: names, labels and values', {
    skip: missingTool('prometheus-snmp-exporter'),
  }, async (test) => {
    const known = { ...modules, outlets, types };
    const { scrape, startAgent, refused } = await startBoth(test, known, { ...known, newer });
    const agents = {
      if_mib: await startAgent(recording),
      outlets: await startAgent(parseRecording(outletRecording)),
      types: await startAgent(parseRecording(typeRecording)),
    };
    const newerAgent = await startAgent(parseRecording(probeRecording));
    for (const agent of [...Object.values(agents), newerAgent]) test.after(() => agent.close());
    assert.deepEqual(refused, []);
    for (const [module, agent] of Object.entries(agents)) {
      const { theirs, scrapeOurs } = await scrape(agent, module);
      const ours = await scrapeOurs();
      assert.equal(ours.status, 200, ours.text);
      const expected = seriesOf(theirs.text);
      assert.ok(Object.keys(expected).length > (module === 'if_mib' ? 300 : 15), theirs.text.slice(0, 500));
      assert.deepEqual(seriesOf(ours.text), expected);
    }
    // The exporter of Debian refuses a file with these keys: what they mean is in the documentation and the source of newer ones.
    const { scrapeOurs } = await scrape(newerAgent, 'newer');
    assert.deepEqual(seriesOf((await scrapeOurs()).text), probeSeries);
  });
});
