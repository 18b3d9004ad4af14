import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  compileGet,
  compileTable,
  createManager,
  createPollColumns,
  type PollOutcome,
  slotStatus,
} from '../../../src/snmp/index.ts';
import { parseRecording, type ReplayAgentOptions, startReplayAgent } from '../../../src/testing/index.ts';

const dialect = { version: '2c', community: 'public' } as const;
const rows = 40;
const instances = Array.from({ length: rows }, (_, row) => String(row + 1));
const scalars = ['1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.1.5.0', '1.3.6.1.2.1.1.6.0'];
/** Columns of a stream, columns side by side, and a stream in another table. */
const columns = [
  ...[10, 11, 12, 13, 14, 15].map((column) => `1.3.6.1.2.1.2.2.1.${column}`),
  ...[1, 3, 5].map((column) => `1.3.6.1.2.1.31.1.1.1.${column}`),
  ...[1, 2, 3, 4].map((column) => `1.3.6.1.2.1.99.1.1.1.${column}`),
];
const recording = parseRecording(
  [
    ...scalars.map((oid) => `${oid}|2|1`),
    ...columns.flatMap((column) => instances.map((instance) => `${column}.${instance}|2|${instance}`)),
  ].join('\n'),
);
const slots = scalars.length + columns.length * rows;
const slotOf = (oid: string) => scalars.length + columns.indexOf(oid) * rows;

async function start(t: TestContext, knobs: ReplayAgentOptions['knobs'] = {}, retries = 1) {
  const agent = await startReplayAgent({ recording, knobs });
  const manager = createManager();
  t.after(() => Promise.all([agent.close(), manager.close()]));
  const session = manager.open({
    address: '127.0.0.1',
    port: agent.port,
    ...dialect,
    timeoutMs: 300,
    retries,
  });
  const requests = [
    compileGet({ dialect, oids: scalars, firstSlot: 0 }),
    ...[columns.slice(0, 6), columns.slice(6, 9), columns.slice(9)].flatMap((some) =>
      compileTable({ dialect, columns: some, instances, firstSlot: slotOf(some[0]!) }),
    ),
  ];
  const polled = createPollColumns(slots);
  return {
    agent,
    manager,
    session,
    polled,
    async poll(): Promise<PollOutcome & { readonly timeouts: number }> {
      const before = manager.counters().timeouts;
      polled.status.fill(0);
      const outcome = await session.poll(requests, polled);
      return { ...outcome, timeouts: manager.counters().timeouts - before };
    },
    missing: () =>
      [...polled.status].flatMap((status, slot) => (status === slotStatus.timeout ? [slot] : [])),
  };
}

function slotsOf(...silent: readonly string[]): number[] {
  return silent
    .flatMap((oid) =>
      scalars.includes(oid) ? [scalars.indexOf(oid)] : instances.map((_, row) => slotOf(oid) + row),
    )
    .sort((a, b) => a - b);
}

describe('a device that does not answer for some of its objects', { concurrency: true }, () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'the first column of a stream': [columns[0]!],
    'a column in the middle of a stream': [columns[3]!],
    'the last column of a stream': [columns[5]!],
    'one of the columns that are read side by side': [columns[7]!],
    'columns of two tables': [columns[2]!, columns[10]!],
    'a scalar': [scalars[1]!],
    'the scalar with its uptime': [scalars[0]!],
  };
  for (const [what, silent] of Object.entries(cases)) {
    it(`gives all other values in the first poll: ${what}; the next poll does not wait`, async (t) => {
      const { poll, missing, session } = await start(t, { silentUnder: silent });
      const first = await poll();
      assert.deepEqual(missing(), slotsOf(...silent));
      assert.equal(first.values, slots - slotsOf(...silent).length);
      const second = await poll();
      assert.equal(second.timeouts, 0);
      assert.deepEqual(missing(), slotsOf(...silent));
      assert.equal(second.values, first.values);
      for (const column of silent) {
        assert.match(session.explain().join('\n'), new RegExp(`answers, but not requests for ${column}: `));
      }
    });
  }

  const rowsOf = (column: string, ...numbers: readonly number[]) =>
    numbers.map((row) => ({ oid: `${column}.${row}`, slot: slotOf(column) + row - 1 }));
  const instanceCases = {
    'the first row': rowsOf(columns[3]!, 1),
    'a row in the middle': rowsOf(columns[3]!, 20),
    'the row behind it': rowsOf(columns[3]!, 21),
    'the last row': rowsOf(columns[5]!, rows),
    'a row of columns that are read side by side': rowsOf(columns[7]!, 17),
    'two rows': rowsOf(columns[0]!, 5, 6),
  };
  for (const [what, silent] of Object.entries(instanceCases)) {
    it(`loses one value per unanswered instance, and the next poll does not wait: ${what}`, async (t) => {
      const { poll, missing, session } = await start(t, { silentUnder: silent.map(({ oid }) => oid) });
      const first = await poll();
      assert.deepEqual(
        missing(),
        silent.map(({ slot }) => slot),
      );
      assert.ok(first.timeouts <= 6, `${first.timeouts} timeouts`);
      const second = await poll();
      assert.deepEqual([second.timeouts, second.values], [0, first.values]);
      assert.deepEqual(
        session.exportLearned().silent?.map(({ column }) => column),
        silent.map(({ oid }) => oid),
      );
    });
  }

  it('loses one table when it does not answer for all of it, and waits three times at most', async (t) => {
    const { poll, missing } = await start(t, { silentUnder: ['1.3.6.1.2.1.2.2'] });
    const first = await poll();
    assert.deepEqual(missing(), slotsOf(...columns.slice(0, 6)));
    assert.ok(first.timeouts <= 3, `${first.timeouts} timeouts`);
    assert.equal((await poll()).timeouts, 0);
    assert.deepEqual(missing(), slotsOf(...columns.slice(0, 6)));
  });

  it('costs a bounded number of timeouts per poll, however many columns are silent', async (t) => {
    const silent = columns.filter((_, i) => i % 2 === 0);
    const { poll, missing } = await start(t, { silentUnder: silent }, 0);
    for (let polls = 0; polls < 4; polls++) {
      const { timeouts } = await poll();
      assert.ok(timeouts <= 8, `${timeouts} timeouts`);
    }
    assert.equal((await poll()).timeouts, 0);
    assert.deepEqual(missing(), slotsOf(...silent));
  });

  it('is asked again when the time is over, also after a restart', async (t) => {
    const { poll, missing, session, agent, manager } = await start(t, { silentUnder: [columns[3]!] });
    await poll();
    const learned = JSON.parse(JSON.stringify(session.exportLearned()));
    assert.deepEqual(
      learned.silent.map(({ column }: { column: string }) => column),
      [columns[3]],
    );
    agent.set({ silentUnder: [] });
    await poll();
    assert.deepEqual(missing(), slotsOf(columns[3]!), 'not yet');
    session.restoreLearned({ ...learned, silent: [{ column: columns[3], untilMs: 1 }] });
    assert.equal((await poll()).values, slots);
    assert.deepEqual(session.exportLearned().silent, []);
    const again = manager.open({ address: '127.0.0.1', port: agent.port, ...dialect });
    again.restoreLearned(learned);
    assert.deepEqual(again.exportLearned().silent, learned.silent);
  });

  it('is not taken for one when it dies during a poll, and gets no more than two requests and a small one', async (t) => {
    const { poll, agent, session, polled } = await start(t, {
      values: [
        {
          under: columns[11]!,
          at: () => {
            agent.set({ isSilent: true });
            return 0;
          },
        },
      ],
    });
    await poll();
    const sent = agent.counters.refused.silent;
    assert.ok(sent <= 2 * 3, `${sent} datagrams`);
    assert.deepEqual(session.exportLearned().silent ?? [], []);
    assert.ok(polled.status.includes(slotStatus.timeout));
    agent.set({ isSilent: true });
    const before = agent.counters.requests;
    await poll();
    assert.ok(agent.counters.requests - before <= 4, 'a dead device');
  });
});
