import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createManager } from '../../../src/snmp/index.ts';
import { SharedPeers } from '../../../src/snmp/peer/shared-peers.ts';
import { until } from '../../support/until.ts';
import { peerSettings } from '../support/peer-settings.ts';
import { answer, startScriptedAgent, text } from '../support/scripted-agent.ts';

const manager = createManager({ countsByDevice: true });
after(() => manager.close());
const oid = '1.3.6.1.2.1.1.5.0';
const target = { address: '127.0.0.1', version: '2c', maxConcurrentRequests: 1, timeoutMs: 5_000 } as const;

describe('the limit of outstanding requests to one device', () => {
  it('applies to all its sessions together, with any credentials', async () => {
    await using agent = await startScriptedAgent(() => []);
    const { port } = agent;
    const sessions = ['a', 'b', 'c'].map((community) => manager.open({ ...target, port, community }));
    const asked = sessions.map((session) => assert.rejects(session.get([oid]), { code: 'SNMP_CLOSED' }));
    await until(() => agent.requests.length === 1);
    await sleep(50);
    assert.equal(agent.requests.length, 1);
    assert.equal(manager.counters().waiting, 2);
    // The waiting one is closed, so the third one takes the place of the first one.
    sessions[1]!.close();
    await asked[1];
    assert.equal(agent.requests.length, 1);
    sessions[0]!.close();
    await until(() => agent.requests.length === 2);
    assert.equal(agent.requests[1]!.community.toString(), 'c');
    sessions[2]!.close();
    await Promise.all(asked);
    assert.deepEqual([manager.counters().inFlight, manager.counters().waiting], [0, 0]);
  });

  it('shares the round trip with later sessions, but not the number of retries', async () => {
    await using agent = await startScriptedAgent((request, count) =>
      count === 2 ? [] : [answer(request, [text(oid, 'x')])],
    );
    const open = () => manager.open({ ...target, port: agent.port, community: 'a', timeoutMs: 100 });
    const [first, second] = [open(), open()];
    await first.get([oid]);
    assert.ok(second.roundTripMs > 0);
    second.restoreLearned({ tables: [], srttMs: 3_000_000 });
    assert.ok(second.roundTripMs < 1_000, 'the current value is newer than the stored one');
    await second.get([oid]);
    assert.deepEqual([first.retransmitted, second.retransmitted], [0, 1]);
    assert.deepEqual([first.sent, second.sent], [1, 2]);
    first.close();
    second.close();
  });

  it('keeps nothing of devices without a session', () => {
    const peers = new SharedPeers();
    const [one, two] = [peers.take(peerSettings), peers.take(peerSettings)];
    const other = peers.take({ ...peerSettings, retries: 3 });
    assert.equal(one, two);
    assert.notEqual(one, other);
    for (const peer of [one, two, other]) peers.release(peer);
    assert.equal(peers.size, 0);
  });
});
