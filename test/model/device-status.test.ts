import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advanceStatus, type Contact, newStatus, probePauseMs } from '../../src/model/device-status.ts';

const reply: Contact = { answered: true };
const silence: Contact = { answered: false, why: 'no reply' };

describe('the state of a device', () => {
  it('goes from unknown to up with the first reply, and to suspect without one', () => {
    assert.deepEqual(statesAfter(reply), ['up']);
    assert.deepEqual(statesAfter(silence), ['suspect']);
  });

  it('is suspect for one poll and three probes, then down', () => {
    assert.deepEqual(statesAfter(reply, silence, silence, silence, silence), [
      'up',
      'suspect',
      'suspect',
      'suspect',
      'down',
    ]);
  });

  it('returns to up when a suspect device answers, and restarts the count', () => {
    const { status } = runAll([reply, silence, silence, reply, silence, silence, silence]);
    assert.equal(status.state, 'suspect');
    assert.equal(status.silences, 3);
  });

  it('goes from down to recovering, then to up', () => {
    const down = [silence, silence, silence, silence];
    assert.deepEqual(statesAfter(...down, reply, reply).slice(-3), ['down', 'recovering', 'up']);
    assert.deepEqual(statesAfter(...down, reply, silence).slice(-2), ['recovering', 'suspect']);
  });

  it('keeps the time and reason of the last change of state', () => {
    let status = newStatus(0);
    status = advanceStatus(status, reply, 10);
    status = advanceStatus(status, reply, 20);
    assert.deepEqual(status, { state: 'up', sinceMs: 10, why: 'it answered', silences: 0 });
    status = advanceStatus(status, { answered: false, why: 'no reply within 3000 ms' }, 30);
    assert.deepEqual(status, { state: 'suspect', sinceMs: 30, why: 'no reply within 3000 ms', silences: 1 });
  });

  it('pauses probes only when down, with an interval that doubles to five minutes', () => {
    assert.equal(probePauseMs(runAll([silence]).status, 60_000), undefined);
    const pauses = Array.from({ length: 7 }, (_, i) => {
      const { status } = runAll(Array.from({ length: 4 + i }, () => silence));
      return probePauseMs(status, 10_000);
    });
    assert.deepEqual(pauses, [20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
  });

  it('never probes a down device more often than it would be polled', () => {
    const { status } = runAll(Array.from({ length: 50 }, () => silence));
    assert.equal(probePauseMs(status, 3_600_000), 3_600_000);
  });
});

function statesAfter(...contacts: readonly Contact[]): string[] {
  return runAll(contacts).states;
}

function runAll(contacts: readonly Contact[]) {
  let status = newStatus(0);
  const states = contacts.map((contact, i) => {
    status = advanceStatus(status, contact, i);
    return status.state;
  });
  return { status, states };
}
