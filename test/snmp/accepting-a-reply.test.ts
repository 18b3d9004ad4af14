import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CommunityMessage } from '../../src/snmp/codec/community-message.ts';
import { isDecodeFault } from '../../src/snmp/codec/decode-fault.ts';
import { createManager, type TargetOptions } from '../../src/snmp/index.ts';
import { type IgnoreReason, ignoreReasons } from '../../src/snmp/transport/counters.ts';
import { answer, number, type Reply, startScriptedAgent, text } from './support/scripted-agent.ts';

const name = '1.3.6.1.2.1.1.5.0';
const manager = createManager();
after(() => manager.close());

/** Requests the name while an attacker answers first, and checks that the correct name arrives at the first attempt. */
async function outwit(
  forge: (request: CommunityMessage) => Reply,
  call: 'get' | 'getNext' = 'get',
  options: Partial<TargetOptions> = {},
  reason?: IgnoreReason,
): Promise<void> {
  const truth = call === 'get' ? text(name, 'true') : text(`${name}.1`, 'true');
  await using agent = await startScriptedAgent((request) => [forge(request), answer(request, [truth])]);
  const session = manager.open({
    address: '127.0.0.1',
    port: agent.port,
    version: '2c',
    community: 'public',
    timeoutMs: 1_000,
    retries: 1,
    ...options,
  });
  const before = manager.counters();
  const [varbind] = await session[call]([name]);
  assert.equal(String(varbind?.value), 'true');
  assert.equal(agent.requests.length, 1, 'no retry');
  const counters = manager.counters();
  assert.equal(counters.internalFaults, 0);
  const count = (all: Readonly<Record<string, number>>) => Object.values(all).reduce((sum, n) => sum + n, 0);
  assert.equal(
    count(counters.ignored) + count(counters.malformed) - count(before.ignored) - count(before.malformed),
    1,
    'the forged reply was counted',
  );
  if (reason !== undefined) assert.equal(counters.ignored[reason] - before.ignored[reason], 1);
}

const lie = [text(name, 'forged')];

describe('a session with forged replies', () => {
  it('counts a reply under one reason only', () => {
    assert.deepEqual(
      ignoreReasons.filter((reason) => isDecodeFault(reason)),
      [],
    );
  });

  it('ignores a reply from another port', () => outwit((r) => ({ fromOtherPort: answer(r, lie) })));

  it('accepts a reply from anywhere when the target allows it', async () => {
    await using agent = await startScriptedAgent((r) => [{ fromOtherPort: answer(r, [text(name, 'true')]) }]);
    const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
    const [varbind] = await manager.open({ ...target, replyFrom: 'any' }).get([name]);
    assert.equal(String(varbind?.value), 'true');
  });

  it('ignores a reply with another version', () => outwit((r) => answer(r, lie, { version: '1' })));
  it('ignores a reply with another community', () => outwit((r) => answer(r, lie, { community: 'publik' })));
  it('ignores a reply with a longer community', () =>
    outwit((r) => answer(r, lie, { community: 'public1' })));
  it('ignores a reply with an empty community', () => outwit((r) => answer(r, lie, { community: '' })));

  for (const type of ['GetRequest', 'Report', 'TrapV2', 'InformRequest', 'SetRequest'] as const) {
    it(`ignores a ${type}`, () => outwit((r) => answer(r, lie, { type })));
  }

  it('ignores a reply with request id 0', () => outwit((r) => answer(r, lie, { requestId: 0 })));
  it('ignores a reply with an unknown request id', () =>
    outwit((r) => answer(r, lie, { requestId: r.pdu.requestId ^ 1 })));
  it('ignores a reply with a negative request id', () =>
    outwit((r) => answer(r, lie, { requestId: -r.pdu.requestId })));

  it('uses a new, unpredictable request id within 1…214748364 for each attempt', async () => {
    await using agent = await startScriptedAgent((r, count) =>
      count < 3 ? [] : [answer(r, [text(name, 'x')])],
    );
    const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
    await manager.open({ ...target, timeoutMs: 30, retries: 2 }).get([name]);
    const ids = agent.requests.map((request) => request.pdu.requestId);
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => id >= 1 && id <= 214_748_364));
    assert.ok(Math.abs(ids[1]! - ids[0]!) > 1000 || Math.abs(ids[2]! - ids[1]!) > 1000);
  });

  it('accepts a late reply to an earlier attempt', async () => {
    let first: CommunityMessage | undefined;
    await using agent = await startScriptedAgent((r) => {
      if (first !== undefined) return [answer(first, [text(name, 'late')])];
      first = r;
      return [];
    });
    const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
    const [varbind] = await manager.open({ ...target, timeoutMs: 30, retries: 3 }).get([name]);
    assert.equal(String(varbind?.value), 'late');
  });

  it('ignores another OID in the reply to a GET, and says so in the counters', () =>
    outwit((r) => answer(r, [text('1.3.6.1.2.1.1.6.0', 'forged')]), 'get', {}, 'varbinds'));
  it('ignores a reply to a GET without varbinds', () => outwit((r) => answer(r, [])));
  it('ignores a reply to a GET with an additional varbind', () => outwit((r) => answer(r, [...lie, ...lie])));
  it('ignores the requested OID in the reply to a GETNEXT', () => outwit((r) => answer(r, lie), 'getNext'));
  it('ignores a smaller OID in the reply to a GETNEXT', () =>
    outwit((r) => answer(r, [text('1.3.6.1.2.1.1.1.0', 'forged')]), 'getNext'));

  it('accepts another order only when the target allows it', async () => {
    const [a, b] = [number('1.3.6.1.1.1.0', 1), number('1.3.6.1.1.2.0', 2)];
    await using agent = await startScriptedAgent((r) => [answer(r, [b, a])]);
    const target = { address: '127.0.0.1', port: agent.port, version: '2c', community: 'public' } as const;
    const options = { timeoutMs: 50, retries: 0 };
    assert.deepEqual(
      await manager.open({ ...target, ...options, toleratesOrder: true }).get([a.oid, b.oid]),
      [a, b],
    );
    await assert.rejects(manager.open({ ...target, ...options }).get([a.oid, b.oid]), {
      code: 'SNMP_WRONG_ANSWER',
    });
  });

  it('ignores a datagram that is not a message', () => outwit(() => Buffer.from('30820000', 'hex')));
  it('ignores an empty datagram', () => outwit(() => Buffer.alloc(0)));
  it('ignores a truncated reply', () => outwit((r) => answer(r, lie).subarray(0, -1)));
});

describe('a session that receives an error-status', () => {
  const target = {
    address: '127.0.0.1',
    version: '2c',
    community: 'public',
    timeoutMs: 500,
    retries: 0,
  } as const;
  const oids = [1, 2, 3, 4].map((i) => `1.3.6.1.2.1.1.${i}.0`);
  const good = (r: CommunityMessage) => r.pdu.varbinds.map(({ oid }) => text(oid, 'ok'));

  it('halves the request after tooBig immediately, down to one varbind', async () => {
    await using agent = await startScriptedAgent((r) => {
      if (r.pdu.varbinds.length > 1) return [answer(r, [], { errorStatus: 1 })];
      return [answer(r, good(r))];
    });
    const session = manager.open({ ...target, port: agent.port });
    const varbinds = await session.get(oids);
    assert.deepEqual(
      varbinds.map((varbind) => varbind.oid),
      oids,
    );
    assert.equal(agent.requests.length, 1 + 2 + 4);
    await session.get(oids);
    assert.equal(agent.requests.length, 7 + 4, 'what fitted is remembered');
  });

  it('returns an exception for a varbind that is too big', async () => {
    await using agent = await startScriptedAgent((r) => {
      const isBad = r.pdu.varbinds.length > 1 || r.pdu.varbinds[0]?.oid === oids[2];
      return [isBad ? answer(r, [], { errorStatus: 1 }) : answer(r, good(r))];
    });
    const varbinds = await manager.open({ ...target, port: agent.port }).get(oids);
    assert.deepEqual(
      varbinds.map((varbind) => varbind.type),
      ['OctetString', 'OctetString', 'tooBig', 'OctetString'],
    );
  });

  it('sends no smaller requests later because one value was too big by itself', async () => {
    await using agent = await startScriptedAgent((r) => {
      const hasLongValue = r.pdu.varbinds.some(({ oid }) => oid === oids[2]);
      return [hasLongValue ? answer(r, [], { errorStatus: 1 }) : answer(r, good(r))];
    });
    const session = manager.open({ ...target, port: agent.port });
    await session.get(oids);
    const before = agent.requests.length;
    const others = oids.filter((oid) => oid !== oids[2]);
    await session.get(others);
    assert.equal(agent.requests.length, before + 1);
  });

  it('sends no smaller requests later because one value left no room for others', async () => {
    const maxOctets = 600;
    await using agent = await startScriptedAgent((r) => {
      const varbinds = r.pdu.varbinds.map(({ oid }) => text(oid, oid === oids[2] ? 'x'.repeat(570) : 'ok'));
      const octets = varbinds.reduce((sum, { value }) => sum + 14 + (value as Buffer).length, 0);
      return [octets > maxOctets ? answer(r, [], { errorStatus: 1 }) : answer(r, varbinds)];
    });
    const session = manager.open({ ...target, port: agent.port });
    const varbinds = await session.get(oids);
    assert.ok(varbinds.every(({ type }) => type === 'OctetString'));
    const before = agent.requests.length;
    await session.get(oids.filter((oid) => oid !== oids[2]));
    assert.equal(agent.requests.length, before + 1);
  });

  it('asks for as many at once as the largest answered request, where several were too big', async () => {
    await using agent = await startScriptedAgent((r) => {
      const isTooBig = r.pdu.varbinds.length > 2;
      return [isTooBig ? answer(r, [], { errorStatus: 1 }) : answer(r, good(r))];
    });
    const session = manager.open({ ...target, port: agent.port });
    await session.get([...oids, '1.3.6.1.2.1.1.5.0']);
    const before = agent.requests.length;
    await session.get(oids);
    assert.equal(agent.requests.length, before + 2);
  });

  it('returns an exception for the varbind of a genErr', async () => {
    await using agent = await startScriptedAgent((r) => {
      const bad = r.pdu.varbinds.findIndex((varbind) => varbind.oid === oids[1]);
      if (bad >= 0) return [answer(r, r.pdu.varbinds, { errorStatus: 5, errorIndex: bad + 1 })];
      return [answer(r, good(r))];
    });
    const varbinds = await manager.open({ ...target, port: agent.port }).get(oids);
    assert.deepEqual(
      varbinds.map((varbind) => varbind.type),
      ['OctetString', 'genErr', 'OctetString', 'OctetString'],
    );
    assert.equal(agent.requests.length, 2);
  });

  it('tolerates an error-index outside the list', async () => {
    await using agent = await startScriptedAgent((r) => {
      const isBad = r.pdu.varbinds.some((varbind) => varbind.oid === oids[3]);
      return [isBad ? answer(r, r.pdu.varbinds, { errorStatus: 5, errorIndex: 99 }) : answer(r, good(r))];
    });
    const varbinds = await manager.open({ ...target, port: agent.port }).get(oids);
    assert.equal(varbinds.filter((varbind) => varbind.type === 'OctetString').length, 3);
    assert.equal(varbinds[3]?.type, 'genErr');
  });

  it('returns an exception for the varbind of a noSuchName in SNMPv1', async () => {
    await using agent = await startScriptedAgent((r) => {
      const bad = r.pdu.varbinds.findIndex((varbind) => varbind.oid === oids[0] || varbind.oid === oids[3]);
      if (bad >= 0) return [answer(r, r.pdu.varbinds, { errorStatus: 2, errorIndex: bad + 1 })];
      return [answer(r, good(r))];
    });
    const varbinds = await manager.open({ ...target, version: '1', port: agent.port }).get(oids);
    assert.deepEqual(
      varbinds.map((varbind) => varbind.type),
      ['noSuchInstance', 'OctetString', 'OctetString', 'noSuchInstance'],
    );
  });

  it('returns an exception as the result of its varbind only', async () => {
    await using agent = await startScriptedAgent((r) => [
      answer(r, [{ oid: oids[0]!, type: 'noSuchObject', value: null }, ...good(r).slice(1)]),
    ]);
    const varbinds = await manager.open({ ...target, port: agent.port }).get(oids);
    assert.deepEqual(
      varbinds.map((varbind) => varbind.type),
      ['noSuchObject', 'OctetString', 'OctetString', 'OctetString'],
    );
  });

  it('rejects with the name of any other error-status', async () => {
    await using agent = await startScriptedAgent((r) => [answer(r, r.pdu.varbinds, { errorStatus: 16 })]);
    await assert.rejects(manager.open({ ...target, port: agent.port }).get(oids), {
      code: 'SNMP_AGENT_ERROR',
      message: /authorizationError/,
    });
  });
});
