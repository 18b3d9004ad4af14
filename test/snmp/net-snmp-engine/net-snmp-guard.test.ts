import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import type { CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import {
  createNetSnmpEngine,
  type SnmpEngine,
  type SnmpErrorCode,
  type Target,
} from '../../../src/snmp/index.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { answer, type Reply, startScriptedAgent, text } from '../support/scripted-agent.ts';

const sysName = '1.3.6.1.2.1.1.5.0';
const truth = [text(sysName, 'the truth')];
const lie = [text(sysName, 'a lie')];

describe('NetSnmpGuard', () => {
  let engine: SnmpEngine;
  before(async () => {
    engine = await createNetSnmpEngine();
  });
  after(() => engine.close());

  const openAt = (port: number, options: Partial<Target> = {}) =>
    engine.open({
      address: '127.0.0.1',
      port,
      version: '2c',
      community: 'public',
      timeoutMs: 300,
      retries: 1,
      ...options,
    } as Target);

  const forgeries: Readonly<Record<string, (request: CommunityMessage) => Reply>> = {
    'from another port': (request) => ({ fromOtherPort: answer(request, lie) }),
    'with another community': (request) => answer(request, lie, { community: 'private' }),
    'of another version': (request) => answer(request, lie, { version: '1' }),
    'that is not a Response': (request) => answer(request, lie, { type: 'GetRequest' }),
    'that is a Report': (request) => answer(request, lie, { type: 'Report' }),
    'with another request id': (request) => answer(request, lie, { requestId: request.pdu.requestId + 1 }),
    'that is noise': () => randomBytes(80),
    'that is cut short': (request) => answer(request, lie).subarray(0, -3),
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    it(`ignores a reply ${what}, without a second request`, async () => {
      await using agent = await startScriptedAgent((request) => [forge(request), answer(request, truth)]);
      const [varbind] = await openAt(agent.port).get([sysName]);
      assert.equal(String(varbind?.value), 'the truth');
      assert.equal(agent.requests.length, 1);
    });
  }

  it('repeats a request when the library rejects the reply', async () => {
    await using agent = await startScriptedAgent((request, count) => [
      answer(request, count === 1 ? [text('1.3.6.1.2.1.1.6.0', 'not asked for')] : truth),
    ]);
    const [varbind] = await openAt(agent.port).get([sysName]);
    assert.equal(String(varbind?.value), 'the truth');
    assert.equal(agent.requests.length, 2);
  });

  it('fails with a code when the library rejects every reply', async () => {
    await using agent = await startScriptedAgent((request) => [answer(request, [])]);
    await rejects(openAt(agent.port).get([sysName]), 'SNMP_WRONG_ANSWER');
  });

  it('survives datagrams that make the library throw', async () => {
    const types = [0x01, 0x03, 0x45, 0x47, 0x9f];
    await using agent = await startScriptedAgent((request, count) => {
      if (count % 2 === 0) return [answer(request, truth)];
      const reply = Buffer.from(answer(request, truth));
      reply[reply.length - 'the truth'.length - 2] = types[count % types.length]!;
      return [reply];
    });
    for (let round = 0; round < types.length; round++) {
      const [varbind] = await openAt(agent.port).get([sysName]);
      assert.equal(String(varbind?.value), 'the truth');
    }
  });

  it('ends an unanswered request at its own deadline', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound));
    try {
      const deadlinesMs: number[] = [];
      const setTimer = (run: () => void, afterMs: number) => {
        deadlinesMs.push(afterMs);
        return systemClock.setTimer(run, afterMs);
      };
      const timed = await createNetSnmpEngine({ clock: { ...systemClock, setTimer } });
      const { port } = silent.address();
      const sinceMs = performance.now();
      const session = timed.open({
        address: '127.0.0.1',
        port,
        version: '2c',
        community: 'public',
        timeoutMs: 300,
        retries: 1,
      });
      await rejects(session.get([sysName]), 'SNMP_TIMEOUT');
      timed.close();
      assert.ok(performance.now() - sinceMs > 550);
      assert.deepEqual(deadlinesMs, [350, 350], 'each attempt has its deadline, shortly after the timeout');

      const closed = openAt(silent.address().port, { retries: 0 });
      const pending = rejects(closed.get([sysName]), 'SNMP_CLOSED');
      setImmediate(() => closed.close());
      await pending;

      const aborting = new AbortController();
      setImmediate(() => aborting.abort());
      const { signal } = aborting;
      await rejects(openAt(silent.address().port, { retries: 0 }).get([sysName], { signal }), 'SNMP_ABORTED');
      await rejects(closed.get([sysName]), 'SNMP_CLOSED');
    } finally {
      silent.close();
    }
  });

  it('rejects targets that the library does not support', () => {
    const user = {
      name: 'u',
      authProtocol: 'sha',
      authPassphrase: 'maplesyrup',
      privPassphrase: 'x',
    } as const;
    const at = { address: '127.0.0.1', version: '3' } as const;
    for (const privProtocol of ['des', 'aes192', 'aes192c'] as const) {
      throwsBadTarget({ ...at, user: { ...user, privProtocol } }, /does not support the privProtocol/);
    }
    throwsBadTarget({ ...at, user, contextEngineId: Buffer.alloc(5) }, /does not support contextEngineId/);
    throwsBadTarget({ ...at, user: { name: 'u', authProtocol: 'sha' } }, /no authPassphrase/);
    throwsBadTarget({ address: 'a.host.name', version: '2c', community: 'public' }, /is not an IP address/);
  });

  function throwsBadTarget(target: Target, message: RegExp): void {
    assert.throws(() => engine.open(target), { code: 'SNMP_BAD_TARGET', message });
  }
});

async function rejects(promise: Promise<unknown>, code: SnmpErrorCode): Promise<void> {
  await assert.rejects(promise, { name: 'SnmpError', code });
}
