import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  compileTable,
  createManager,
  createPollColumns,
  type Dialect,
  holdsValue,
  type Varbind,
} from '../../../src/snmp/index.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const dialect = { version: '2c', community: 'public' } as const satisfies Dialect;
const base = { address: '127.0.0.1', timeoutMs: 2_000, retries: 1, ...dialect } as const;
const columnCount = 6;
const rows = Array.from({ length: 20 }, (_, row) => String(row + 1));
const valuesPerTable = columnCount * rows.length;

function columnsOf(table: number): string[] {
  return Array.from({ length: columnCount }, (_, column) => `1.3.6.1.4.1.9.${table}.1.${column + 1}`);
}

function compile(tables: readonly number[]) {
  return tables.flatMap((table, i) =>
    compileTable({ dialect, columns: columnsOf(table), instances: rows, firstSlot: i * valuesPerTable }),
  );
}

function cells(tables: readonly number[]): Varbind[] {
  return tables.flatMap((table) =>
    columnsOf(table).flatMap((column) => rows.map((row) => number(`${column}.${row}`, 7))),
  );
}

/** An agent that answers tooBig to a GETBULK of more than `most(table)` repetitions. */
async function startLimited(tables: readonly number[], most: (table: number) => number) {
  const all = cells(tables);
  const refused: number[] = [];
  const agent = await startScriptedAgent((request) => {
    const table = Number(request.pdu.varbinds[0]!.oid.split('.')[7]);
    const asked = request.pdu.type === 'GetBulkRequest' ? request.pdu.errorIndex : 1;
    if (asked <= most(table)) return [serveTable(all, request)];
    refused.push(table);
    return [answer(request, [], { errorStatus: 1 })];
  });
  return { agent, refused };
}

describe('replies that are too big', () => {
  it('in one table do not shrink the requests for other tables', async () => {
    const tables = [1, 2, 3, 4];
    const { agent, refused } = await startLimited(tables, (table) => (table === 2 ? 20 : 1_000));
    await using _ = agent;
    const session = manager.open({ ...base, port: agent.port });
    const polled = createPollColumns(tables.length * valuesPerTable);
    const poll = async () => {
      const before = agent.requests.length;
      await session.poll(compile(tables), polled);
      assert.ok(polled.status.every(holdsValue));
      return agent.requests.slice(before).map(({ pdu }) => pdu);
    };
    await poll();
    assert.ok(refused.length > 0 && refused.every((table) => table === 2), refused.join());
    const learnt = refused.length;
    const second = await poll();
    assert.equal(refused.length, learnt, 'the limit is remembered');
    const others = second.filter(({ varbinds }) => !varbinds[0]!.oid.startsWith('1.3.6.1.4.1.9.2.'));
    assert.ok(others.length <= 4 * 3, `${others.length} packets for three tables`);
    assert.deepEqual(
      session.exportLearned().tables.map(({ root, maxVarbinds }) => [root, maxVarbinds !== undefined]),
      [['1.3.6.1.4.1.9.2.1.1', true]],
    );
    assert.ok(session.explain().some((text) => /^Below 1\.3\.6\.1\.4\.1\.9\.2\.1\.1, replies/.test(text)));
  });

  it('in several tables are a limit of the device, so that the next tables are not refused', async () => {
    const tables = [1, 2, 3, 4, 5, 6, 7, 8];
    const { agent, refused } = await startLimited(tables, () => 20);
    await using _ = agent;
    const session = manager.open({ ...base, port: agent.port });
    const polled = createPollColumns(tables.length * valuesPerTable);
    await session.poll(compile(tables), polled);
    assert.ok(polled.status.every(holdsValue));
    assert.ok(new Set(refused).size < tables.length, `refused in the tables ${refused.join()}`);
    assert.ok(session.exportLearned().maxVarbinds! <= 20);
    assert.ok(session.exportLearned().maxVarbinds! >= 10);
  });

  it('stay known over a restart, table by table', async () => {
    const tables = [1, 2];
    const { agent, refused } = await startLimited(tables, (table) => (table === 2 ? 20 : 1_000));
    await using _ = agent;
    const polled = createPollColumns(tables.length * valuesPerTable);
    const session = manager.open({ ...base, port: agent.port });
    await session.poll(compile(tables), polled);
    const stored: unknown = JSON.parse(JSON.stringify(session.exportLearned()));
    const learnt = refused.length;
    const restarted = createManager();
    try {
      const next = restarted.open({ ...base, port: agent.port });
      next.restoreLearned(stored);
      await next.poll(compile(tables), polled);
    } finally {
      await restarted.close();
    }
    assert.ok(learnt > 0);
    assert.equal(refused.length, learnt);
  });
});
