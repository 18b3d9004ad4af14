import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManager, type Manager, type ManagerOptions } from '../../../src/snmp/index.ts';
import { Peer } from '../../../src/snmp/transport/flight.ts';
import { SendBudget } from '../../../src/snmp/transport/send-budget.ts';
import { until } from '../../support/until.ts';
import { peerSettings } from '../support/peer-settings.ts';
import { answer, startScriptedAgent, text } from '../support/scripted-agent.ts';

const target = { address: '127.0.0.1', version: '2c', community: 'public' } as const;
const oid = '1.3.6.1.2.1.1.5.0';

const managers: Manager[] = [];
after(() => {
  for (const manager of managers) manager.close();
});

function startManager(options: ManagerOptions = {}): Manager {
  const manager = createManager(options);
  managers.push(manager);
  return manager;
}

describe('limits', () => {
  it('allows two outstanding requests to a device that has not proved to be fast', async () => {
    await using agent = await startScriptedAgent(() => []);
    const manager = startManager();
    const session = manager.open({ ...target, port: agent.port, maxConcurrentRequests: 8, timeoutMs: 5_000 });
    const asked = Promise.allSettled(Array.from({ length: 10 }, () => session.get([oid])));
    await until(() => agent.requests.length >= 2);
    await sleep(50);
    assert.equal(agent.requests.length, 2);
    assert.equal(manager.counters().waiting, 8);
    session.close();
    assert.ok(
      (await asked).every((result) => result.status === 'rejected' && result.reason.code === 'SNMP_CLOSED'),
    );
    assert.deepEqual([manager.counters().inFlight, manager.counters().waiting], [0, 0]);
  });

  it('allows more outstanding requests to a fast device, and fewer after a timeout', () => {
    const peer = new Peer(peerSettings);
    for (let i = 0; i < 1_000; i++) peer.learnRoundTrip(5);
    assert.equal(peer.window, 8);
    peer.learnTimeout();
    assert.equal(peer.window, 4);
  });

  it('waits SRTT + 4·RTTVAR, at least 500 ms and at most the configured timeout', () => {
    const settings = { address: '127.0.0.1', port: 161, isIpv6: false, acceptsAnySource: false, retries: 3 };
    const peer = new Peer({ ...settings, timeoutMs: 2_000, exponentialTimeout: false, maxOutstanding: 2 });
    assert.equal(peer.timeoutMs(0), 2_000);
    for (let i = 0; i < 100; i++) peer.learnRoundTrip(10);
    assert.deepEqual(
      [0, 1, 2, 3].map((attempt) => peer.timeoutMs(attempt)),
      [500, 1_000, 2_000, 2_000],
    );
    for (let i = 0; i < 100; i++) peer.learnRoundTrip(1_200);
    assert.ok(peer.timeoutMs(0) > 1_200 && peer.timeoutMs(0) <= 2_000);
    const patient = new Peer({ ...settings, timeoutMs: 100, exponentialTimeout: true, maxOutstanding: 2 });
    assert.deepEqual(
      [0, 1, 2].map((attempt) => patient.timeoutMs(attempt)),
      [100, 200, 400],
    );
  });

  it('sends nothing while it may not, neither first requests nor repeated ones', async () => {
    await using agent = await startScriptedAgent(() => []);
    let maySend = true;
    const manager = startManager({ maySend: () => maySend });
    const session = manager.open({ ...target, port: agent.port, timeoutMs: 50, retries: 3 });
    const repeated = session.get([oid]);
    await until(() => agent.requests.length === 1);
    maySend = false;
    await assert.rejects(repeated, { code: 'SNMP_NOT_SENT' });
    const further = Array.from({ length: 5_000 }, () => session.get([oid]));
    for (const result of await Promise.allSettled(further))
      assert.ok(result.status === 'rejected' && result.reason.code === 'SNMP_NOT_SENT');
    assert.equal(agent.requests.length, 1);
    assert.deepEqual([manager.counters().inFlight, manager.counters().waiting], [0, 0]);
    maySend = true;
    const sent = session.get([oid]).catch(() => {});
    await until(() => agent.requests.length > 1);
    await sent;
  });

  it('sends no more datagrams per second than allowed', async () => {
    await using agent = await startScriptedAgent((r) => [answer(r, [text(oid, 'x')])]);
    const manager = startManager({ packetsPerSecond: 200 });
    const session = manager.open({ ...target, port: agent.port });
    const started = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => session.get([oid])));
    assert.ok(performance.now() - started > 300, 'a burst of 20, then 5 ms for each of 80');
  });

  it('has no more outstanding requests to all devices than allowed', async () => {
    await using agent = await startScriptedAgent(() => []);
    const manager = startManager({ maxInFlight: 5 });
    const asked = Array.from({ length: 10 }, () =>
      manager.open({ ...target, port: agent.port, timeoutMs: 60, retries: 0 }).get([oid]),
    );
    await until(() => agent.requests.length >= 5);
    assert.equal(manager.counters().inFlight, 5);
    await Promise.allSettled(asked);
    await until(() => agent.requests.length >= 10);
    assert.equal(agent.requests.length, 10);
  });

  it('limits retransmissions to 20 % of the datagrams of ten seconds', () => {
    const budget = new SendBudget({ packetsPerSecond: 1e9, maxInFlight: 1, retryShare: 0.2, retryFloor: 5 });
    let now = 1_000;
    for (let i = 0; i < 1_000; i++) budget.take(now++);
    let retries = 0;
    while (budget.takeRetry(now)) retries++;
    assert.ok(retries >= 200 && retries <= 260, `${retries}`);
    now += 20_000;
    retries = 0;
    while (budget.takeRetry(now)) retries++;
    assert.equal(retries, 5, 'the floor, when nothing was sent');
  });

  it('reports the spent retry budget as the reason of a failed request', async () => {
    await using agent = await startScriptedAgent(() => []);
    const manager = startManager({ retryFloor: 0, retryShare: 0 });
    const session = manager.open({ ...target, port: agent.port, timeoutMs: 40, retries: 2 });
    await assert.rejects(session.get([oid]), { code: 'SNMP_RETRY_BUDGET' });
    assert.equal(agent.requests.length, 1);
  });

  it('reports the elapsed time and the number of attempts', async () => {
    await using agent = await startScriptedAgent(() => []);
    const manager = startManager();
    const session = manager.open({ ...target, port: agent.port, timeoutMs: 40, retries: 2 });
    await assert.rejects(session.get([oid]), {
      code: 'SNMP_TIMEOUT',
      message: /did not answer 3 requests within \d+ ms/,
    });
    assert.equal(agent.requests.length, 3);
  });

  it('makes all attempts although its own event loop was blocked', async () => {
    await using agent = await startScriptedAgent(() => []);
    const session = startManager().open({ ...target, port: agent.port, timeoutMs: 40, retries: 2 });
    const asked = session.get([oid]);
    const wakeMs = performance.now() + 150;
    while (performance.now() < wakeMs);
    await assert.rejects(asked, { code: 'SNMP_TIMEOUT', message: /did not answer 3 requests/ });
    assert.equal(agent.requests.length, 3);
  });

  it('rejects host names, wrong ports and invalid OIDs by name', async () => {
    const manager = startManager();
    assert.throws(() => manager.open({ ...target, address: 'router.example' }), { code: 'SNMP_BAD_TARGET' });
    assert.throws(() => manager.open({ ...target, port: 70_000 }), { code: 'SNMP_BAD_TARGET' });
    await assert.rejects(manager.open(target).get(['1.3.x']), { code: 'SNMP_BAD_OID' });
  });

  it('reports a send error of the system at its request', async () => {
    const manager = startManager();
    const session = manager.open({ ...target, address: '255.255.255.255', timeoutMs: 50, retries: 0 });
    await assert.rejects(session.get([oid]), { code: 'SNMP_UNREACHABLE' });
    assert.equal(Object.values(manager.counters().sendErrors)[0], 1);
  });

  it('reports a send error of the system at the retransmission when replies have come before', async () => {
    const manager = startManager();
    const refused = { ...target, address: '255.255.255.255', timeoutMs: 50, retries: 1 };
    const session = manager.open(refused);
    session.restoreLearned({ tables: [], srttMs: 1, rttvarMs: 1 });
    await assert.rejects(session.get([oid]), { code: 'SNMP_UNREACHABLE' });
    assert.equal(Object.values(manager.counters().sendErrors)[0], 1);
    const impatient = manager.open({ ...refused, retries: 0 });
    impatient.restoreLearned({ tables: [], srttMs: 1, rttvarMs: 1 });
    await assert.rejects(impatient.get([oid]), { code: 'SNMP_UNREACHABLE' });
  });

  it('reports the drops of the kernel where the system counts them', async () => {
    await using agent = await startScriptedAgent((r) => [answer(r, [text(oid, 'x')])]);
    const manager = startManager();
    await manager.open({ ...target, port: agent.port }).get([oid]);
    assert.equal(await manager.kernelDrops(), process.platform === 'linux' ? 0 : undefined);
  });

  it('sends over IPv6 for every spelling of the address', async (t) => {
    const { createSocket } = await import('node:dgram');
    const { CommunityCodec } = await import('../../../src/snmp/codec/community-message.ts');
    const socket = createSocket('udp6');
    const bound = await new Promise((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(0, '::1', () => resolve(true));
    });
    if (!bound) return t.skip('this machine has no IPv6');
    socket.on('message', (datagram, from) => {
      const request = new CommunityCodec().decode(datagram);
      if (typeof request !== 'string')
        socket.send(answer(request, [text(oid, 'six')]), from.port, from.address);
    });
    const manager = startManager();
    const session = manager.open({ ...target, address: '0:0:0:0:0:0:0:1', port: socket.address().port });
    assert.equal(String((await session.get([oid]))[0]?.value), 'six');
    assert.match(session.name, /^\[::1\]:\d+$/);
    socket.close();
  });
});
