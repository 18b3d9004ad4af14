import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OpenSessions } from '../../../plugins/snmp-client/open-sessions.ts';
import type { SavedState } from '../../../plugins/snmp-client/saved-state.ts';
import type { Manager, Session } from '../../../src/snmp/index.ts';

function newSessions(): OpenSessions {
  const manager = { exportEngines: () => [], forgetEngine: () => undefined };
  const saved = { saveLearned: () => undefined, saveEngines: () => undefined, forget: () => undefined };
  return new OpenSessions(manager as unknown as Manager, saved as unknown as SavedState);
}

function newSession(hasLearned = false): Session {
  return { name: 'a', hasLearned, exportLearned: () => ({}) } as unknown as Session;
}

describe('the open sessions of a device', () => {
  it('give the first one that is still open while none has learned anything', () => {
    const sessions = newSessions();
    const [first, second, other] = [newSession(), newSession(), newSession()];
    sessions.add(first, 'a');
    sessions.add(other, 'b');
    sessions.add(second, 'a');
    assert.equal(sessions.find('a'), first);
    sessions.delete(first);
    assert.equal(sessions.find('a'), second);
    sessions.delete(second);
    assert.equal(sessions.find('a'), undefined);
    assert.equal(sessions.find('b'), other);
  });

  it('give the one that has learned something', () => {
    const sessions = newSessions();
    const [first, learner] = [newSession(), newSession(true)];
    sessions.add(first, 'a');
    sessions.add(learner, 'a');
    sessions.saveNext(1);
    assert.equal(sessions.find('a'), learner);
    sessions.delete(learner);
    assert.equal(sessions.find('a'), first);
  });

  it('are found without a walk through the sessions of all devices', () => {
    const sessions = newSessions();
    for (let device = 0; device < 100; device++) sessions.add(newSession(), `silent ${device}`);
    let walks = 0;
    const walkMap = Map.prototype[Symbol.iterator];
    try {
      Map.prototype[Symbol.iterator] = function (this: Map<unknown, unknown>) {
        walks++;
        return walkMap.call(this);
      };
      for (let device = 0; device < 100; device++) sessions.find(`new ${device}`);
    } finally {
      Map.prototype[Symbol.iterator] = walkMap;
    }
    assert.equal(walks, 0);
  });
});
