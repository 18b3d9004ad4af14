import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInSlices, runToEnd, SliceTurns, workInSlices } from '../../src/timing/slices.ts';

/** Seven steps of two milliseconds each, and how often they were interrupted. */
function build() {
  let nowMs = 0;
  let breaks = 0;
  function* work(): Generator<void, string> {
    for (let step = 0; step < 7; step++) {
      nowMs += 2;
      yield;
    }
    return 'done';
  }
  const clock = {
    now: () => nowMs,
    setTimer: (run: () => void) => {
      breaks++;
      setImmediate(run);
    },
  };
  return { work, clock, breaks: () => breaks };
}

describe('slices', () => {
  it('let other work run after every five milliseconds', async () => {
    const { work, clock, breaks } = build();
    assert.equal(await workInSlices(work(), clock), 'done');
    // Fourteen milliseconds in steps of two: a break after the third and the sixth step.
    assert.equal(breaks(), 2);
  });

  it('of several pieces of work come one in each turn', async () => {
    const { work, clock } = build();
    const turns: string[] = [];
    const slices = new SliceTurns(clock);
    const run = async (name: string) => {
      function* recorded(): Generator<void, void> {
        for (const step = work(); step.next().done !== true; ) {
          turns.push(name);
          yield;
        }
      }
      await slices.run(recorded());
    };
    const all = Promise.all(['a', 'b', 'c'].map(run));
    assert.equal(turns.join(''), 'aaabbbccc', 'the first slices');
    for (let [isOver, before] = [false, turns.length]; !isOver; before = turns.length) {
      isOver = await Promise.race([all.then(() => true), nextTurn(false)]);
      assert.ok(turns.length - before <= 3, `${turns.slice(before).join('')} in one turn`);
    }
    assert.equal(turns.length, 21);
  });

  it('are shared by all work that also waits for other things', async () => {
    let nowMs = 0;
    const slices = new SliceTurns({ now: () => nowMs, setTimer: (run) => setImmediate(run) });
    let [turn, done] = [0, 0];
    const perTurn: number[] = [];
    const run = async () => {
      for (let piece = 0; piece < 10; piece++) {
        await slices.rest();
        nowMs += 2;
        perTurn[turn] = (perTurn[turn] ?? 0) + 2;
      }
      done++;
    };
    const all = Promise.all([run(), run(), run()]);
    for (; done < 3; turn++) await nextTurn();
    await all;
    const total = perTurn.reduce((sum, each) => sum + (each ?? 0), 0);
    assert.equal(total, 60);
    for (const each of perTurn) assert.ok((each ?? 0) <= 6, perTurn.join());
  });

  it('begin at once when nothing else runs, and hold several short pieces', async () => {
    let [nowMs, done] = [0, 0];
    const slices = new SliceTurns({ now: () => nowMs, setTimer: (run) => setImmediate(run) });
    for (const expected of [8, 16]) {
      const all = Array.from({ length: 8 }, async () => {
        await slices.rest();
        nowMs += 0.5;
        done++;
      });
      await new Promise((next) => setImmediate(next));
      assert.equal(done, expected, 'in one turn');
      await Promise.all(all);
      nowMs += 100;
      await nextTurn();
    }
  });

  it('are not used by work that runs without a break', () => {
    const { work, breaks } = build();
    assert.equal(runToEnd(work()), 'done');
    assert.equal(breaks(), 0);
  });

  it('end with the reason of the signal when it aborts', async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const work = runInSlices(
      [1, 2, 3],
      (item) => {
        seen.push(item);
        if (item === 2) abort.abort(new Error('enough'));
      },
      abort.signal,
    );
    await assert.rejects(work, /enough/);
    assert.deepEqual(seen, [1, 2]);
  });
});
