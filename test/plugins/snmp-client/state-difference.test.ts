import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameEngine, isSameLearned } from '../../../plugins/snmp-client/state-difference.ts';

const table = { root: '1.3.6.1.2.1.2.2', varbindBytes: 20.5, maxRepetitions: 30 };
const learned = { maxOids: 20, missing: ['1.3.6.1.2.1.1.9.0'], srttMs: 4, rttvarMs: 1, tables: [table] };

describe('a state that is worth saving', () => {
  it('has any change of limits, missing OIDs or quirks', () => {
    for (const changed of [
      { ...learned, maxOids: 21 },
      { ...learned, missing: [] },
      { ...learned, tables: [] },
      { ...learned, tables: [{ ...table, maxRepetitions: 31 }] },
      { ...learned, tables: [{ ...table, isLooping: true }] },
    ]) {
      assert.equal(isSameLearned(learned, changed), false);
      assert.equal(isSameLearned(changed, changed), true);
    }
  });

  it('has averages that changed by half', () => {
    assert.equal(isSameLearned(learned, { ...learned, srttMs: 5, rttvarMs: 1.4 }), true);
    assert.equal(isSameLearned(learned, { ...learned, srttMs: 6.1 }), false);
    assert.equal(isSameLearned(learned, { ...learned, srttMs: 0 }), false);
  });

  it('replaces anything in the file that is not a state', () => {
    for (const known of [undefined, null, 5, 'x', [], {}]) assert.equal(isSameLearned(known, learned), false);
  });

  it('has another engine, other boots, or a clock that differs by seconds', () => {
    const engine = { address: '192.0.2.1:161', engineId: '80001f88', boots: 3, startedAtMs: 1_000_000 };
    assert.equal(isSameEngine(undefined, engine), false);
    assert.equal(isSameEngine(engine, { ...engine, startedAtMs: 1_001_000 }), true);
    for (const changed of [{ engineId: '80001f89' }, { boots: 4 }, { startedAtMs: 1_020_000 }]) {
      assert.equal(isSameEngine(engine, { ...engine, ...changed }), false);
    }
  });
});
