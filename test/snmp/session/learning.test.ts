import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createManager } from '../../../src/snmp/index.ts';
import { LearnedCeiling, parseLearnedState } from '../../../src/snmp/request/learned.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const target = { address: '127.0.0.1', version: '2c', community: 'public' } as const;

describe('a session that learns', () => {
  it('lowers a limit immediately, and raises it after long success until it is gone', () => {
    const ceiling = new LearnedCeiling();
    assert.equal(ceiling.within(60), 60);
    ceiling.shrinkTo(20);
    assert.equal(ceiling.within(60), 20);
    for (let i = 0; i < 49; i++) ceiling.confirm(20, 60);
    ceiling.confirm(5, 60);
    assert.equal(ceiling.within(60), 20, 'small messages do not raise the limit');
    ceiling.confirm(20, 60);
    assert.equal(ceiling.within(60), 25);
    for (let i = 0; i < 500; i++) ceiling.confirm(ceiling.within(60), 60);
    assert.equal(ceiling.value, undefined);
  });

  it('remembers and explains missing objects, and forgets them when they appear', async () => {
    const rows = [number('1.3.6.1.2.1.1.7.0', 72)];
    await using agent = await startScriptedAgent((request) => [serveTable(rows, request)]);
    const session = manager.open({ ...target, port: agent.port });
    const [varbind] = await session.get(['1.3.6.1.4.1.9.1.0']);
    assert.equal(varbind?.type, 'noSuchObject');
    assert.match(session.explain().join('\n'), /The device does not have 1\.3\.6\.1\.4\.1\.9\.1\.0/);
    rows.push(number('1.3.6.1.4.1.9.1.0', 1));
    await session.get(['1.3.6.1.4.1.9.1.0']);
    assert.deepEqual(session.exportLearned().missing, []);
  });

  it('restores its whole state from JSON', async () => {
    await using agent = await startScriptedAgent((request) => [
      request.pdu.varbinds.length > 3 ? answer(request, [], { errorStatus: 1 }) : serveTable([], request),
    ]);
    const session = manager.open({ ...target, port: agent.port });
    await session.get(Array.from({ length: 12 }, (_, i) => `1.3.6.1.4.1.9.${i}`));
    const learned = session.exportLearned();
    assert.equal(learned.maxOids, 3);
    const again = manager.open({ ...target, port: agent.port });
    again.restoreLearned(JSON.parse(JSON.stringify(learned)));
    assert.deepEqual(again.exportLearned(), learned);
    assert.deepEqual(again.explain(), session.explain());
  });

  it('rejects anything else as a state', () => {
    for (const stored of [
      undefined,
      null,
      5,
      {},
      { tables: 1 },
      { tables: [], maxOids: 'x' },
      { tables: [], missing: [1] },
    ]) {
      assert.equal(parseLearnedState(stored), undefined, JSON.stringify(stored));
    }
    assert.deepEqual(parseLearnedState({ tables: [{ root: 5 }, { root: '1.3' }] })?.tables, [
      { root: '1.3' },
    ]);
  });

  it('ends a walk with the reason when its session is closed between two requests', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => number(`1.3.6.1.2.1.2.${i + 1}`, i));
    await using agent = await startScriptedAgent((request) => [serveTable(rows, request, 5)]);
    const session = manager.open({ ...target, port: agent.port });
    await assert.rejects(
      async () => {
        for await (const _ of session.walk('1.3.6.1.2.1.2')) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          session.close();
        }
      },
      { code: 'SNMP_CLOSED' },
    );
    await assert.rejects(session.get(['1.3.6']), { code: 'SNMP_CLOSED' });
  });
});
