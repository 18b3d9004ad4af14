import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createManager, createNetSnmpEngine } from '../../../src/snmp/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';
import { answer, startScriptedAgent, text } from '../support/scripted-agent.ts';

const oid = '1.3.6.1.2.1.1.5.0';
const community = { address: '127.0.0.1', version: '2c', community: 'public' } as const;
const user = { name: 'alice', authProtocol: 'sha', authPassphrase: 'maplesyrup' } as const;

describe('the reason of a failed request', () => {
  it('is the timeout when a retransmission was postponed and then sent', async (t) => {
    await using silent = await startScriptedAgent(() => []);
    await using good = await startScriptedAgent((request) => [answer(request, [text(oid, 'x')])]);
    const manager = createManager({ retryFloor: 0, retryShare: 0.5 });
    t.after(() => manager.close());
    const session = manager.open({ ...community, port: silent.port, timeoutMs: 500, retries: 1 });
    const asked = assert.rejects(session.get([oid]), { code: 'SNMP_TIMEOUT' });
    await until(() => manager.counters().retriesPutOff > 0);
    const other = manager.open({ ...community, port: good.port });
    for (let i = 0; i < 5; i++) await other.get([oid]);
    await asked;
    assert.equal(silent.requests.length, 2);
  });

  it('is the timeout for an SNMPv3 device with a known engine ID', async (t) => {
    await using agent = await startReplayAgent({ recording: parseRecording(`${oid}|4|x`), users: [user] });
    const [front, back] = [createSocket('udp4'), createSocket('udp4')];
    let carried = 0;
    front.on('message', (datagram, from) => {
      if (carried++ > 0) return;
      back.once('message', (reply) => front.send(reply, from.port, from.address));
      back.send(datagram, agent.port, '127.0.0.1');
    });
    for (const socket of [front, back]) {
      t.after(() => socket.close());
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
    }
    const manager = createManager();
    t.after(() => manager.close());
    const { port } = front.address();
    const session = manager.open({
      address: '127.0.0.1',
      port,
      version: '3',
      user,
      timeoutMs: 100,
      retries: 1,
    });
    await assert.rejects(session.get([oid]), {
      code: 'SNMP_TIMEOUT',
      message: /the address is right\. Check the authentication passphrase and protocol of user alice/,
    });
    assert.ok(carried > 1);
  });

  it('suggests the community, or the secrets of the user, but not both', async (t) => {
    await using silent = await startScriptedAgent(() => []);
    const engines = [createManager(), await createNetSnmpEngine()];
    t.after(() => {
      for (const engine of engines) engine.close();
    });
    const target = { address: '127.0.0.1', port: silent.port, timeoutMs: 20, retries: 0 } as const;
    for (const engine of engines) {
      const asked = engine.open({ ...target, version: '2c', community: 'public' }).get([oid]);
      await assert.rejects(asked, { message: /Check the address, the community, the access list/ });
    }
    for (const [engine, advice] of [
      [engines[0]!, /did not report its engine ID\. Check the address, the access list/],
      [engines[1]!, /Check the address, the authentication passphrase and protocol of user alice/],
    ] as const) {
      const asked = engine.open({ ...target, version: '3', user }).get([oid]);
      await assert.rejects(
        asked,
        (error: Error) => advice.test(error.message) && !/community/.test(error.message),
      );
    }
  });
});
