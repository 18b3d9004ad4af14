import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Batch, type EventMap, gapAt, valueAt } from '../../../src/index.ts';
import type { ReplayKnobs } from '../../../src/testing/index.ts';
import { smallDefinitions } from '../support/definition-folder.ts';
import { startTimedSwitch } from './support/timed-switch.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';
const counters = `${ifXEntry}.6`;
const names = `${ifXEntry}.1`;

/** Names are polled once per hour, and counters once per minute. */
const hourlyNames = {
  'objects/interfaces.yml': `${smallDefinitions['objects/interfaces.yml']!.replace(
    /IF-MIB::ifXEntry:[\s\S]*/,
    '',
  )}IF-MIB::ifXEntry:
  mib: IF-MIB
  object: ifXEntry
  type: static
  augments: IF-MIB::ifEntry
  discovery_attribute: ifName
  attributes:
    ifName: { oid: .${names}, name: netif.name, syntax: DisplayString, tag: true }
`,
  'defaults/object_types.yml': 'static: { poll_interval: 3600 }\n',
};

async function startSwitch(t: TestContext, files = {}, knobs: Partial<ReplayKnobs> = {}) {
  const started = await startTimedSwitch(t, { files, knobs, poller: { counters: { delta: true } } });
  const moves: EventMap['device.renumbered'][] = [];
  started.collector.events.on('device.renumbered', (event) => void moves.push(event));
  return {
    ...started,
    moves,
    /** The increases of the counters after this number of seconds, by name. */
    async pollAfter(seconds: number, values: ReplayKnobs['values']) {
      const batches = await started.pollAfter(seconds, { values });
      return differencesOf(
        batches.find(({ record, plan }) => plan === 'every-60s' && record === 'IF-MIB::ifEntry')!,
      );
    },
  };
}

/** The increase of each counter, or the reason why it is missing. */
function differencesOf({ rows, columns }: Batch) {
  const column = columns.find(({ field }) => field === 'netif.bytes.in_delta')!;
  return new Map(rows.keys.map((key, row) => [key, valueAt(column, row) ?? gapAt(column, row)]));
}

const at = (oid: string, value: bigint | number | string) => ({ under: oid, at: () => value });
const swappedNames = [at(`${names}.3`, 'ge-0/4'), at(`${names}.4`, 'ge-0/3')];

describe('renumbered interfaces', () => {
  it('are reported after a reboot, and no rate mixes two interfaces', async (t) => {
    const { pollAfter, agent, moves, next, discovered } = await startSwitch(t);
    await pollAfter(1, [at(`${counters}.3`, 1_000n), at(`${counters}.4`, 900_000n)]);
    const rediscovery = next('discovery.completed');
    agent.reboot();
    const swapped = (three: bigint, four: bigint) => [
      ...swappedNames,
      at(`${counters}.3`, three),
      at(`${counters}.4`, four),
    ];
    const first = await pollAfter(30, swapped(900_500n, 1_500n));
    assert.equal(first.get('netif.name=ge-0/3'), 'reset');
    assert.deepEqual(
      moves.map(({ record, count, moved }) => ({ record, count, moved })),
      [
        {
          record: 'IF-MIB::ifEntry',
          count: 2,
          moved: [
            { key: 'netif.name=ge-0/4', from: '4', to: '3' },
            { key: 'netif.name=ge-0/3', from: '3', to: '4' },
          ],
        },
      ],
    );
    await rediscovery;
    await discovered();
    const second = await pollAfter(30, swapped(900_507n, 1_511n));
    assert.equal(second.get('netif.name=ge-0/3'), 11);
    assert.equal(second.get('netif.name=ge-0/4'), 7);
    assert.equal(moves.length, 1, 'told once');
  });

  it('are reported without a reboot, and rates continue by name', async (t) => {
    const { pollAfter, moves, discovery, device } = await startSwitch(t);
    await pollAfter(1, [at(`${counters}.3`, 1_000n), at(`${counters}.4`, 900_000n)]);
    const second = await pollAfter(1, [
      ...swappedNames,
      at(`${counters}.3`, 900_010n),
      at(`${counters}.4`, 1_020n),
    ]);
    assert.deepEqual([second.get('netif.name=ge-0/3'), second.get('netif.name=ge-0/4')], [20, 10]);
    assert.equal(moves[0]?.count, 2);
    await discovery.request(device('sw'), 'requested').run.ended;
    const third = await pollAfter(1, [
      ...swappedNames,
      at(`${counters}.3`, 900_011n),
      at(`${counters}.4`, 1_022n),
    ]);
    assert.deepEqual([third.get('netif.name=ge-0/3'), third.get('netif.name=ge-0/4')], [2, 1]);
    assert.equal(moves.length, 1);
  });

  it('are reported when a discovery finds them at a new index', async (t) => {
    const without = (index: string) =>
      [ifEntry, ifXEntry].map((table) => ({ table, index, isPresent: () => false }));
    const { pollAfter, agent, moves, discovery, device } = await startSwitch(t, {}, { rows: without('24') });
    await pollAfter(1, [at(`${counters}.3`, 1_000n)]);
    agent.set({ rows: without('3'), values: [at(`${names}.24`, 'ge-0/3')] });
    const run = await discovery.request(device('sw'), 'requested').run.ended;
    assert.ok(run.ok && run.change.added['IF-MIB::ifEntry'] === 1);
    const second = await pollAfter(1, [at(`${names}.24`, 'ge-0/3'), at(`${counters}.24`, 1_033n)]);
    assert.deepEqual(moves[0]?.moved, [{ key: 'netif.name=ge-0/3', from: '3', to: '24' }]);
    assert.equal(second.get('netif.name=ge-0/3'), 33);
  });

  it('never give their old names to counters that are polled more often than names', async (t) => {
    const octets = `${ifEntry}.10`;
    const { pollAfter, agent, next, discovered } = await startSwitch(t, hourlyNames);
    await pollAfter(1, [at(`${octets}.3`, 1_000), at(`${octets}.4`, 900_000)]);
    const rediscovery = next('discovery.completed');
    agent.reboot();
    const swapped = [...swappedNames, at(`${octets}.3`, 900_500), at(`${octets}.4`, 1_500)];
    const first = await pollAfter(30, swapped);
    for (const difference of first.values()) assert.equal(typeof difference, 'string', 'no difference');
    await rediscovery;
    await discovered();
    await pollAfter(30, swapped);
    const third = await pollAfter(30, [
      ...swappedNames,
      at(`${octets}.3`, 900_507),
      at(`${octets}.4`, 1_511),
    ]);
    assert.deepEqual([third.get('netif.name=ge-0/3'), third.get('netif.name=ge-0/4')], [11, 7]);
  });

  it('have the names of after the reboot in the poll that shows it', async (t) => {
    const { poll, agent, time } = await startTimedSwitch(t, { files: hourlyNames });
    const labelsOf = async () => {
      const batches = await poll('sw');
      return batches.find(({ plan, record }) => plan === 'every-60s' && record === 'IF-MIB::ifEntry')!.rows
        .labels;
    };
    const before = (await labelsOf())['netif.name']!;
    time.nowMs += 1000;
    agent.reboot();
    agent.set({ values: swappedNames });
    const after = (await labelsOf())['netif.name']!;
    assert.deepEqual(after.slice(2, 4), ['ge-0/4', 'ge-0/3']);
    assert.deepEqual(after.toSorted(), before.toSorted(), 'every row has a name');
  });
});
