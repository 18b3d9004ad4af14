import type { Batch, Column } from '../../src/index.ts';
import { seededRandom } from '../../src/testing/index.ts';

const interfaces = 48;
/** How the values of a column behave over time. */
interface Behaviour {
  readonly field: string;
  readonly metric: 'counter' | 'gauge';
  /** What a used interface adds per poll at most. */
  readonly growth: number;
  /** How often it adds something. */
  readonly chance: number;
  /** What it has counted before. */
  readonly level: number;
}

const directions = ['in', 'out'];
const counters: readonly Omit<Behaviour, 'metric'>[] = directions.flatMap((direction) => [
  { field: `netif.bytes.${direction}`, growth: 4e9, chance: 1, level: 2 ** 42 },
  { field: `netif.packets.unicast.${direction}`, growth: 5e6, chance: 1, level: 2 ** 33 },
  { field: `netif.packets.multicast.${direction}`, growth: 2_000, chance: 1, level: 2 ** 26 },
  { field: `netif.packets.broadcast.${direction}`, growth: 2_000, chance: 1, level: 2 ** 25 },
  { field: `netif.discards.${direction}`, growth: 5, chance: 0.1, level: 2 ** 12 },
  { field: `netif.errors.${direction}`, growth: 2, chance: 0.02, level: 40 },
  ...Array.from({ length: 6 }, (_, i) => ({
    field: `netif.errors.kind${i}.${direction}`,
    growth: 2,
    chance: 0.001,
    level: 4,
  })),
]);
const gauges: readonly Omit<Behaviour, 'metric' | 'growth' | 'chance'>[] = [
  { field: 'netif.speed', level: 1e9 },
  { field: 'netif.mtu', level: 1_500 },
  { field: 'netif.type', level: 6 },
  { field: 'netif.state.admin', level: 1 },
  { field: 'netif.state.oper', level: 1 },
  { field: 'netif.last_change', level: 1_234_567.25 },
];

/**
 * Switches with 48 interfaces of 30 numbers. On `busy` ones all ports carry megabits; on `idle` ones a quarter is up with a trickle
 * of traffic, and the others were never used.
 */
export class SwitchFleet {
  readonly #devices: readonly SwitchState[];

  constructor(devices: number, kind: 'idle' | 'busy') {
    const random = seededRandom(1);
    this.#devices = Array.from({ length: devices }, (_, i) => new SwitchState(i, kind === 'busy', random));
  }

  /** One poll of every device. */
  *poll(timeMs: number): Generator<Batch> {
    for (const device of this.#devices) yield device.poll(timeMs);
  }
}

class SwitchState {
  readonly #head: Omit<Batch, 'slotMs' | 'timeMs' | 'sequence' | 'columns'>;
  readonly #isBusy: boolean;
  readonly #random: () => number;
  readonly #levels: readonly Float64Array[];
  readonly #paces: Float64Array;
  #sequence = 0;

  constructor(index: number, isBusy: boolean, random: () => number) {
    const names = Array.from({ length: interfaces }, (_, i) => `GigabitEthernet1/0/${i + 1}`);
    this.#isBusy = isBusy;
    this.#random = random;
    this.#head = {
      device: {
        name: `access-${index}.example.net`,
        ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        port: 161,
      },
      tags: { site: 'berlin' },
      record: 'IF-MIB::ifEntry',
      plan: 'IF-MIB::ifEntry@60',
      generation: 1,
      intervalMs: 60_000,
      startedMs: 1_700_000_000_000,
      rows: { count: interfaces, keys: names, labels: { 'netif.name': names } },
    };
    this.#levels = counters.map(({ level }) =>
      Float64Array.from({ length: interfaces }, (_, row) =>
        this.#isUsed(row) ? Math.floor(random() * level) : 0,
      ),
    );
    this.#paces = Float64Array.from({ length: interfaces }, () => random() * (isBusy ? 1 : 0.0001));
  }

  poll(timeMs: number): Batch {
    const random = this.#random;
    const grown = counters.map(({ field, growth, chance }, index): Column => {
      const levels = this.#levels[index]!;
      const words = new Uint32Array(2 * interfaces);
      for (let row = 0; row < interfaces; row++) {
        if (this.#isUsed(row) && (chance === 1 || random() < chance * (this.#isBusy ? 1 : 0.1))) {
          const share = chance === 1 ? this.#paces[row]! * (0.7 + 0.6 * random()) : random();
          levels[row] = levels[row]! + Math.ceil(growth * share);
        }
        words[2 * row] = levels[row]!;
        words[2 * row + 1] = levels[row]! / 2 ** 32;
      }
      return { kind: 'counter', metric: 'counter', field, words };
    });
    const still = gauges.map(({ field, level }): Column => {
      const values = Float64Array.from({ length: interfaces }, (_, row) => (this.#isUsed(row) ? level : 0));
      return { kind: 'number', metric: 'gauge', field, values };
    });
    return {
      ...this.#head,
      sequence: ++this.#sequence,
      slotMs: timeMs,
      timeMs,
      columns: [...grown, ...still],
    };
  }

  #isUsed(row: number): boolean {
    return this.#isBusy || row % 4 === 0;
  }
}
