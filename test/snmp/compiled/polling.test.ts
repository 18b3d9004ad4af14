import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { compareOids } from '../../../src/model/oid.ts';
import {
  berTag,
  compileGet,
  compileTable,
  createManager,
  createPollColumns,
  type Dialect,
  type PollColumns,
  slotStatus,
  type Varbind,
} from '../../../src/snmp/index.ts';
import { passUntilSettled, SimulatedClock } from '../../support/simulated-clock.ts';
import { until } from '../../support/until.ts';
import { answer, number, startScriptedAgent, text } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const entry = '1.3.6.1.2.1.2.2.1';
const community = { version: '2c', community: 'public' } as const satisfies Dialect;
const base = { address: '127.0.0.1', timeoutMs: 2_000, retries: 1, ...community } as const;

function cells(columns: readonly number[], rows: readonly number[]): Varbind[] {
  return columns
    .flatMap((column) => rows.map((row) => number(`${entry}.${column}.${row}`, column * 1000 + row)))
    .sort((a, b) => compareOids(a.oid, b.oid));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function compile(columns: readonly number[], rows: readonly number[], dialect: Dialect = community) {
  return compileTable({
    dialect,
    columns: columns.map((column) => `${entry}.${column}`),
    instances: rows.map(String),
    firstSlot: 0,
  });
}

function assertCells(
  polled: PollColumns,
  columns: readonly number[],
  rows: readonly number[],
  gone: readonly number[] = [],
): void {
  for (const [c, column] of columns.entries()) {
    for (const [r, row] of rows.entries()) {
      const slot = c * rows.length + r;
      const where = `column ${column}, row ${row}`;
      if (gone.includes(row)) {
        assert.equal(polled.status[slot], berTag.noSuchInstance, where);
      } else {
        assert.equal(polled.status[slot], berTag.integer, where);
        assert.equal(polled.words[2 * slot], column * 1000 + row, where);
      }
    }
  }
}

const shapes = {
  'a stream of adjacent columns': range(10, 20),
  'columns side by side': [3, 7, 12, 20],
  'streams and columns side by side': [2, ...range(5, 9), 14, ...range(16, 21)],
} as const;

describe('polling compiled requests', () => {
  for (const [shape, columns] of Object.entries(shapes)) {
    for (const version of ['1', '2c'] as const) {
      it(`reads ${shape}, SNMPv${version}`, async () => {
        const rows = range(1, 30);
        const all = cells(range(1, 22), rows);
        await using agent = await startScriptedAgent((request) => [serveTable(all, request)]);
        const polled = createPollColumns(columns.length * rows.length);
        const session = manager.open({ ...base, version, port: agent.port });
        const outcome = await session.poll(compile(columns, rows, { version, community: 'public' }), polled);
        assert.equal(outcome.values, columns.length * rows.length);
        assert.equal(outcome.missing, 0);
        assertCells(polled, columns, rows);
      });
    }

    it(`reads ${shape} from an agent that sends a few varbinds per reply`, async () => {
      const rows = range(1, 20);
      const all = cells(range(1, 22), rows);
      for (const most of [1, 3, 7]) {
        await using agent = await startScriptedAgent((request) => [serveTable(all, request, most)]);
        const polled = createPollColumns(columns.length * rows.length);
        await manager.open({ ...base, port: agent.port }).poll(compile(columns, rows), polled);
        assertCells(polled, columns, rows);
      }
    });

    it(`never writes a wrong slot of ${shape} when rows appear and disappear`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 5, maxLength: 30 }),
          fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }),
          async (expected, present) => {
            const rows = [...expected].sort((a, b) => a - b);
            const gone = rows.filter((row) => !present.includes(row));
            const all = cells(
              range(1, 22),
              [...present].sort((a, b) => a - b),
            );
            await using agent = await startScriptedAgent((request) => [serveTable(all, request)]);
            const polled = createPollColumns(columns.length * rows.length);
            const outcome = await manager
              .open({ ...base, port: agent.port })
              .poll(compile(columns, rows), polled);
            assertCells(polled, columns, rows, gone);
            assert.equal(outcome.values + outcome.exceptions, columns.length * rows.length);
          },
        ),
        { numRuns: 12 },
      );
    });
  }

  it('halves the request after tooBig, and remembers it for the next poll', async () => {
    const [columns, rows] = [range(1, 6), range(1, 40)];
    let refused = 0;
    await using agent = await startScriptedAgent((request) => {
      if (request.pdu.errorIndex <= 11) return [serveTable(cells(columns, rows), request)];
      refused++;
      return [answer(request, [], { errorStatus: 1 })];
    });
    const session = manager.open({ ...base, port: agent.port });
    const polled = createPollColumns(columns.length * rows.length);
    await session.poll(compile(columns, rows), polled);
    assertCells(polled, columns, rows);
    const before = refused;
    await session.poll(compile(columns, rows), polled);
    assert.equal(refused, before);
  });

  for (const version of ['1', '2c'] as const) {
    it(`reads every type by GET, SNMPv${version}, exact to the bit`, async () => {
      const all: Varbind[] = [
        { oid: '1.3.1.0', type: 'Counter64', value: 0xfedcba9876543210n },
        { oid: '1.3.2.0', type: 'Integer32', value: -5 },
        { oid: '1.3.3.0', type: 'Gauge32', value: 0xffffffff },
        { oid: '1.3.4.0', type: 'TimeTicks', value: 0x80000000 },
        text('1.3.5.0', 'naïve'),
        { oid: '1.3.6.0', type: 'ObjectIdentifier', value: '1.3.6.1' },
        { oid: '1.3.7.0', type: 'IpAddress', value: '10.0.0.255' },
      ];
      await using agent = await startScriptedAgent((request) => [serveTable(all, request)]);
      const polled = createPollColumns(9);
      const request = compileGet({
        dialect: { version, community: 'public' },
        oids: [...all.map((varbind) => varbind.oid), '1.3.8.0', '1.3.7.1'],
        firstSlot: 0,
      });
      const outcome = await manager.open({ ...base, version, port: agent.port }).poll([request], polled);
      assert.equal(outcome.values, 7);
      assert.equal(outcome.exceptions, 2);
      const hex = (slot: number) =>
        polled.words[2 * slot + 1]!.toString(16) + polled.words[2 * slot]!.toString(16);
      assert.equal(hex(0), 'fedcba9876543210');
      assert.equal(hex(1), 'fffffffffffffffb');
      assert.equal(hex(2), '0ffffffff');
      assert.equal(hex(3), '080000000');
      assert.equal(Buffer.from(polled.texts[4]!, 'latin1').toString(), 'naïve');
      assert.equal(polled.texts[5], '\x2b\x06\x01');
      assert.equal(polled.texts[6], '\x0a\x00\x00\xff');
      assert.ok(polled.status[7]! >= berTag.noSuchObject && polled.status[8] === berTag.noSuchInstance);
    });
  }

  it('keeps the string object while its octets do not change', async () => {
    let name = 'eth0';
    await using agent = await startScriptedAgent((r) => [answer(r, [text('1.3.1.0', name)])]);
    const session = manager.open({ ...base, port: agent.port });
    const request = compileGet({ dialect: community, oids: ['1.3.1.0'], firstSlot: 0 });
    const polled = createPollColumns(1);
    await session.poll([request], polled);
    const first = polled.texts[0];
    await session.poll([request], polled);
    assert.ok(Object.is(polled.texts[0], first));
    name = 'eth1';
    await session.poll([request], polled);
    assert.equal(polled.texts[0], 'eth1');
  });

  it('ignores forged replies', async () => {
    const [columns, rows] = [range(1, 3), range(1, 20)];
    const lies = cells(columns, rows).map((varbind) => number(varbind.oid, 666));
    const truth = cells(columns, rows);
    await using agent = await startScriptedAgent((r) => [
      { fromOtherPort: serveTable(lies, r) },
      answer(r, lies, { community: 'x' }),
      answer(r, lies, { version: '1' }),
      answer(r, lies, { type: 'Report' }),
      answer(r, lies, { requestId: r.pdu.requestId + 1 }),
      answer(r, [...lies.slice(0, 5), number('1.3.6.1', 666)]),
      serveTable(lies, r).subarray(0, -2),
      serveTable(truth, r),
    ]);
    const polled = createPollColumns(60);
    const outcome = await manager.open({ ...base, port: agent.port }).poll(compile(columns, rows), polled);
    assertCells(polled, columns, rows);
    assert.equal(outcome.replies, agent.requests.length, 'no extra retry');
  });

  it('sets the status timeout for every slot of a silent device, after one request', async () => {
    await using agent = await startScriptedAgent(() => []);
    const [columns, rows] = [[1, 3, 5, 7, 9, ...range(11, 20)], range(1, 100)];
    const polled = createPollColumns(columns.length * rows.length);
    const session = manager.open({ ...base, port: agent.port, timeoutMs: 50, retries: 0 });
    const outcome = await session.poll(compile(columns, rows), polled);
    assert.equal(outcome.failure, 'SNMP_TIMEOUT');
    assert.equal(outcome.missing, columns.length * rows.length);
    assert.ok(polled.status.every((status) => status === slotStatus.timeout));
    assert.ok(agent.requests.length <= 2);
  });

  it('ends at its deadline and keeps the values so far', async () => {
    const [columns, rows] = [range(1, 5), range(1, 50)];
    await using agent = await startScriptedAgent((r, count) =>
      count > 2 ? [] : [serveTable(cells(columns, rows), r, 10)],
    );
    const polled = createPollColumns(250);
    const clock = new SimulatedClock();
    const patient = createManager({ clock });
    const session = patient.open({ ...base, port: agent.port, timeoutMs: 60_000 });
    const poll = session.poll(compile(columns, rows), polled, { withinMs: 500 });
    await until(() => agent.requests.length === 3);
    const elapsedMs = await passUntilSettled(clock, poll);
    assert.ok(elapsedMs >= 500 && elapsedMs <= 520, `${elapsedMs} ms`);
    const outcome = await poll;
    patient.close();
    assert.equal(outcome.values, 20);
    assert.equal(polled.status.filter((status) => status === slotStatus.budget).length, 230);
  });

  it('ends immediately when it is aborted', async () => {
    await using agent = await startScriptedAgent(() => []);
    const polled = createPollColumns(250);
    const session = manager.open({ ...base, port: agent.port, timeoutMs: 60_000 });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    const outcome = await session.poll(compile(range(1, 5), range(1, 50)), polled, { signal: abort.signal });
    assert.equal(outcome.failure, 'SNMP_ABORTED');
    assert.ok(polled.status.every((status) => status === slotStatus.aborted));
    assert.equal(manager.counters().inFlight, 0);
  });

  it('rejects requests for another community', async () => {
    const session = manager.open({ ...base, community: 'other', port: 1 });
    await assert.rejects(session.poll(compile([1], range(1, 50)), createPollColumns(50)), RangeError);
  });
});
