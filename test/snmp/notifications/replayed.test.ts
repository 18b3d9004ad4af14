import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineState, SignedMark } from '../../../src/snmp/index.ts';
import { NotificationLab, secured, senderEngineId, source } from './support/notification-lab.ts';

const atStart = () => {
  const lab = new NotificationLab();
  lab.clock.pass(1_000_000);
  return lab;
};

describe('a signed trap that somebody plays back', () => {
  it('cannot be played back after a restart', () => {
    const first = atStart();
    const trap = secured();
    first.send(trap);
    const second = new NotificationLab();
    second.clock.pass(1_000_000 + 200_000);
    second.receiver.restoreEngines(first.receiver.exportEngines());
    second.send(trap);
    assert.deepEqual(second.drops, { time: 1 });
    second.send(secured({ time: 1_200 }));
    assert.equal(second.received.length, 1);
  });

  it('after lower boots is accepted when polling has seen them', () => {
    const lab = atStart();
    lab.send(secured());
    lab.send(secured({ boots: 2 }));
    const startedAtMs = lab.clock.wallNow() - 1_000_000;
    lab.receiver.updateEngines([
      { address: source, engineId: senderEngineId.toString('hex'), boots: 2, startedAtMs },
    ]);
    lab.send(secured({ boots: 2 }));
    assert.deepEqual(lab.drops, { time: 1 });
    assert.equal(lab.received.length, 2);
  });

  it('cannot be played back from another address', () => {
    const lab = atStart();
    const old = secured({ boots: 3 });
    const last = secured();
    lab.send(last);
    lab.send(old, '192.0.2.2');
    lab.send(last, '192.0.2.2');
    assert.deepEqual(lab.drops, { time: 1 });
    assert.equal(lab.receiver.statistics().collapsed.copy, 1);
    lab.send(secured({ time: 1_001 }), '192.0.2.2');
    assert.equal(lab.received.length, 2);
  });

  it('of one of several polled devices with one engine ID has the clock of its device', () => {
    const lab = atStart();
    const engineId = senderEngineId.toString('hex');
    const startedAtMs = lab.clock.wallNow() - 1_000_000;
    lab.receiver.updateEngines([
      { address: source, engineId, boots: 5, startedAtMs },
      { address: '192.0.2.2', engineId, boots: 3, startedAtMs },
    ]);
    lab.send(secured({ boots: 5 }));
    lab.send(secured({ boots: 3 }), '192.0.2.2');
    // An interface of one of them, and what cannot come from it now.
    lab.send(secured({ boots: 3 }), '192.0.2.9');
    assert.equal(lab.received.length, 3);
    lab.send(secured({ boots: 3 }));
    for (const [boots, time] of [
      [4, 1_000],
      [6, 1_000],
      [5, 800],
      [5, 1_200],
    ] as const)
      lab.send(secured({ boots, time }), '192.0.2.9');
    assert.deepEqual(lab.drops, { time: 5 });
  });

  it('cannot be played back from the address of another polled device with the same engine ID', () => {
    const lab = atStart();
    const engineId = senderEngineId.toString('hex');
    const startedAtMs = lab.clock.wallNow() - 1_000_000;
    const other = { address: '192.0.2.2', engineId, boots: 3, startedAtMs };
    const poll = () =>
      lab.receiver.updateEngines([{ address: source, engineId, boots: 9, startedAtMs }, other]);
    // Its traps had set the clock before polling found the other device.
    lab.send(secured({ boots: 9 }));
    poll();
    for (const boots of [7, 9]) {
      lab.send(secured({ boots, time: 990, messageId: boots }), '192.0.2.2');
      lab.send(secured({ boots, time: 2, messageId: boots }), '192.0.2.2');
    }
    lab.send(secured({ boots: 3, time: 1_200 }), '192.0.2.2');
    assert.deepEqual(lab.drops, { time: 5 });
    assert.equal(lab.received.length, 1);
    // What was refused did not turn the clock of the device.
    lab.send(secured({ boots: 3 }), '192.0.2.2');
    assert.equal(lab.received.length, 2);
    lab.clock.pass(60_000);
    poll();
    lab.receiver.updateEngines([{ ...other, startedAtMs }]);
    lab.send(secured({ boots: 3, time: 1_060 }), '192.0.2.2');
    assert.equal(lab.received.length, 3);
  });

  it('after lower boots stays refused while polling only remembers them', () => {
    const lab = atStart();
    lab.send(secured());
    const startedAtMs = lab.clock.wallNow() - 1_000_000;
    const remembered = { address: source, engineId: senderEngineId.toString('hex'), boots: 2, startedAtMs };
    for (const shownAtMs of [0, lab.clock.wallNow() - 1])
      lab.receiver.updateEngines([{ ...remembered, shownAtMs }]);
    lab.send(secured({ boots: 2 }));
    assert.deepEqual(lab.drops, { time: 1 });
  });

  it('of the last seconds cannot be played back after a restart, from any address', () => {
    const marks: SignedMark[] = [];
    const engines: EngineState[] = [];
    const memory = {
      keepMark: (mark: SignedMark) => void marks.push(mark),
      keepEngine: (state: EngineState) => void engines.push(state),
    };
    const first = new NotificationLab({ memory });
    first.clock.pass(1_000_000);
    const trap = secured();
    const old = secured({ boots: 4 });
    first.send(trap);
    const second = new NotificationLab();
    second.clock.pass(1_003_000);
    second.receiver.restoreEngines(engines);
    second.receiver.restoreMarks(marks);
    for (const from of [source, '192.0.2.2']) {
      second.send(trap, from);
      second.send(old, from);
    }
    assert.equal(second.received.length, 0);
    assert.deepEqual(second.drops, { time: 2 });
    // One of the same second that had not come before.
    second.send(secured());
    assert.equal(second.received.length, 1);
  });

  it('is accepted after a restart with another wall clock', () => {
    const first = atStart();
    first.send(secured());
    const engines = first.receiver.exportEngines();
    for (const wrongByMs of [-30 * 86_400_000, 30 * 86_400_000]) {
      const second = atStart();
      second.receiver.restoreEngines(
        engines.map((state) => ({ ...state, startedAtMs: state.startedAtMs + wrongByMs })),
      );
      second.send(secured({ boots: 4 }));
      second.send(secured({ time: 1_060 }));
      assert.equal(second.received.length, 1);
    }
  });
});
