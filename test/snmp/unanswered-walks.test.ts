import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createManager, createNetSnmpEngine } from '../../src/snmp/index.ts';
import { parseRecording, type ReplayAgentOptions, startReplayAgent } from '../../src/testing/index.ts';

const entry = '1.3.6.1.2.1.2.2.1';
const rows = 12;
/** A scalar, a table of five columns, and a scalar behind it. */
const values = [
  '1.3.6.1.2.1.1.3.0',
  ...[1, 2, 3, 4, 5].flatMap((column) =>
    Array.from({ length: rows }, (_, row) => `${entry}.${column}.${row + 1}`),
  ),
  '1.3.6.1.2.1.3.1.0',
];
const recording = parseRecording(values.map((oid, i) => `${oid}|2|${i}`).join('\n'));
const columns = [1, 2, 3].map((column) => `${entry}.${column}`);

async function start(
  t: TestContext,
  knobs: NonNullable<ReplayAgentOptions['knobs']>,
  version: '1' | '2c' = '2c',
) {
  const agent = await startReplayAgent({ recording, knobs });
  const manager = createManager();
  t.after(() => Promise.all([agent.close(), manager.close()]));
  const session = manager.open({
    address: '127.0.0.1',
    port: agent.port,
    version,
    community: 'public',
    timeoutMs: 100,
    retries: 1,
  });
  await session.get(['1.3.6.1.2.1.1.3.0']);
  return {
    agent,
    session,
    async walk(roots: string | readonly string[]) {
      const before = manager.counters().timeouts;
      const walk = session.walk(roots);
      const found: string[] = [];
      for await (const varbinds of walk) found.push(...varbinds.map(({ oid }) => oid));
      const { partial } = walk.outcome;
      return { found, partial, timeouts: manager.counters().timeouts - before };
    },
  };
}

const under = (...roots: readonly string[]) =>
  values.filter((oid) => roots.some((root) => oid.startsWith(`${root}.`)));
const without = (all: readonly string[], silent: string) =>
  all.filter((oid) => oid !== silent && !oid.startsWith(`${silent}.`));

describe('a walk of a device that does not answer for some of its objects', { concurrency: true }, () => {
  for (const silent of columns) {
    it(`reads the other columns, and leaves the silent one out for an hour: ${silent}`, async (t) => {
      const { walk, session } = await start(t, { silentUnder: [silent] });
      const first = await walk(columns);
      assert.deepEqual(first.found.sort(), without(under(...columns), silent).sort());
      assert.deepEqual(first.partial, [{ root: silent, reason: 'unanswered' }]);
      assert.ok(first.timeouts <= 8, `${first.timeouts} timeouts`);
      assert.match(session.explain().join('\n'), new RegExp(`answers, but not requests for ${silent}: `));
      assert.ok(session.silentUntil(silent)! > Date.now());
      const second = await walk([columns[0]!, silent]);
      assert.equal(second.found.length, silent === columns[0] ? 0 : rows);
      const asked = await walk(silent);
      assert.deepEqual([asked.found, asked.timeouts], [[], 0], 'it is not asked again');
      assert.deepEqual(asked.partial, [{ root: silent, reason: 'unanswered' }]);
    });
  }

  for (const row of [1, 5, rows]) {
    const silent = `${entry}.2.${row}`;
    it(`loses one value when it does not answer for one instance, and says so: row ${row}`, async (t) => {
      const { walk, session } = await start(t, { silentUnder: [silent] });
      const { found, partial } = await walk(columns);
      assert.deepEqual(found.sort(), without(under(...columns), silent).sort());
      assert.deepEqual(partial, [{ root: `${entry}.2`, reason: 'unanswered' }]);
      assert.equal(session.silentUntil(`${entry}.2`), undefined);
    });
  }

  for (const version of ['1', '2c'] as const) {
    it(`goes on behind a silent column in the walk of one subtree, SNMPv${version}`, async (t) => {
      const silent = `${entry}.3`;
      const { walk } = await start(t, { silentUnder: [silent] }, version);
      const { found, partial } = await walk('1.3.6.1.2.1');
      assert.deepEqual(found, without(values, silent));
      assert.deepEqual(partial, [{ root: '1.3.6.1.2.1', reason: 'unanswered' }]);
    });
  }

  it('ends when another column ends where one is silent, SNMPv1', async (t) => {
    const { walk } = await start(t, { silentUnder: [`${entry}.2.2`] }, '1');
    const { found, partial } = await walk(['1.3.6.1.2.1.3', `${entry}.2`]);
    assert.ok(found.includes('1.3.6.1.2.1.3.1.0') && found.includes(`${entry}.2.1`));
    assert.deepEqual(partial, [{ root: `${entry}.2`, reason: 'unanswered' }]);
  });

  it('goes on behind a silent table, and behind a silent instance, in the walk of one subtree', async (t) => {
    const { walk, agent } = await start(t, { silentUnder: [entry] });
    assert.deepEqual((await walk('1.3.6.1.2.1')).found, without(values, entry));
    agent.set({ silentUnder: [`${entry}.2.5`] });
    assert.deepEqual((await walk('1.3.6.1.2.1')).found, without(values, `${entry}.2.5`));
  });

  it('reads one column to its end when the next column is silent', async (t) => {
    const { walk } = await start(t, { silentUnder: [`${entry}.3`] });
    const { found, partial } = await walk(`${entry}.2`);
    assert.deepEqual(found, under(`${entry}.2`));
    assert.deepEqual(partial, []);
  });

  it('gives up a table after two columns without an answer', async (t) => {
    const { walk } = await start(t, { silentUnder: [entry] });
    const all = [1, 2, 3, 4, 5].map((column) => `${entry}.${column}`);
    const { found, partial, timeouts } = await walk(all);
    assert.deepEqual(found, []);
    assert.equal(partial.length, 5);
    assert.ok(timeouts <= 6, `${timeouts} timeouts`);
    assert.equal((await walk(all)).timeouts, 0);
  });

  it('goes on with the next column also with the engine net-snmp', async (t) => {
    const { agent } = await start(t, { silentUnder: [`${entry}.4`] });
    const engine = await createNetSnmpEngine();
    t.after(() => engine.close());
    const address = { address: '127.0.0.1', port: agent.port, timeoutMs: 100, retries: 0 };
    const session = engine.open({ ...address, version: '2c', community: 'public' });
    for (const waits of [true, false]) {
      const { refused } = agent.counters;
      const before = refused.silent;
      const walk = session.walk([`${entry}.2`, `${entry}.4`, `${entry}.5`]);
      const found: string[] = [];
      for await (const varbinds of walk) found.push(...varbinds.map(({ oid }) => oid));
      assert.deepEqual(found, under(`${entry}.2`, `${entry}.5`));
      assert.deepEqual(walk.outcome.partial, [{ root: `${entry}.4`, reason: 'unanswered' }]);
      assert.equal(refused.silent > before, waits);
    }
  });

  it('rejects with SNMP_TIMEOUT and learns nothing when the device dies', async (t) => {
    const { walk, agent, session } = await start(t, {
      values: [
        {
          under: `${entry}.1.3`,
          at: () => {
            agent.set({ isSilent: true });
            return 0;
          },
        },
      ],
    });
    await assert.rejects(walk(entry), { code: 'SNMP_TIMEOUT' });
    assert.deepEqual(session.exportLearned().silent ?? [], []);
  });
});
