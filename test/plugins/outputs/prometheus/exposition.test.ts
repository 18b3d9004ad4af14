import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { parseExposition } from './exposition-parser.ts';

function renderText(
  batches: readonly Batch[],
  { openMetrics = true, timestamps = false, created = false, stateSets = [] as readonly string[] } = {},
): string {
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(stateSets),
    staleIntervals: 3,
    timestamps: true,
  });
  for (const batch of batches) latest.take(batch);
  const devices = latest.fresh(batches[0]!.timeMs);
  return Array.from(renderExposition(devices, { openMetrics, timestamps, created, nowMs: 0 }), String).join(
    '',
  );
}

const render = (batches: readonly Batch[], settings: Parameters<typeof renderText>[1] = {}) =>
  parseExposition(renderText(batches, settings), settings.openMetrics ?? true);

const withUnit = (batch: Batch, unit: string): Batch => ({
  ...batch,
  columns: batch.columns.map((column) => ({ ...column, unit })),
});

describe('the exposition', () => {
  it('matches the README', () => {
    const batch = createTestBatch({
      record: 'IF-MIB::ifEntry',
      tags: { site: 'berlin' },
      rows: [
        {
          labels: { 'netif.index': '1' },
          values: { 'netif.bytes.in': 7n, 'netif.speed': 1e9, 'netif.up': true, 'netif.alias': 'to "b"' },
        },
      ],
    });
    const labels =
      '{device="router-1",address="192.0.2.1:161",object="IF-MIB::ifEntry",netif_index="1",site="berlin"';
    assert.deepEqual(renderText([batch]).split('\n'), [
      '# HELP snmp_netif_bytes_in netif.bytes.in of the device.',
      '# TYPE snmp_netif_bytes_in counter',
      `snmp_netif_bytes_in_total${labels}} 7`,
      '# HELP snmp_netif_speed netif.speed of the device.',
      '# TYPE snmp_netif_speed gauge',
      `snmp_netif_speed${labels}} 1000000000`,
      '# HELP snmp_netif_up netif.up of the device.',
      '# TYPE snmp_netif_up gauge',
      `snmp_netif_up${labels}} 1`,
      '# HELP snmp_if_mib_if_entry Texts of IF-MIB::ifEntry.',
      '# TYPE snmp_if_mib_if_entry info',
      `snmp_if_mib_if_entry_info${labels},netif_alias="to \\"b\\""} 1`,
      '# EOF',
      '',
    ]);
    assert.match(renderText([batch], { openMetrics: false }), /^# TYPE snmp_netif_bytes_in_total counter$/m);
  });

  it('writes every text of a device as a label, never as syntax', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('"} 1\nevil{a="', '\\', '\\n', '</script>', '\r', '\u2028', '# EOF\n', 'é', '"'),
    );
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('device', 'le', '__name__', '7'),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, field, fc.boolean(), (name, label, text, key, openMetrics) => {
        const batch = createTestBatch({
          device: { name, ip: '::1', port: 161 },
          tags: { [key]: label },
          record: key,
          rows: [{ labels: { [key]: label, other: text }, values: { [key]: 5, 'a.text': text } }],
        });
        const families = render([batch], { openMetrics });
        const cleaned = (value: string) => value.replaceAll('\0', '\uFFFD');
        for (const { samples } of families.values()) {
          assert.equal(samples.length, 1);
          const values = Object.values(samples[0]!.labels);
          assert.equal(samples[0]!.labels['device'], cleaned(name));
          assert.equal(samples[0]!.labels['other'], cleaned(text));
          assert.ok(values.filter((value) => value === cleaned(label)).length >= 2);
        }
        assert.equal(families.size, 2);
      }),
      { numRuns: 400 },
    );
  });

  it('cuts a name of 64 KiB, and distinguishes rows that are equal afterwards', () => {
    const long = 'x'.repeat(1 << 16);
    const rows = ['1', '2'].map((key) => ({ key, labels: { name: long + key }, values: { v: Number(key) } }));
    const { samples } = render([createTestBatch({ rows })]).get('snmp_v')!;
    assert.deepEqual(
      samples.map(({ labels, value }) => [labels['name']?.length, labels['row'], value]),
      [
        [1024, undefined, '1'],
        [1024, '2', '2'],
      ],
    );
  });

  it('treats an empty label like a missing one', () => {
    const rows = ['1', '2'].map((key) => ({ key, values: { v: Number(key) } }));
    const batch = createTestBatch({ rows });
    const mixed = { ...batch, rows: { ...batch.rows, labels: { name: ['', undefined] } } };
    const { samples } = render([mixed]).get('snmp_v')!;
    assert.deepEqual(
      samples.map(({ labels }) => [labels['name'], labels['row']]),
      [
        ['', undefined],
        [undefined, '2'],
      ],
    );
  });

  it('writes every kind of number, and nothing for a gap', () => {
    const rows = [Number.NaN, 1 / 0, -1 / 0, 1e21, -0.25, 2 ** 53].map((v) => ({ values: { v } }));
    const { samples } = render([createTestBatch({ rows: [...rows, {}] })]).get('snmp_v')!;
    assert.deepEqual(
      samples.map(({ value }) => value),
      ['NaN', '+Inf', '-Inf', '1e+21', '-0.25', '9007199254740992'],
    );
    const counters = render([createTestBatch({ rows: [{ values: { c: 2n ** 64n - 1n } }] })]).get('snmp_c')!;
    assert.equal(counters.samples[0]!.value, '18446744073709551615');
  });

  it('writes every digit of integers of any length, as gauges and as counters', () => {
    const edges = Array.from({ length: 16 }, (_, power) => [10 ** power - 1, 10 ** power, 10 ** power + 1]);
    const words = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 2, 2 ** 53 - 1];
    const drawn = fc.sample(fc.maxSafeNat(), { numRuns: 2_000, seed: 7 });
    const integers = [...edges.flat(), ...words, ...drawn];
    const rows = integers.map((value, i) => ({
      labels: { i: String(i) },
      values: { c: BigInt(value), g: value },
    }));
    const families = render([createTestBatch({ rows })]);
    for (const name of ['snmp_c', 'snmp_g']) {
      assert.deepEqual(
        families.get(name)!.samples.map(({ value }) => value),
        integers.map(String),
      );
    }
  });

  it('appends units unless the name has them already', () => {
    const named = (field: string, unit: string) =>
      [...render([withUnit(createTestBatch({ rows: [{ values: { [field]: 1 } }] }), unit)])].map(
        ([name, family]) => [name, family.unit],
      )[0];
    assert.deepEqual(named('entity.sensor', '°C'), ['snmp_entity_sensor_celsius', 'celsius']);
    assert.deepEqual(named('netif.bytes.in_rate', 'B/s'), [
      'snmp_netif_bytes_in_rate_bytes_per_second',
      'bytes_per_second',
    ]);
    assert.deepEqual(named('sessions.new', '/s'), ['snmp_sessions_new_per_second', 'per_second']);
    assert.deepEqual(named('netif.bytes.in', 'B'), ['snmp_netif_bytes_in', undefined]);
    assert.deepEqual(named('memory.bytes', 'B'), ['snmp_memory_bytes', 'bytes']);
    assert.deepEqual(named('battery', '100Wh'), ['snmp_battery_100_wh', '100_wh']);
  });

  it('makes unique names for families', () => {
    const batches = [
      { 'a.b': 1 },
      { a_b: 2 },
      { 'a.b': 3n },
      { 'a.b.total': 4n },
      { 'a.b.total': 5 },
      { a: { b: 1 } },
    ]
      .slice(0, 5)
      .map((values, i) =>
        createTestBatch({ record: `R${i}`, rows: [{ values: values as Record<string, number> }] }),
      );
    for (const openMetrics of [true, false]) {
      const values = [...render(batches, { openMetrics }).values()].map(({ samples }) =>
        samples.map(({ value }) => value),
      );
      assert.deepEqual(values.flat().sort(), ['1', '2', '3', '4', '5']);
    }
  });

  it('writes state sets of the configured fields, with every known state', () => {
    const rows = ['up', 'down', 'up'].map((state, i) => ({
      labels: { port: String(i) },
      values: { 'netif.state': state, flags: i === 0 ? ['a', 'b'] : [] },
    }));
    const families = render([createTestBatch({ rows })], { stateSets: ['netif.state'] });
    const states = families.get('snmp_netif_state')!;
    assert.equal(states.type, 'stateset');
    assert.deepEqual(
      states.samples.filter(({ value }) => value === '1').map(({ labels }) => labels['snmp_netif_state']),
      ['up', 'down', 'up'],
    );
    const info = families.get('snmp_test_mib_test_entry')!;
    assert.deepEqual(
      info.samples.map(({ labels }) => labels['flags']),
      ['a,b', '', ''],
    );
  });

  it('writes the start time of counters, which is that of their agent, and the time of each poll', () => {
    const timeMs = 1_700_000_000_250;
    const batches = [
      createTestBatch({ timeMs, startedMs: timeMs - 60_250, rows: [{ values: { c: 1n } }] }),
      createTestBatch({ timeMs, record: 'OTHER', rows: [{ values: { d: 1n } }] }),
    ];
    const { samples } = render(batches, { created: true, timestamps: true }).get('snmp_c')!;
    assert.deepEqual(
      samples.map(({ name, value, timestamp }) => [name, value, timestamp]),
      [
        ['snmp_c_total', '1', '1700000000.250'],
        ['snmp_c_created', '1699999940.000', undefined],
      ],
    );
    const unknown = render(batches, { created: true, timestamps: true }).get('snmp_d')!;
    assert.deepEqual(
      unknown.samples.map(({ name }) => name),
      ['snmp_d_total'],
    );
    const classic = render(batches, { openMetrics: false, created: true, timestamps: true });
    assert.equal(classic.get('snmp_c_total')!.samples[0]!.timestamp, String(timeMs));
    assert.ok(!classic.has('snmp_c_created'));
  });

  it('is the same text in any number of chunks', () => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({
      labels: { i: String(i) },
      values: { a: i, b: BigInt(i) },
    }));
    const families = render([createTestBatch({ rows })]);
    assert.deepEqual(
      [...families.values()].map(({ samples }) => samples.length),
      [5000, 5000],
    );
  });
});
