import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { compileTable, createManager, createPollColumns } from '../../../src/snmp/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';

const dialect = { version: '2c', community: 'public' } as const;
const entry = '1.3.6.1.2.1.2.2.1';
const rows = 200;
const instances = Array.from({ length: rows }, (_, row) => String(row + 1));
const recording = parseRecording(
  [10, 11, 16]
    .flatMap((column) => instances.map((instance) => `${entry}.${column}.${instance}|2|${instance}`))
    .join('\n'),
);
const columns = [`${entry}.10`, `${entry}.11`];

async function start(t: TestContext, jumps: readonly { readonly after: string; readonly to: string }[]) {
  const agent = await startReplayAgent({ recording, knobs: { jumps } });
  const manager = createManager();
  t.after(() => Promise.all([agent.close(), manager.close()]));
  const target = { address: '127.0.0.1', port: agent.port, ...dialect, timeoutMs: 400 };
  const session = manager.open(target);
  const requests = compileTable({ dialect, columns, instances, firstSlot: 0 });
  return {
    agent,
    manager,
    target,
    session,
    async poll() {
      const polled = createPollColumns(2 * rows);
      const { counters } = agent;
      const before = counters.requests;
      const outcome = await session.poll(requests, polled);
      return { ...outcome, requests: counters.requests - before, words: polled.words };
    },
  };
}

describe('a poll of a table whose OIDs do not increase', { concurrency: true }, () => {
  const faults = {
    'repeats an OID': [{ after: `${entry}.10.5`, to: `${entry}.10.5` }],
    'goes back within a reply': [{ after: `${entry}.10.20`, to: `${entry}.10.3` }],
    'goes back to the start, wherever it is asked': instances.map((instance) => ({
      after: `${entry}.11.${instance}`,
      to: `${entry}.10.1`,
    })),
  };
  for (const [what, jumps] of Object.entries(faults)) {
    it(`returns all values, reads the table by GET for an hour, and names it once: ${what}`, async (t) => {
      const { poll, session, agent } = await start(t, jumps);
      const first = await poll();
      assert.equal(first.values, 2 * rows);
      assert.deepEqual([first.words[0], first.words[2 * (2 * rows - 1)]], [1, rows]);
      assert.deepEqual(first.misordered, [entry]);
      assert.match(
        session.explain().join('\n'),
        /Below 1\.3\.6\.1\.2\.1\.2\.2\.1, .* read by GET until \d{4}-/,
      );
      const second = await poll();
      assert.deepEqual([second.values, second.misordered], [2 * rows, []]);
      agent.set({ jumps: [] });
      const learned = JSON.parse(JSON.stringify(session.exportLearned()));
      assert.deepEqual(
        learned.misordered.map(({ table }: { table: string }) => table),
        [entry],
      );
      session.restoreLearned({ ...learned, misordered: [{ table: entry, untilMs: 1 }] });
      const healed = await poll();
      assert.deepEqual([healed.values, healed.misordered], [2 * rows, []]);
      assert.doesNotMatch(session.explain().join('\n'), /read by GET/);
    });
  }

  it('does not count rows that were added or removed as a fault', async (t) => {
    const { agent, poll } = await start(t, []);
    agent.set({ rows: [{ table: entry, index: '7', isPresent: () => false }] });
    const { values, misordered } = await poll();
    assert.deepEqual([values, misordered], [2 * rows - 2, []]);
  });
});
