import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  alternating,
  counting,
  dailyLevel,
  dailyTraffic,
  parseRecording,
  type ReplayKnobs,
  seededRandom,
  startReplayAgent,
} from '../../../src/testing/index.ts';
import { Asker } from './asker.ts';

const sysUpTime = '1.3.6.1.2.1.1.3.0';
const ifEntry = '1.3.6.1.2.1.2.2.1';
const recording = parseRecording(
  [
    `${sysUpTime}|67|5000`,
    ...[1, 2, 3].map((row) => `${ifEntry}.1.${row}|2|${row}`),
    ...[1, 2, 3].map((row) => `${ifEntry}.8.${row}|2|1`),
    ...[1, 2, 3].map((row) => `${ifEntry}.10.${row}|65|4294967290`),
    '1.3.6.1.2.1.31.1.1.1.6.1|70|18446744073709551610',
    '1.3.6.1.2.1.99.1.1.1.4.1|2|20',
    '1.3.6.1.6.3.10.2.1.2.0|2|7',
    '1.3.6.1.6.3.10.2.1.3.0|2|50',
  ].join('\n'),
);

async function start(knobs: Partial<ReplayKnobs>) {
  let nowMs = Date.UTC(2026, 0, 1);
  const agent = await startReplayAgent({ recording, knobs, clock: () => nowMs, random: seededRandom(7) });
  const asker = new Asker(agent);
  return {
    agent,
    asker,
    advance: (ms: number) => {
      nowMs += ms;
    },
    read: async (oid: string) => (await asker.get([oid])).varbinds[0]?.value,
    column: async (oid: string, repetitions = 10) => {
      const { varbinds } = await asker.getBulk([oid], 0, repetitions);
      return varbinds.filter((varbind) => varbind.oid.startsWith(`${oid}.`)).map((varbind) => varbind.value);
    },
    async [Symbol.asyncDispose]() {
      await agent.close();
      await asker[Symbol.asyncDispose]();
    },
  };
}

/** Until `count` replies have come or nothing has for a while. */
async function arrivalsOf(asker: Asker, count: number): Promise<void> {
  for (let waited = 0, seen = -1; asker.received < count && waited < 300; waited += 10) {
    if (asker.received !== seen) waited = 0;
    seen = asker.received;
    await sleep(10);
  }
}

describe('replay agent knobs', () => {
  it('isSilent leaves requests unanswered until it is turned off', async () => {
    await using device = await start({ isSilent: true });
    device.asker.sendPdu('GetRequest', [sysUpTime]);
    await arrivalsOf(device.asker, 1);
    assert.equal(device.asker.received, 0);
    assert.equal(device.agent.counters.refused.silent, 1);
    device.agent.set({ isSilent: false });
    assert.equal(await device.read(sysUpTime), 5000);
  });

  it('loss drops its share of requests and replies, the same for the same seed', async () => {
    const counts = [];
    for (let run = 0; run < 2; run++) {
      await using device = await start({ loss: 0.2 });
      for (let i = 0; i < 1000; i++) device.asker.sendPdu('GetRequest', [sysUpTime]);
      await arrivalsOf(device.asker, 1000);
      assert.equal(device.agent.counters.requests, 1000);
      assert.equal(device.asker.received + device.agent.counters.lost, 1000);
      counts.push(device.asker.received);
    }
    assert.equal(counts[0], counts[1]);
    assert.ok(Math.abs(counts[0]! - 640) < 50, `0.8² of 1000, not ${counts[0]}`);
  });

  it('duplicates sends some replies twice', async () => {
    await using device = await start({ duplicates: 0.5 });
    for (let i = 0; i < 100; i++) device.asker.sendPdu('GetRequest', [sysUpTime]);
    await arrivalsOf(device.asker, 200);
    const { duplicated } = device.agent.counters;
    assert.ok(duplicated > 30 && duplicated < 70);
    assert.equal(device.asker.received, 100 + duplicated);
  });

  it('reordering delays replies behind the next one and loses none', async () => {
    await using device = await start({ reordering: 0.3 });
    for (let i = 0; i < 50; i++) device.asker.sendPdu('GetRequest', [sysUpTime]);
    await arrivalsOf(device.asker, 50);
    const ids = device.asker.arrivals.map(({ requestId }) => requestId);
    const overtakes = ids.filter((id, i) => i > 0 && id < ids[i - 1]!).length;
    assert.ok(overtakes > 0 && overtakes <= device.agent.counters.reordered);
    assert.deepEqual(
      ids.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  it('reordering sends the last reply when no other follows', async () => {
    await using device = await start({ reordering: 1 });
    assert.equal(await device.read(sysUpTime), 5000);
  });

  it('delayMs and jitterMs delay replies', async () => {
    await using device = await start({ delayMs: 60 });
    const started = performance.now();
    await device.read(sysUpTime);
    assert.ok(performance.now() - started >= 58);
    device.agent.set({ delayMs: 0, jitterMs: 40 });
    for (let i = 0; i < 20; i++) device.asker.sendPdu('GetRequest', [sysUpTime]);
    await arrivalsOf(device.asker, 21);
    const ids = device.asker.arrivals.map(({ requestId }) => requestId);
    assert.notDeepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });

  it('close drops delayed replies', async () => {
    const device = await start({ delayMs: 30 });
    device.asker.sendPdu('GetRequest', [sysUpTime]);
    while (device.agent.counters.replies === 0) await sleep(1);
    await device.agent.close();
    await sleep(60);
    assert.equal(device.asker.received, 0);
    await device.asker[Symbol.asyncDispose]();
  });

  it('repliesFromWrongPort answers from another port of the same address', async () => {
    await using device = await start({ repliesFromWrongPort: true });
    await device.read(sysUpTime);
    assert.notEqual(device.asker.arrivals[0]?.port, device.agent.port);
  });

  it('maxReplyBytes limits a GETBULK and turns other large replies into tooBig', async () => {
    for (const maxReplyBytes of [100, 150, 300]) {
      await using device = await start({ maxReplyBytes });
      const { varbinds, errorStatus } = await device.asker.getBulk(['1.3'], 0, 50);
      assert.equal(errorStatus, 0);
      const { bytes } = device.asker.arrivals[0]!;
      assert.ok(bytes <= maxReplyBytes);
      assert.ok(varbinds.length > 0 && bytes > maxReplyBytes - 60, `${bytes} of ${maxReplyBytes}`);
      const tooBig = await device.asker.get(Array(20).fill(sysUpTime));
      assert.deepEqual([tooBig.errorStatus, tooBig.errorIndex, tooBig.varbinds.length], [1, 0, 0]);
    }
  });

  it('maxReplyBytes is never more than a datagram carries', async () => {
    const long = 'x'.repeat(9000);
    const lines = Array.from({ length: 20 }, (_, i) => `1.3.6.1.4.1.32473.${i}|4|${long}`);
    const knobs = { maxReplyBytes: Number.POSITIVE_INFINITY };
    await using agent = await startReplayAgent({ recording: parseRecording(lines.join('\n')), knobs });
    await using asker = new Asker(agent);
    assert.equal((await asker.getBulk(['1.3'], 0, 50)).varbinds.length, 7);
    assert.equal((await asker.getNext(Array(8).fill('1.3'))).errorStatus, 1);
    assert.equal((await asker.getNext(Array(7).fill('1.3'))).errorStatus, 0);
  });

  it('tooBig repeats the request in v1', async () => {
    await using device = await start({ maxReplyVarbinds: 2 });
    await using old = new Asker(device.agent, '1');
    const { errorStatus, errorIndex, varbinds } = await old.get([sysUpTime, sysUpTime, sysUpTime]);
    assert.deepEqual([errorStatus, errorIndex, varbinds.length], [1, 0, 3]);
  });

  it('maxReplyVarbinds limits every reply', async () => {
    await using device = await start({ maxReplyVarbinds: 3 });
    assert.equal((await device.asker.getBulk(['1.3', '1.3'], 0, 50)).varbinds.length, 3);
    assert.equal((await device.asker.getNext(Array(4).fill('1.3'))).errorStatus, 1);
    assert.equal((await device.asker.getNext(Array(3).fill('1.3'))).errorStatus, 0);
  });

  it('a reboot resets the uptime, lets it move, and increments snmpEngineBoots', async () => {
    await using device = await start({});
    device.advance(10_000);
    assert.equal(await device.read(sysUpTime), 5000);
    device.agent.reboot();
    device.advance(2500);
    assert.equal(await device.read(sysUpTime), 250);
    assert.equal(await device.read('1.3.6.1.6.3.10.2.1.3.0'), 2);
    assert.equal(await device.read('1.3.6.1.6.3.10.2.1.2.0'), 2);
  });

  it('hasMovingUptime continues from the recorded uptime', async () => {
    await using device = await start({ hasMovingUptime: true });
    device.advance(10_000);
    assert.equal(await device.read(sysUpTime), 6000);
  });

  it('jumps make a column that does not increase', async () => {
    await using device = await start({ jumps: [{ after: `${ifEntry}.1.2`, to: `${ifEntry}.1.2` }] });
    assert.deepEqual(await device.column(`${ifEntry}.1`, 5), [1, 2, 2, 2, 2]);
    assert.equal((await device.asker.getNext([`${ifEntry}.1.2`])).varbinds[0]?.oid, `${ifEntry}.1.2`);
    assert.equal((await device.asker.getNext([`${ifEntry}.1.2.0`])).varbinds[0]?.oid, `${ifEntry}.1.3`);
  });

  it('jumps make a cycle', async () => {
    await using device = await start({ jumps: [{ after: `${ifEntry}.1.3`, to: `${ifEntry}.1.1` }] });
    assert.deepEqual(await device.column(`${ifEntry}.1`, 7), [1, 2, 3, 1, 2, 3, 1]);
  });

  it('rows disappear from every column and return', async () => {
    const row = { table: ifEntry, index: '2', isPresent: (elapsedMs: number) => elapsedMs >= 1000 };
    await using device = await start({ rows: [row] });
    assert.deepEqual(await device.column(`${ifEntry}.1`), [1, 3]);
    assert.equal((await device.column(`${ifEntry}.10`)).length, 2);
    const { varbinds } = await device.asker.get([`${ifEntry}.1.2`]);
    assert.equal(varbinds[0]?.type, 'noSuchInstance');
    assert.equal((await device.asker.getNext([`${ifEntry}.1.2`])).varbinds[0]?.oid, `${ifEntry}.1.3`);
    device.advance(1000);
    assert.deepEqual(await device.column(`${ifEntry}.1`), [1, 2, 3]);
  });

  it('counters count up, wrap at their own width, and start at 0 after a reboot', async () => {
    const values = [
      { under: `${ifEntry}.10`, at: counting(2) },
      { under: '1.3.6.1.2.1.31.1.1.1.6', at: counting(1e12) },
    ];
    await using device = await start({ values });
    assert.deepEqual(await device.column(`${ifEntry}.10`), [4294967290, 4294967290, 4294967290]);
    device.advance(5000);
    assert.deepEqual(await device.column(`${ifEntry}.10`), [4, 4, 4]);
    assert.equal(await device.read('1.3.6.1.2.1.31.1.1.1.6.1'), 5_000_000_000_000n - 6n);
    device.agent.reboot();
    device.advance(1000);
    assert.equal(await device.read(`${ifEntry}.10.1`), 2);
    assert.equal(await device.read('1.3.6.1.2.1.31.1.1.1.6.1'), 1_000_000_000_000n);
  });

  it('values are computed from OID and time; the last one for an OID wins; text stays text', async () => {
    await using device = await start({
      values: [
        { under: ifEntry, at: ({ oid }) => Number(oid.split('.').at(-1)) * 1000 },
        { under: `${ifEntry}.8.2`, at: alternating(1, 2, 10_000, 3000) },
        { under: '1.3.6.1.2.1.99', at: dailyLevel(10, 30, 15) },
      ],
    });
    assert.deepEqual(await device.column(`${ifEntry}.8`), [1000, 1, 3000]);
    device.advance(7000);
    assert.deepEqual(await device.column(`${ifEntry}.8`), [1000, 2, 3000]);
    device.advance(15 * 3_600_000 - 7000);
    assert.equal(await device.read('1.3.6.1.2.1.99.1.1.1.4.1'), 30);
    device.advance(12 * 3_600_000);
    assert.equal(await device.read('1.3.6.1.2.1.99.1.1.1.4.1'), 10);
  });

  it('dailyTraffic never decreases and grows by its mean over a day', async () => {
    const at = dailyTraffic(1000, 9000);
    const day = 86_400_000;
    const readings = Array.from({ length: 97 }, (_, quarter) =>
      Number(at({ oid: '', nowMs: (quarter * day) / 96, elapsedMs: (quarter * day) / 96, start: 0 })),
    );
    assert.ok(readings.every((value, i) => i === 0 || value > readings[i - 1]!));
    assert.ok(Math.abs(readings[96]! - 5000 * 86_400) <= 1);
    const rate = (hour: number) => (readings[hour * 4 + 1]! - readings[hour * 4]!) / 900;
    assert.ok(rate(15) > 8950 && rate(3) < 1050);
  });

  it('rejects knobs for an OID that the recording does not have, and keeps the old ones', async () => {
    await using device = await start({});
    assert.throws(
      () => device.agent.set({ isSilent: true, jumps: [{ after: '1.3.9', to: sysUpTime }] }),
      RangeError,
    );
    assert.equal(await device.read(sysUpTime), 5000);
  });
});
