import type { Batch, Column } from '../../src/index.ts';
import { seededRandom } from '../../src/testing/index.ts';

const interfaces = 48;

/**
 * A poll of switches that do little: a quarter of the 48 ports is up with a trickle of traffic on top of what they have counted
 * in months (up to some terabytes), the others were never used. Octets, packets of three kinds, discards and errors in
 * both directions, each with its rate; speed, MTU, type, states, last change; a name and an alias.
 */
export function* createIdleBatches(devices: number): Generator<Batch> {
  const random = seededRandom(1);
  const names = Array.from({ length: interfaces }, (_, i) => `GigabitEthernet1/0/${i + 1}`);
  const aliases = names.map((_, i) => (i % 4 === 0 ? `access port ${i}, floor 2` : ''));
  for (let device = 0; device < devices; device++) {
    const labels = { 'netif.index': names.map((_, i) => `${10_101 + i}`), 'netif.name': [...names] };
    yield {
      device: { name: `access-${device}.example.net`, ip: `10.1.${device >> 8}.${device & 255}`, port: 161 },
      tags: { site: 'berlin', role: 'access' },
      record: 'IF-MIB::ifEntry',
      plan: 'IF-MIB::ifEntry@60',
      generation: 4,
      sequence: 1_000 + device,
      slotMs: 1_767_225_600_000 + 117 * device,
      timeMs: 1_767_225_600_212 + 117 * device,
      rows: { count: interfaces, keys: names.map((name) => `netif.name=${name}`), labels },
      columns: [
        ...createCounters(random),
        ...createGauges(random),
        { kind: 'text', field: 'netif.alias', values: aliases },
      ],
    };
  }
}

const isUsed = (row: number) => row % 4 === 0;

function createCounters(random: () => number): Column[] {
  const sizes = {
    bytes: 2 ** 42,
    unicast: 2 ** 33,
    multicast: 2 ** 26,
    broadcast: 2 ** 25,
    discards: 40,
    errors: 2,
  };
  return Object.entries(sizes).flatMap(([name, size]) =>
    ['in', 'out'].flatMap((direction): Column[] => {
      const field = `netif.${name}.${direction}`;
      const counted = Array.from({ length: interfaces }, (_, row) =>
        isUsed(row) ? Math.floor(random() * size) : 0,
      );
      const rates = counted.map((count) => (count > 1e6 ? Math.floor(random() * 500) / 60.013 : 0));
      const words = Uint32Array.from(
        counted.flatMap((count) => [count % 2 ** 32, Math.floor(count / 2 ** 32)]),
      );
      return [
        { kind: 'counter', metric: 'counter', unit: name === 'bytes' ? 'By' : '{packet}', field, words },
        { kind: 'number', metric: 'gauge', field: `${field}_rate`, values: Float64Array.from(rates) },
      ];
    }),
  );
}

function createGauges(random: () => number): Column[] {
  const numbers: Readonly<Record<string, (row: number) => number>> = {
    'netif.speed': (row) => (isUsed(row) ? 1e9 : 0),
    'netif.mtu': () => 1_500,
    'netif.type': (row) => (row === 47 ? 53 : 6),
    'netif.state.admin': () => 1,
    'netif.state.oper': (row) => (isUsed(row) ? 1 : 2),
    'netif.last_change': (row) => (isUsed(row) ? Math.floor(random() * 1e9) / 100 : 0),
  };
  return Object.entries(numbers).map(([field, numberOf]): Column => {
    const values = Float64Array.from({ length: interfaces }, (_, row) => numberOf(row));
    return { kind: 'number', metric: 'gauge', field, values };
  });
}
