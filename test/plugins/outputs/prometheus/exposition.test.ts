import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch, ColumnFacts } from '../../../../src/index.ts';
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
    assert.deepEqual(named('pages', 'sheets'), ['snmp_pages_sheets', 'sheets']);
  });

  it('serves base units, with values to match', () => {
    const measured: readonly (readonly [unit: string, value: number, name: string, expected: string])[] = [
      ['ms', 1_500, 'snmp_v_seconds', '1.5'],
      ['cs', 8_640_000, 'snmp_v_seconds', '86400'],
      ['%', 37, 'snmp_v_ratio', '0.37'],
      ['bit/s', 1e9, 'snmp_v_bytes_per_second', '125000000'],
      ['100Wh', 3, 'snmp_v_joules', '1080000'],
      ['B', 7, 'snmp_v_bytes', '7'],
      ['1', 7, 'snmp_v', '7'],
    ];
    for (const [unit, value, name, expected] of measured) {
      const families = render([withUnit(createTestBatch({ rows: [{ values: { v: value } }] }), unit)]);
      assert.deepEqual([...families.keys()], [name]);
      assert.equal(families.get(name)!.samples[0]!.value, expected);
    }
    const counter = render([withUnit(createTestBatch({ rows: [{ values: { c: 2_500n } }] }), 'ms')]);
    assert.deepEqual(counter.get('snmp_c_seconds')!.samples[0]!.value, '2.5');
  });

  it('ends no name in a suffix that means something else', () => {
    const names = (value: number | bigint) =>
      ['users.count', 'memory.total', 'queue.sum', 'leaky.bucket', 'data.info', 'a.total.count'].map(
        (field) => [...render([createTestBatch({ rows: [{ values: { [field]: value } }] })]).keys()][0],
      );
    const expected = ['snmp_users', 'snmp_memory', 'snmp_queue', 'snmp_leaky', 'snmp_data', 'snmp_a'];
    assert.deepEqual(names(1), expected);
    assert.deepEqual(names(1n), expected);
  });

  it('explains each family with the words of its definition, escaped, and never with those of a device', () => {
    const description = 'What "comes in",\nin octets \\ bytes.';
    const batch = createTestBatch({ rows: [{ values: { c: 1n, text: 'device # HELP evil' } }] });
    const columns = batch.columns.map((column) => ({ ...column, about: { description } }));
    for (const openMetrics of [true, false]) {
      const families = [...render([{ ...batch, columns }], { openMetrics }).values()];
      assert.deepEqual(
        families.map(({ help }) => help),
        [description, 'Texts of TEST-MIB::testEntry.'],
      );
    }
  });

  it('serves states as numbers, flags as state sets and dates as times, so that no label changes with them', () => {
    const batch = createTestBatch({
      rows: [
        {
          values: {
            'port.oper.name': 'up',
            'port.oper.id': 1,
            flags: ['b'],
            since: '2024-02-29T13:30:15+02:00',
            serial: 'X1',
          },
        },
        {
          key: '2',
          labels: { i: '2' },
          values: {
            'port.oper.name': '17',
            'port.oper.id': 17,
            flags: [],
            since: '2024-02-29T11:30:15',
            serial: 'X2',
          },
        },
      ],
    });
    const names = new Map([
      [1, 'up'],
      [2, 'down'],
    ]);
    const facts: Readonly<Record<string, ColumnFacts>> = {
      'port.oper.name': { description: 'Whether the port works.', names },
      flags: {
        names: new Map([
          [0, 'a'],
          [1, 'b'],
        ]),
      },
      since: { isTime: true },
    };
    const columns = batch.columns.map((column) => ({ ...column, about: facts[column.field] }));
    const families = render([{ ...batch, columns }]);
    const valuesOf = (name: string) => families.get(name)!.samples.map(({ value }) => value);
    assert.deepEqual(valuesOf('snmp_port_oper_id'), ['1', '17']);
    assert.equal(families.get('snmp_port_oper_id')!.help, 'Whether the port works: 1 up, 2 down.');
    assert.deepEqual(
      families.get('snmp_flags')!.samples.map(({ labels, value }) => [labels['snmp_flags'], value]),
      [
        ['a', '0'],
        ['b', '1'],
        ['a', '0'],
        ['b', '0'],
      ],
    );
    assert.deepEqual(valuesOf('snmp_since_seconds'), ['1709206215', '1709206215']);
    const [info] = families.get('snmp_test_mib_test_entry')!.samples;
    assert.deepEqual(Object.keys(info!.labels), ['device', 'address', 'object', 'serial']);
  });

  it('leaves out what is derived from counters, also when another output asks for it', () => {
    const batch = createTestBatch({ rows: [{ values: { c: 1n, c_rate: 5 } }] });
    const columns = batch.columns.map((column) =>
      column.field === 'c_rate' ? { ...column, about: { derived: 'rate' as const } } : column,
    );
    assert.deepEqual([...render([{ ...batch, columns }]).keys()], ['snmp_c']);
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
      createTestBatch({ timeMs, record: 'OTHER', rows: [{ values: { e: 1n } }] }),
    ];
    const { samples } = render(batches, { created: true, timestamps: true }).get('snmp_c')!;
    assert.deepEqual(
      samples.map(({ name, value, timestamp }) => [name, value, timestamp]),
      [
        ['snmp_c_total', '1', '1700000000.250'],
        ['snmp_c_created', '1699999940.000', undefined],
      ],
    );
    const unknown = render(batches, { created: true, timestamps: true }).get('snmp_e')!;
    assert.deepEqual(
      unknown.samples.map(({ name }) => name),
      ['snmp_e_total'],
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
