import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CommunityMessage } from '../../src/snmp/codec/community-message.ts';
import type { Varbind } from '../../src/snmp/codec/snmp-value.ts';
import {
  compileTable,
  createManager,
  createPollColumns,
  holdsValue,
  type Session,
} from '../../src/snmp/index.ts';
import { answer, number, type Reply, startScriptedAgent, text } from './support/scripted-agent.ts';
import { serveTable } from './support/table-agent.ts';

const column = '1.3.6.1.2.1.2.2.1.10';
const other = '1.3.6.1.2.1.2.2.1.16';
const rows = 10;
const all: Varbind[] = [column, other].flatMap((root) =>
  Array.from({ length: rows }, (_, i) => number(`${root}.${i + 1}`, i + 1)),
);
const manager = createManager();
after(() => manager.close());
const target = { address: '127.0.0.1', version: '2c', community: 'public', retries: 1 } as const;

/** Runs `work` against a table while an attacker answers each request first, without retries. */
async function outwit<Result>(
  forge: (request: CommunityMessage) => Reply,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await using agent = await startScriptedAgent((r) => [forge(r), serveTable(all, r)]);
  const written: unknown[] = [];
  const { write } = process.stderr;
  process.stderr.write = (chunk) => written.push(chunk) > 0;
  const before = manager.counters();
  try {
    return await work(manager.open({ ...target, port: agent.port, timeoutMs: 2_000 }));
  } finally {
    process.stderr.write = write;
    const { retransmitted, timeouts, internalFaults } = manager.counters();
    assert.deepEqual([retransmitted, timeouts], [before.retransmitted, before.timeouts], 'no retry');
    assert.equal(internalFaults, 0);
    assert.deepEqual(written, [], 'nothing is logged');
  }
}

const forged = (oid: string) => number(oid, 666);
const forgedBulks: Readonly<Record<string, (r: CommunityMessage) => Reply>> = {
  'more varbinds than requested': (r) =>
    answer(
      r,
      Array.from({ length: 7 }, (_, i) => forged(`${column}.${i + 1}`)),
    ),
  'a requested OID': (r) => answer(r, [forged(column), forged(`${other}.1`)]),
  'columns in the wrong order': (r) => answer(r, [forged(`${other}.1`), forged(`${column}.1`)]),
  'an OID that is not minimal': (r) => {
    const reply = answer(r, [forged(`${column}.128`), forged(`${other}.128`)]);
    // 10.128 is 0a 81 00; 10.0 in three octets, 0a 80 00, is the same length.
    for (let at = reply.indexOf(Buffer.of(0x81, 0)); at >= 0; at = reply.indexOf(Buffer.of(0x81, 0), at)) {
      reply[at] = 0x80;
    }
    return reply;
  },
};

describe('GETBULK ignores', () => {
  for (const [title, forge] of Object.entries(forgedBulks)) {
    it(title, async () => {
      const varbinds = await outwit(forge, (session) =>
        session.getBulk([column, other], { maxRepetitions: 3 }),
      );
      assert.deepEqual(
        varbinds.map(({ value }) => value),
        [1, 1, 2, 2, 3, 3],
      );
    });
  }
});

describe('polls and walks', () => {
  const instances = Array.from({ length: rows }, (_, i) => String(i + 1));
  const compiled = compileTable({
    dialect: { version: '2c', community: 'public' },
    columns: [column, other],
    instances,
    firstSlot: 0,
  });
  const forgeries: Readonly<Record<string, (r: CommunityMessage) => Reply>> = {
    'another source port': (r) => ({
      fromOtherPort: serveTable(
        all.map(({ oid }) => forged(oid)),
        r,
      ),
    }),
    'another community': (r) => answer(r, [forged(`${column}.1`)], { community: 'publik' }),
    'another version': (r) => answer(r, [forged(`${column}.1`)], { version: '1' }),
    'a Report': (r) => answer(r, [forged(`${column}.1`)], { type: 'Report' }),
    'another request id': (r) => answer(r, [forged(`${column}.1`)], { requestId: r.pdu.requestId ^ 0x55 }),
    'request id 0': (r) => answer(r, [forged(`${column}.1`)], { requestId: 0 }),
    'values before a requested OID': (r) =>
      answer(r, [forged(`${column}.1`), forged(`${other}.1`), forged(column), forged(other)]),
  };
  for (const [title, forge] of Object.entries(forgeries)) {
    it(`ignore a reply with ${title}`, async () => {
      const columns = createPollColumns(2 * rows);
      const outcome = await outwit(forge, (session) => session.poll(compiled, columns));
      assert.equal(outcome.values, 2 * rows);
      assert.deepEqual(
        Array.from({ length: 2 * rows }, (_, slot) => columns.words[2 * slot]),
        all.map(({ value }) => value),
      );
    });
  }

  it('keep nothing of a rejected reply, even after an accepted one', async () => {
    await using agent = await startScriptedAgent((r, count) => [
      count === 1
        ? serveTable(all, r, 3)
        : answer(r, [forged(`${column}.2`), forged(`${other}.2`), forged(column)]),
    ]);
    const columns = createPollColumns(2 * rows);
    const session = manager.open({ ...target, port: agent.port, timeoutMs: 60, retries: 0 });
    const outcome = await session.poll(compiled, columns);
    assert.equal(outcome.failure, 'SNMP_WRONG_ANSWER');
    assert.equal(outcome.values, 2);
    for (const [slot, status] of columns.status.entries()) {
      if (holdsValue(status)) assert.notEqual(columns.words[2 * slot], 666);
    }
  });

  it('ignore forged replies during a walk', async () => {
    const found: Varbind[] = [];
    await outwit(
      (r) => answer(r, [forged(`${column}.9`)], { requestId: r.pdu.requestId ^ 1 }),
      async (session) => {
        for await (const varbinds of session.walk('1.3.6.1.2.1.2.2')) found.push(...varbinds);
      },
    );
    assert.deepEqual(found, all);
  });
});

describe('sessions with unusual replies', () => {
  const open = (port: number, options = {}) =>
    manager.open({ ...target, port, timeoutMs: 60, retries: 0, ...options });

  it('ignore a late reply to a failed request', async () => {
    let first: CommunityMessage | undefined;
    await using agent = await startScriptedAgent((r, count) => {
      if (count === 1) first = r;
      return count === 1 ? [] : [answer(first!, [text('1.3.1', 'old')]), answer(r, [text('1.3.1', 'new')])];
    });
    const session = open(agent.port);
    await assert.rejects(session.get(['1.3.1']), { code: 'SNMP_TIMEOUT' });
    assert.equal(String((await session.get(['1.3.1']))[0]?.value), 'new');
  });

  it('accept endOfMibView for a GET as an exception of its varbind', async () => {
    await using agent = await startScriptedAgent((r) => [
      answer(r, [{ oid: '1.3.1', type: 'endOfMibView', value: null }, text('1.3.2', 'ok')]),
    ]);
    const varbinds = await open(agent.port).get(['1.3.1', '1.3.2']);
    assert.deepEqual(
      varbinds.map(({ type }) => type),
      ['endOfMibView', 'OctetString'],
    );
  });

  for (const errorIndex of [-1, 0, 3, 0x7fffffff]) {
    it(`take no varbinds from a reply with an error-status and error-index ${errorIndex}`, async () => {
      await using agent = await startScriptedAgent((r) => [
        r.pdu.varbinds.length > 1
          ? answer(r, [text('1.3.1', 'false'), text('1.3.2', 'false')], { errorStatus: 5, errorIndex })
          : answer(r, [text(r.pdu.varbinds[0]!.oid, 'true')]),
      ]);
      const varbinds = await open(agent.port).get(['1.3.1', '1.3.2']);
      assert.deepEqual(
        varbinds.map(({ value }) => String(value)),
        ['true', 'true'],
      );
    });
  }

  it('report an unknown error-status by its number, also a negative one', async () => {
    for (const errorStatus of [-1, 99]) {
      await using agent = await startScriptedAgent((r) => [answer(r, [], { errorStatus })]);
      await assert.rejects(open(agent.port).get(['1.3.1']), { code: 'SNMP_AGENT_ERROR' });
      const compiled = compileTable({
        dialect: { version: '2c', community: 'public' },
        columns: [column],
        instances: ['1'],
        firstSlot: 0,
      });
      const outcome = await open(agent.port).poll(compiled, createPollColumns(1));
      assert.deepEqual([outcome.values, outcome.missing], [0, 1]);
    }
  });

  it('allow a GETBULK with more non-repeaters than OIDs (RFC 3416 §4.2.3)', async () => {
    await using agent = await startScriptedAgent((r) => [answer(r, [number(`${column}.1`, 1)])]);
    const varbinds = await open(agent.port, { timeoutMs: 2_000 }).getBulk([column], { nonRepeaters: 3 });
    assert.equal(varbinds.length, 1);
  });

  it('treat an IPv4-mapped IPv6 address as the same device', async () => {
    await using agent = await startScriptedAgent((r) => [answer(r, [text('1.3.1', 'four')])]);
    const session = open(agent.port, { address: '::ffff:127.0.0.1', timeoutMs: 2_000 });
    assert.equal(String((await session.get(['1.3.1']))[0]?.value), 'four');
    assert.equal(session.name, `127.0.0.1:${agent.port}`);
  });
});
