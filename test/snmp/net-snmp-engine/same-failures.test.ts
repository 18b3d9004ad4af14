import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import type { Pdu } from '../../../src/snmp/codec/pdu.ts';
import {
  createManager,
  createNetSnmpEngine,
  type Manager,
  type SnmpEngine,
  type SnmpSession,
  type Varbind,
} from '../../../src/snmp/index.ts';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { authPrivUser } from '../usm/secured-pair.ts';

const oids = Array.from({ length: 7 }, (_, i) => `1.3.6.1.2.1.2.2.1.10.${i + 1}`);

describe('the two engines agree', () => {
  let engines: readonly [Manager, SnmpEngine];
  before(async () => {
    engines = [createManager(), await createNetSnmpEngine()];
  });
  after(() => {
    for (const engine of engines) engine.close();
  });

  async function both<T>(
    port: number,
    version: '1' | '2c',
    use: (session: SnmpSession) => Promise<T>,
  ): Promise<[T, T]> {
    const results: T[] = [];
    for (const engine of engines) {
      const session = engine.open({
        address: '127.0.0.1',
        port,
        version,
        community: 'public',
        timeoutMs: 500,
      });
      results.push(await use(session));
      session.close();
    }
    return results as [T, T];
  }

  it('on an SNMPv1 agent that lacks two of the objects', async () => {
    await using agent = await startScriptedAgent((request) => [failOn(request, 'noSuchName', [3, 6])]);
    const [ours, theirs] = await both(agent.port, '1', (session) => session.get(oids));
    assert.deepEqual(theirs, ours);
    assert.deepEqual(
      ours.map((varbind) => varbind.type === 'noSuchInstance'),
      [false, false, true, false, false, true, false],
    );
  });

  it('on an agent that cannot read one object', async () => {
    await using agent = await startScriptedAgent((request) => [failOn(request, 'genErr', [4])]);
    const [ours, theirs] = await both(agent.port, '2c', (session) => session.get(oids));
    assert.deepEqual(theirs, ours);
    assert.equal(ours[3]?.type, 'genErr');
  });

  it('on an agent that fits two varbinds into a reply', async () => {
    await using agent = await startScriptedAgent((request) => {
      const { varbinds } = request.pdu;
      if (varbinds.length > 2) return [answer(request, [], { errorStatus: 1 })];
      return [answer(request, values(varbinds))];
    });
    const [ours, theirs] = await both(agent.port, '2c', (session) => session.get(oids));
    assert.deepEqual(theirs, ours);
    assert.equal(ours.length, oids.length);
  });

  it('on a column that loops, up to the loop', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `1.3.6.1.2.1.2.2.1.10.${i + 1}|65|${i}`);
    await using agent = await startReplayAgent({
      recording: parseRecording(rows.join('\n')),
      knobs: { jumps: [{ after: '1.3.6.1.2.1.2.2.1.10.25', to: '1.3.6.1.2.1.2.2.1.10.3' }] },
    });
    const [ours, theirs] = await both(agent.port, '2c', async (session) => {
      const walk = session.walk('1.3.6.1.2.1.2.2.1.10');
      const walked: Varbind[] = [];
      for await (const varbinds of walk) walked.push(...varbinds);
      return { walked, partial: walk.outcome.partial };
    });
    assert.deepEqual(theirs, ours);
    assert.equal(ours.walked.length, 25);
    assert.deepEqual(ours.partial, [{ root: '1.3.6.1.2.1.2.2.1.10', reason: 'notIncreasing' }]);
  });

  it('on the end of the MIB of an SNMPv1 agent', async () => {
    await using agent = await startReplayAgent({ recording: parseRecording(`${oids[0]}|65|1\n`) });
    const [ours, theirs] = await both(agent.port, '1', (session) => session.getNext(oids.slice(0, 2)));
    assert.deepEqual(theirs, ours);
    assert.deepEqual(
      ours.map((varbind) => varbind.type),
      ['endOfMibView', 'endOfMibView'],
    );
  });

  it('on a column that repeats one OID', async () => {
    const stuck = '1.3.6.1.2.1.2.2.1.10.2';
    await using agent = await startScriptedAgent((request) => [answer(request, [number(stuck, 1)])]);
    const codes = await both(agent.port, '2c', async (session) => {
      await session.getNext(['1.3.6.1.2.1.2.2.1.10.1']);
      return session.getNext([stuck]).catch((error) => error.code);
    });
    assert.deepEqual(codes, ['SNMP_NOT_INCREASING', 'SNMP_NOT_INCREASING']);
  });

  it('on GETBULK requests that are too big at first', async () => {
    await using agent = await startScriptedAgent((request) => {
      if (request.pdu.errorIndex > 2) return [answer(request, [], { errorStatus: 1 })];
      return [
        answer(
          request,
          oids.slice(0, request.pdu.errorIndex).map((oid) => number(oid, 1)),
        ),
      ];
    });
    const [ours, theirs] = await both(agent.port, '2c', (session) =>
      session.getBulk(['1.3.6.1.2.1.2.2.1.10'], { maxRepetitions: 16 }),
    );
    assert.deepEqual(theirs, ours);
    assert.equal(ours.length, 2);
  });

  it('on agents that reject every request', async () => {
    await using agent = await startScriptedAgent((request) => [answer(request, [], { errorStatus: 16 })]);
    const codes = await both(agent.port, '2c', async (session) => {
      const refusals = [session.get(oids), session.getNext(oids), session.getBulk(oids)];
      return Promise.all(refusals.map((refusal) => refusal.catch((error) => error.message)));
    });
    assert.deepEqual(codes[1], codes[0]);
    assert.match(String(codes[0]?.[0]), /answered with error-status authorizationError/);
  });

  it('on an SNMPv3 agent that restarts', async () => {
    await using agent = await startReplayAgent({
      recording: parseRecording(`${oids[0]}|65|1\n`),
      users: [authPrivUser],
    });
    for (const engine of engines) {
      const session = engine.open({
        address: '127.0.0.1',
        port: agent.port,
        version: '3',
        user: authPrivUser,
        context: 'a context',
        timeoutMs: 500,
        retries: 0,
      });
      for (let round = 0; round < 3; round++) {
        const [varbind] = await session.get([oids[0]!]);
        assert.equal(varbind?.value, 1);
        agent.reboot();
      }
      session.close();
    }
  });

  it('on a walk that reaches its maximum of varbinds', async () => {
    const rows = Array.from({ length: 90 }, (_, i) => `1.3.6.1.2.1.2.2.1.10.${i + 1}|65|${i}`);
    await using agent = await startReplayAgent({ recording: parseRecording(rows.join('\n')) });
    const [ours, theirs] = await both(agent.port, '2c', async (session) => {
      const walk = session.walk('1.3.6.1.2.1.2.2', { maxVarbinds: 33 });
      const walked: Varbind[] = [];
      for await (const varbinds of walk) walked.push(...varbinds);
      return { walked, partial: walk.outcome.partial };
    });
    assert.deepEqual(theirs, ours);
    assert.equal(ours.walked.length, 33);
  });
});

const statuses = { noSuchName: 2, genErr: 5 } as const;

/** Answers with an error-status for the first requested OID among these rows. */
function failOn(request: CommunityMessage, status: keyof typeof statuses, rows: readonly number[]): Buffer {
  const { varbinds } = request.pdu;
  const index = varbinds.findIndex(({ oid }) => rows.includes(Number(oid.split('.').at(-1))));
  if (index < 0) return answer(request, values(varbinds));
  return answer(request, varbinds, { errorStatus: statuses[status], errorIndex: index + 1 });
}

function values(varbinds: Pdu['varbinds']): Varbind[] {
  return varbinds.map(({ oid }) => number(oid, Number(oid.split('.').at(-1))));
}
