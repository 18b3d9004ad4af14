import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createManager } from '../../../src/snmp/index.ts';
import { LearnedCeiling, parseLearnedState } from '../../../src/snmp/session/learned.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const manager = createManager();
after(() => manager.close());
const target = { address: '127.0.0.1', version: '2c', community: 'public' } as const;

describe('what a session learns', () => {
  it('rule 3.4: a ceiling falls at once and rises after long success, until there is none', () => {
    const ceiling = new LearnedCeiling();
    assert.equal(ceiling.within(60), 60);
    ceiling.shrinkTo(20);
    assert.equal(ceiling.within(60), 20);
    for (let i = 0; i < 49; i++) ceiling.confirm(20, 60);
    ceiling.confirm(5, 60);
    assert.equal(ceiling.within(60), 20, 'small messages prove nothing');
    ceiling.confirm(20, 60);
    assert.equal(ceiling.within(60), 25);
    for (let i = 0; i < 500; i++) ceiling.confirm(ceiling.within(60), 60);
    assert.equal(ceiling.value, undefined);
  });

  it('rule 3.4: what the device does not have is remembered, told, and forgotten when it comes', async () => {
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

  it('is taken back whole, through JSON', async () => {
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

  it('is refused when it is something else', () => {
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

  it('a walk whose session is closed between two requests ends with the reason', async () => {
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
