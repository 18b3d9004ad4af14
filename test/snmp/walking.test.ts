import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { compareOids } from '../../src/model/oid.ts';
import type { CommunityMessage } from '../../src/snmp/codec/community-message.ts';
import { createManager, type SnmpWalk, type Varbind } from '../../src/snmp/index.ts';
import { answer, number, type Reply, startScriptedAgent } from './support/scripted-agent.ts';
import { serveTable } from './support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const root = '1.3.6.1.2.1.2.2';
const target = { address: '127.0.0.1', community: 'public', timeoutMs: 400, retries: 1 } as const;

async function collect(walk: SnmpWalk): Promise<Varbind[]> {
  const all: Varbind[] = [];
  for await (const varbinds of walk) {
    assert.ok(varbinds.length > 0);
    all.push(...varbinds);
  }
  return all;
}

function table(columns: number, rows: number): Varbind[] {
  return Array.from({ length: columns * rows }, (_, i) =>
    number(`${root}.1.${Math.floor(i / rows) + 1}.${(i % rows) + 1}`, i),
  );
}

describe('a walk', () => {
  for (const version of ['1', '2c'] as const) {
    it(`reads a subtree and nothing after it, SNMPv${version}`, async () => {
      const inside = table(3, 40);
      const all = [
        number('1.3.6.1.2.1.1.1.0', 0),
        ...inside,
        number('1.3.6.1.2.1.2.3.1', 9),
        number('1.3.6.1.3.1', 1),
      ];
      await using agent = await startScriptedAgent((request) => {
        if (version === '2c') return [serveTable(all, request)];
        const isEnd = request.pdu.varbinds.some(({ oid }) => compareOids(oid, all.at(-1)!.oid) >= 0);
        return [
          isEnd
            ? answer(request, request.pdu.varbinds, { errorStatus: 2, errorIndex: 1 })
            : serveTable(all, request),
        ];
      });
      const walk = manager.open({ ...target, port: agent.port, version }).walk(root);
      assert.deepEqual(await collect(walk), inside);
      assert.deepEqual(walk.outcome.partial, []);
    });
  }

  it('reads several columns side by side', async () => {
    const all = [...table(3, 40), number(`${root}.1.4.1`, 0)];
    await using agent = await startScriptedAgent((request) => [serveTable(all, request)]);
    const session = manager.open({ ...target, port: agent.port, version: '2c' });
    const found = await collect(session.walk([`${root}.1.1`, `${root}.1.3`]));
    assert.equal(found.length, 80);
    assert.equal(new Set(found.map((varbind) => varbind.oid)).size, 80);
    assert.ok(agent.requests.length <= 6);
  });

  it('continues when an agent sends fewer varbinds than requested', async () => {
    const all = table(2, 50);
    await using agent = await startScriptedAgent((request) => [serveTable(all, request, 7)]);
    const walk = manager.open({ ...target, port: agent.port, version: '2c' }).walk(root);
    assert.deepEqual(await collect(walk), all);
  });

  it('stops after two empty replies', async () => {
    await using agent = await startScriptedAgent((request) => [answer(request, [])]);
    const walk = manager.open({ ...target, port: agent.port, version: '2c' }).walk(root);
    assert.deepEqual(await collect(walk), []);
    assert.equal(agent.requests.length, 2);
    assert.deepEqual(walk.outcome.partial, [{ root, reason: 'emptyReplies' }]);
  });

  it('halves the repetitions after tooBig, and remembers it', async () => {
    const all = table(2, 50);
    await using agent = await startScriptedAgent((request) => [
      request.pdu.errorIndex > 5 ? answer(request, [], { errorStatus: 1 }) : serveTable(all, request),
    ]);
    const session = manager.open({ ...target, port: agent.port, version: '2c' });
    assert.deepEqual(await collect(session.walk(root)), all);
    assert.match(session.explain().join('\n'), /more than \d repetitions/);
    const learned = session.exportLearned();
    const again = manager.open({ ...target, port: agent.port, version: '2c' });
    again.restoreLearned(learned);
    const before = agent.requests.length;
    await collect(again.walk(root));
    assert.ok(agent.requests[before]!.pdu.errorIndex <= 6, 'no second lesson');
  });

  it('stops a column that does not increase, marks it as partial, and remembers it', async () => {
    const all = table(1, 10);
    let isFixed = false;
    const looping = (request: CommunityMessage): readonly Reply[] => {
      if (isFixed) return [serveTable(all, request)];
      const [asked] = request.pdu.varbinds;
      if (asked!.oid !== all[9]!.oid)
        return [serveTable(all, request, 10 - all.findIndex((v) => v.oid === asked!.oid) - 1)];
      return [answer(request, [all[3]!])];
    };
    await using agent = await startScriptedAgent(looping);
    const session = manager.open({ ...target, port: agent.port, version: '2c' });
    const walk = session.walk(root);
    assert.deepEqual(await collect(walk), all);
    assert.deepEqual(walk.outcome.partial, [{ root, reason: 'notIncreasing' }]);
    assert.match(session.explain().join('\n'), /do not increase/);
    const { timeouts, ignored } = manager.counters();
    await collect(session.walk(root));
    const after = manager.counters();
    assert.equal(after.timeouts, timeouts, 'the second walk waits for nothing');
    assert.equal(after.ignored.varbinds, ignored.varbinds, 'the second walk accepts the reply');
    isFixed = true;
    await collect(session.walk(root));
    assert.doesNotMatch(session.explain().join('\n'), /do not increase/);
  });

  it('stops a cycle within one extra request', async () => {
    const [a, b] = table(1, 2);
    await using agent = await startScriptedAgent((request) => {
      const asked = request.pdu.varbinds[0]!.oid;
      return [answer(request, [asked === a!.oid ? b! : a!])];
    });
    const walk = manager.open({ ...target, port: agent.port, version: '1' }).walk(root);
    assert.deepEqual(await collect(walk), [a, b]);
    assert.ok(agent.requests.length <= 4);
  });

  it('stops an endless agent at the maximum of varbinds', async () => {
    await using agent = await startScriptedAgent((request) => {
      const last = request.pdu.varbinds[0]!.oid.split('.');
      const from = last.length > 8 ? Number(last.at(-1)) : 0;
      return [
        answer(
          request,
          Array.from({ length: 50 }, (_, i) => number(`${root}.1.${from + i + 1}`, i)).slice(
            0,
            request.pdu.errorIndex,
          ),
        ),
      ];
    });
    const walk = manager
      .open({ ...target, port: agent.port, version: '2c' })
      .walk(root, { maxVarbinds: 500 });
    assert.equal((await collect(walk)).length, 500);
    assert.deepEqual(walk.outcome.partial, [{ root, reason: 'maxVarbinds' }]);
  });

  it('stops at its deadline', async () => {
    await using agent = await startScriptedAgent((request) => {
      const last = request.pdu.varbinds[0]!.oid.split('.');
      return [answer(request, [number(`${root}.1.${last.length > 8 ? Number(last.at(-1)) + 1 : 1}`, 0)])];
    });
    const walk = manager.open({ ...target, port: agent.port, version: '2c' }).walk(root, { withinMs: 60 });
    await collect(walk);
    assert.deepEqual(walk.outcome.partial, [{ root, reason: 'budget' }]);
  });

  it('repeats a request after a lost reply at the same position', async () => {
    const all = table(4, 40);
    let losses = 0;
    await using agent = await startScriptedAgent((request, count) => {
      if (count % 3 !== 2) return [serveTable(all, request, 20)];
      losses++;
      return [];
    });
    const walk = manager.open({ ...target, port: agent.port, version: '2c' }).walk(root);
    assert.deepEqual(await collect(walk), all);
    assert.ok(losses > 1);
    assert.equal(walk.outcome.requests, agent.requests.length - losses, 'nothing was read twice');
  });

  it('requests less after a timeout of a larger request', async () => {
    const all = table(2, 200);
    await using agent = await startScriptedAgent((request) =>
      request.pdu.errorIndex > 40 ? [] : [serveTable(all, request)],
    );
    const session = manager.open({ ...target, port: agent.port, version: '2c' });
    assert.deepEqual(await collect(session.walk(root)), all);
  });

  it('fills replies up to 1,472 octets', async () => {
    const all = table(4, 100);
    const sizes: number[] = [];
    await using agent = await startScriptedAgent((request) => {
      const reply = serveTable(all, request);
      sizes.push(reply.length);
      return [reply];
    });
    await collect(manager.open({ ...target, port: agent.port, version: '2c' }).walk(root));
    assert.ok(Math.max(...sizes) <= 1_472, `${sizes}`);
    assert.ok(sizes[2]! > 1_200, `${sizes}`);
  });

  it('ends with the reason when it is aborted, and its session stays usable', async () => {
    const all = table(2, 50);
    await using agent = await startScriptedAgent((request, count) =>
      count === 2 ? [] : [serveTable(all, request)],
    );
    const session = manager.open({ ...target, port: agent.port, version: '2c', timeoutMs: 5_000 });
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 30);
    await assert.rejects(collect(session.walk(root, { signal: abort.signal })), { code: 'SNMP_ABORTED' });
    assert.equal(manager.counters().inFlight, 0);
    assert.equal((await collect(session.walk(root))).length, 100);
  });

  it('pauses while its arrays are not taken', async () => {
    const all = table(5, 200);
    await using agent = await startScriptedAgent((request) => [serveTable(all, request, 10)]);
    const walk = manager.open({ ...target, port: agent.port, version: '2c' }).walk(root);
    for await (const _ of walk) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      if (walk.outcome.requests > 3) break;
    }
    const asked = agent.requests.length;
    assert.ok(asked <= 5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(agent.requests.length, asked, 'a walk that was left asks no more');
  });
});
