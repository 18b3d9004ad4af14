import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createManager,
  createNetSnmpEngine,
  type SnmpEngine,
  type SnmpSession,
} from '../../../src/snmp/index.ts';
import { PeerPace } from '../../../src/snmp/transport/peer-pace.ts';
import { WalkProof } from '../../../src/snmp/walk/walk-proof.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';

const root = '1.3.6.1.4.1.9999.1.1.1.2';

describe('the pace of a device', () => {
  const takeAll = (pace: PeerPace, packets: number, nowMs: number) =>
    Array.from({ length: packets }, () => pace.take(nowMs));

  it('lets the first packets pass, and the others wait for a hundredth of a second each', () => {
    const waits = takeAll(new PeerPace(), 700, 5_000);
    assert.ok(waits.slice(0, 600).every((ms) => ms === 0));
    assert.deepEqual(
      waits.slice(600),
      Array.from({ length: 100 }, (_, i) => 10 * (i + 1)),
    );
  });

  it('lets packets pass again after a pause', () => {
    const pace = new PeerPace();
    takeAll(pace, 600, 0);
    assert.deepEqual(takeAll(pace, 11, 100).slice(-2), [0, 10]);
    assert.equal(takeAll(pace, 600, 60_000).at(-1), 0);
  });

  it('does not count what has ended, and lets as much pass at once from then on', () => {
    const pace = new PeerPace();
    takeAll(pace, 1_000, 0);
    pace.giveBack(1_000);
    assert.deepEqual(takeAll(pace, 601, 0).slice(-2), [0, 10]);
    assert.deepEqual(takeAll(pace, 1_001, 60_000).slice(-2), [0, 10]);
  });

  it('believes only so many packets of a walk whose parts end again and again', () => {
    const pace = new PeerPace();
    const proof = new WalkProof(pace);
    let passed = 0;
    while (passed < 10_000 && pace.take(0) === 0) {
      passed++;
      proof.count();
      proof.endPart();
    }
    assert.equal(passed, 2_500 + 600);
  });
});

describe('an agent without an end', () => {
  const engines: SnmpEngine[] = [];
  after(() => {
    for (const engine of engines) engine.close();
  });
  const engineNames = { waywiser: createManager, 'net-snmp': createNetSnmpEngine };
  const rows: Record<string, (oid: string, count: number) => string[]> = {
    'one arc behind the root': (oid, count) => {
      const last = oid === root ? 0 : Number(oid.split('.').at(-1));
      return Array.from({ length: count }, (_, i) => `${root}.${last + i + 1}`);
    },
    'indexes of 100 arcs': (oid, count) => {
      const last = oid === root ? 0 : Number(oid.split('.').at(-1));
      const index = Array.from({ length: 99 }, () => 0x0fffffff).join('.');
      return Array.from({ length: Math.min(count, 2) }, (_, i) => `${root}.${index}.${last + i + 1}`);
    },
  };

  for (const [name, create] of Object.entries(engineNames)) {
    for (const [kind, next] of Object.entries(rows)) {
      it(`is not asked 600 packets and then as fast as it answers: ${name}, ${kind}`, async () => {
        const sentMs: number[] = [];
        await using agent = await startScriptedAgent((request) => {
          sentMs.push(performance.now());
          const oids = next(request.pdu.varbinds[0]!.oid, request.pdu.errorIndex);
          return [
            answer(
              request,
              oids.map((oid) => number(oid, 1)),
            ),
          ];
        });
        const engine = await create();
        engines.push(engine);
        const session: SnmpSession = engine.open({
          address: '127.0.0.1',
          port: agent.port,
          version: '2c',
          community: 'public',
        });
        const walk = session.walk(root, { maxVarbinds: Number.POSITIVE_INFINITY });
        for await (const _ of walk) if (sentMs.length >= 700) break;
        // Never more than 600 packets and 100 a second: a busy machine only makes it slower.
        for (const [position, ms] of sentMs.entries())
          assert.ok(
            position + 1 <= 601 + (ms - sentMs[0]!) / 10,
            `${position} packets after ${ms - sentMs[0]!} ms`,
          );
      });
    }
  }

  it('leaves nothing behind when the session of a walk that waits is closed', async () => {
    await using agent = await startScriptedAgent((request) => {
      const oids = rows['one arc behind the root']!(request.pdu.varbinds[0]!.oid, request.pdu.errorIndex);
      return [
        answer(
          request,
          oids.map((oid) => number(oid, 1)),
        ),
      ];
    });
    const manager = createManager();
    engines.push(manager);
    const session = manager.open({
      address: '127.0.0.1',
      port: agent.port,
      version: '2c',
      community: 'public',
    });
    const walk = session.walk(root, { maxVarbinds: Number.POSITIVE_INFINITY });
    const read = async () => {
      for await (const _ of walk)
        if (agent.requests.length > 605 && manager.counters().waiting > 0) session.close();
    };
    await assert.rejects(read(), { code: 'SNMP_CLOSED' });
    assert.deepEqual([manager.counters().inFlight, manager.counters().waiting], [0, 0]);
  });

  it('is given up at the deadline although the next request still waits', async () => {
    await using agent = await startScriptedAgent((request) => {
      const oids = rows['one arc behind the root']!(request.pdu.varbinds[0]!.oid, request.pdu.errorIndex);
      return [
        answer(
          request,
          oids.map((oid) => number(oid, 1)),
        ),
      ];
    });
    const manager = createManager();
    engines.push(manager);
    const session = manager.open({
      address: '127.0.0.1',
      port: agent.port,
      version: '2c',
      community: 'public',
    });
    const options = { maxVarbinds: Number.POSITIVE_INFINITY };
    const first = session.walk(root, options);
    for await (const _ of first) if (agent.requests.length >= 600) break;
    const walks = Array.from({ length: 30 }, () => session.walk(root, { ...options, withinMs: 50 }));
    const readAll = async (walk: (typeof walks)[number]) => {
      for await (const _ of walk);
    };
    await Promise.all(walks.map(readAll));
    for (const { outcome } of walks) assert.deepEqual(outcome.partial, [{ root, reason: 'budget' }]);
    assert.equal(manager.counters().waiting, 0);
  });
});
