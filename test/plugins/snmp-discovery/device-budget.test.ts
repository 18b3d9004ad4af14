import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InventoryStore } from '../../../plugins/snmp-discovery/inventory-store.ts';
import {
  type BudgetLimits,
  DeviceBudget,
  weighInventory,
} from '../../../plugins/snmp-discovery/survey/device-budget.ts';
import { type Survey, surveyObjects } from '../../../plugins/snmp-discovery/survey/survey-objects.ts';
import type { CompiledObject } from '../../../src/definitions/index.ts';
import { encodeInventory } from '../../../src/model/index.ts';
import type { SnmpSession, Varbind, WalkOptions } from '../../../src/snmp/index.ts';
import type { Journal } from '../../../src/storage/index.ts';
import { SliceTurns } from '../../../src/timing/index.ts';

const generous: BudgetLimits = {
  maxInstances: 100_000,
  maxBytes: 67_108_864,
  maxSeconds: 600,
  maxTotalBytes: 1e12,
};
const rowsPerReply = 25;

/** A table with one column that is walked, and this number of attributes. */
function tableOf(number: number, attributes = 4): CompiledObject {
  const column = (at: number) => `1.3.6.1.4.1.99999.${number}.1.${at}`;
  return {
    id: `T${number}`,
    hash: 'h',
    record: `T${number}`,
    table: `T${number}`,
    index: [{}],
    discoveryAttribute: 'c1',
    attributes: new Map(
      Array.from({ length: attributes }, (_, i) => [
        `c${i + 1}`,
        { name: `c${i + 1}`, column: column(i + 1), overrides: [] },
      ]),
    ),
  } as unknown as CompiledObject;
}

/** A device whose tables have these numbers of rows. Counts the replies that were fetched. */
class Device {
  replies = 0;
  readonly #rows: readonly number[];
  readonly #indexOf: (row: number) => string;

  constructor(rows: readonly number[], indexOf: (row: number) => string = String) {
    this.#rows = rows;
    this.#indexOf = indexOf;
  }

  readonly session = {
    name: 'device',
    walk: (roots: string | readonly string[], _options?: WalkOptions) => {
      const [root] = [roots].flat();
      const rows = this.#rows[Number(root!.split('.')[7])]!;
      const fetch = this.#fetch(root!, rows);
      return { outcome: { requests: 0, varbinds: 0, partial: [] }, [Symbol.asyncIterator]: () => fetch };
    },
    get: async () => [],
  } as unknown as SnmpSession;

  async *#fetch(root: string, rows: number): AsyncGenerator<Varbind[]> {
    for (let from = 1; from <= rows; from += rowsPerReply) {
      this.replies++;
      const count = Math.min(rowsPerReply, rows - from + 1);
      yield Array.from({ length: count }, (_, i): Varbind => {
        return { oid: `${root}.${this.#indexOf(from + i)}`, type: 'Integer32', value: 1 };
      });
    }
  }
}

const endless = Number.POSITIVE_INFINITY;

function survey(device: Device, limits: Partial<BudgetLimits> = {}, tables = 4): Promise<Survey> {
  const total = { bytes: 0, take: () => {} };
  return surveyObjects(
    device.session,
    Array.from({ length: tables }, (_, number) => tableOf(number)),
    {
      signal: new AbortController().signal,
      aliveOid: '1.3.6.1.2.1.1.3.0',
      budget: new DeviceBudget({ ...generous, ...limits }, total, () => 0),
      slices: new SliceTurns(),
      share: 1,
    },
  );
}

function counts({ objects }: Survey): number[] {
  return [...objects.values()].map(({ instances }) => instances.length);
}

describe('the budget of a device', () => {
  it('leaves a device alone that has less', async () => {
    const found = await survey(new Device([90_000, 0, 700, 9_000]));
    assert.deepEqual(counts(found), [90_000, 0, 700, 9_000]);
    assert.equal(found.cut, undefined);
  });

  it('keeps short tables whole when another one never ends, wherever it stands', async () => {
    for (const at of [0, 1, 2, 3]) {
      const rows = [30, 0, 400, 900];
      rows[at] = endless;
      const found = await survey(new Device(rows), { maxInstances: 5_000 });
      const short = rows.filter((count) => count !== endless);
      const rest = 5_000 - short.reduce((a, b) => a + b);
      assert.deepEqual(
        counts(found),
        rows.map((count) => (count === endless ? rest : count)),
      );
      assert.deepEqual(found.cut, { limit: 'max_instances', value: 5_000, objects: [`T${at}`] });
      assert.match(found.objects.get(`T${at}`)!.partial!, /cut at 5,000 instances .*raise max_instances/);
    }
  });

  it('shares what is left between tables that never end', async () => {
    const found = await survey(new Device([endless, 100, endless, endless]), { maxInstances: 1_000 });
    assert.deepEqual(counts(found), [300, 100, 300, 300]);
    assert.deepEqual(found.cut?.objects, ['T0', 'T2', 'T3']);
  });

  it('gives the same inventory whichever table is answered first', async () => {
    const rows = [endless, 250, 1_200, endless];
    const slow = (late: number) => {
      const device = new Device(rows);
      const walk = device.session.walk.bind(device.session);
      device.session.walk = (roots) => {
        const walked = walk(roots);
        const replies = walked[Symbol.asyncIterator]();
        const isLate = String(roots).includes(`.99999.${late}.`);
        const next = async () => {
          for (let turn = 0; isLate && turn < 20; turn++) await Promise.resolve();
          return replies.next();
        };
        return { outcome: walked.outcome, [Symbol.asyncIterator]: () => ({ next }) };
      };
      return survey(device, { maxInstances: 3_000 });
    };
    const [first, ...others] = await Promise.all([0, 1, 2, 3].map(slow));
    for (const other of others) assert.deepEqual(other, first);
  });

  it('never fetches much more than it keeps', async () => {
    const device = new Device([endless, endless, endless, endless]);
    await survey(device, { maxInstances: 10_000 });
    assert.ok(device.replies <= 10_000 / rowsPerReply + 8, `${device.replies} replies`);
  });

  it('counts the memory of long indexes', async () => {
    const arcs = Array.from({ length: 100 }, () => '4294967295').join('.');
    const device = new Device([endless, 50, 50, 50], (row) => `${arcs}.${row}`);
    const found = await survey(device, { maxBytes: 4_000_000 });
    assert.equal(found.cut?.limit, 'max_bytes');
    const [long = 0, ...short] = counts(found);
    assert.deepEqual(short, [50, 50, 50]);
    assert.ok(long > 50 && long < 1_000, `${long} rows`);
  });

  it('cuts only devices that are not small when all devices together take too much', async () => {
    const total = {
      bytes: 0,
      take(bytes: number) {
        this.bytes += bytes;
      },
    };
    const limits = { ...generous, maxTotalBytes: 10_000_000 };
    const surveyWithin = (device: Device) =>
      surveyObjects(device.session, [tableOf(0), tableOf(1)], {
        signal: new AbortController().signal,
        aliveOid: '1.3.6.1.2.1.1.3.0',
        budget: new DeviceBudget(limits, total, () => 0),
        slices: new SliceTurns(),
        share: 1,
      });
    const first = await surveyWithin(new Device([20_000, endless]));
    assert.equal(first.cut?.limit, 'max_total_bytes');
    assert.ok(total.bytes < 1.1 * limits.maxTotalBytes, `${total.bytes} bytes`);
    const small = await surveyWithin(new Device([2_000, 1_000]));
    assert.deepEqual(counts(small), [2_000, 1_000]);
    assert.equal(small.cut, undefined);
  });

  it('counts the inventories of an earlier run, also those that were stored without their memory', () => {
    const object = { hash: 'h', overriding: {}, instances: ['1', '2', '300'] };
    const inventory = {
      version: 1,
      discoveredMs: 1,
      generation: 1,
      sysObjectId: undefined,
      sysUpTime: undefined,
      address: '127.0.0.1',
      credential: 0,
      deviceGroups: [],
      objects: new Map([['T0', object]]),
      contexts: new Map([['vrf', new Map([['T1', object]])]]),
    };
    const stored = new Map([
      ['weighed', encodeInventory({ ...inventory, bytes: 5_000 })],
      ['other', encodeInventory(inventory)],
    ]);
    const weigh = (found: typeof inventory) => weighInventory(found, (id) => (id === 'T0' ? 2 : 4));
    const { memory } = new InventoryStore({} as Journal, stored, new SliceTurns(), (found) =>
      weigh(found as typeof inventory),
    );
    // Three instances of five characters: each 40 bytes, and for each attribute half of its text and 50 bytes.
    assert.equal(memory.bytes, 5_000 + (5 + 120 + 2 * 152.5) + (5 + 120 + 4 * 152.5));
  });
});
