import type { Batch, Column, Rows } from '../../src/index.ts';

const interfaces = 48;
export const numericColumns = 30;

/** One poll of the interfaces of each device: 30 numbers, most of them 64-bit counters, and two texts per row. */
export function* createInterfaceBatches(devices: number, sequence = 1): Generator<Batch> {
  for (let device = 0; device < devices; device++) {
    yield {
      device: { name: `router-${device}`, ip: `10.0.${device >> 8}.${device & 255}`, port: 161 },
      tags: { site: 'berlin' },
      record: 'IF-MIB::ifEntry',
      plan: 'IF-MIB::ifEntry@60',
      generation: 1,
      sequence,
      slotMs: Date.now(),
      timeMs: Date.now(),
      rows: createRows(),
      columns: createColumns(device * 1e9 + sequence * 1e6),
    };
  }
}

function createRows(): Rows {
  const names = Array.from({ length: interfaces }, (_, i) => String(i + 1));
  const labels = { 'netif.index': names, 'netif.name': names.map((name) => `GigabitEthernet0/${name}`) };
  return { count: interfaces, keys: names, labels };
}

function createColumns(level: number): Column[] {
  const numbers = Array.from({ length: numericColumns }, (_, column): Column => {
    const field = `netif.group${column % 5}.value${column}`;
    if (column >= 20) {
      return { kind: 'number', metric: 'gauge', field, values: new Float64Array(interfaces).fill(column) };
    }
    const values = Array.from({ length: interfaces }, (_, row) => level * (column + 1) + row * 7919);
    const words = Uint32Array.from(values.flatMap((value) => [value % 2 ** 32, Math.floor(value / 2 ** 32)]));
    return { kind: 'counter', metric: 'counter', field, words };
  });
  const texts = ['netif.alias', 'netif.state.oper.name'].map(
    (field): Column => ({
      kind: 'text',
      field,
      values: Array.from({ length: interfaces }, (_, row) => `${field} ${row}`),
    }),
  );
  return [...numbers, ...texts];
}
