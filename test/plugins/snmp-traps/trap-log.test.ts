import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoggedTrap, TrapLog } from '../../../plugins/snmp-traps/record/trap-log.ts';

const trap = (trapId: string, polls: unknown[] = []) => ({ trapId, polls }) as unknown as LoggedTrap;
const plain = { ends: [], canEnd: false, isAgain: false };
const idsOf = (log: TrapLog) => log.list().map(({ trapId }) => trapId);

describe('the last notifications', () => {
  it('are as many as are to be kept, the newest first', () => {
    const log = new TrapLog(3);
    for (const [id, expected] of [
      ['a', ['a']],
      ['b', ['b', 'a']],
      ['c', ['c', 'b', 'a']],
      ['d', ['d', 'c', 'b']],
      ['e', ['e', 'd', 'c']],
    ] as const) {
      log.add(trap(id), plain);
      deepEqual(idsOf(log), expected);
    }
    equal(log.find('a'), undefined);
    equal(log.find('d')?.trapId, 'd');
    const none = new TrapLog(0);
    none.add(trap('a'), plain);
    deepEqual(idsOf(none), []);
  });

  it('have an inform once that was recorded again', () => {
    const log = new TrapLog(3);
    for (const id of ['a', 'b', 'a', 'c']) log.add(trap(id), { ...plain, isAgain: id === 'a' });
    deepEqual(idsOf(log), ['c', 'b', 'a']);
  });

  it('learn of polls, unless they are no longer kept', () => {
    const log = new TrapLog(2);
    const polls = new Map(['a', 'b', 'c'].map((id) => [id, [] as unknown[]]));
    for (const [id, own] of polls) log.add(trap(id, own), plain);
    log.addPoll(['a', 'c'], { timeMs: 0, outcome: 'polled', objects: [] });
    deepEqual(
      Array.from(polls.values(), ({ length }) => length),
      [0, 0, 1],
    );
  });
});
