import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/testing/index.ts';
import { isLong } from '../support/long-run.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';

const childPath = modulePath(new URL('./support/queue-child.ts', import.meta.url));

/** A queue that several processes use one after another, and the batches they accepted and delivered. */
class Series {
  kills = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), 'waywiser-kill-'));
  readonly #children: ChildProcess[] = [];
  readonly #group: number | 'default';
  #runs = 0;

  constructor(t: TestContext, group: number | 'default') {
    this.#group = group;
    t.after(() => {
      for (const child of this.#children) child.kill('SIGKILL');
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** Starts the next process. `says` resolves to the text after a word on its output. */
  start(mode: 'outage' | 'up' | 'hang', count: number) {
    const files = ['queue', 'accepted', 'sink'].map((name) => join(this.#folder, name));
    const first = ++this.#runs * 10_000_000;
    const args = [...nodeOptions, childPath, ...files, mode, `${first}`, `${count}`, `${this.#group}`];
    const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.push(child);
    let output = '';
    child.stdout!.on('data', (chunk) => {
      output += chunk;
    });
    const says = async (word: string): Promise<Record<string, number>> => {
      for (;;) {
        const line = output.split('\n').find((each) => each.startsWith(`${word} `));
        if (line !== undefined) return JSON.parse(line.slice(word.length));
        assert.doesNotMatch(output, /^failed/m);
        assert.equal(child.exitCode, null, `it ended before it said ${word}`);
        await sleep(5);
      }
    };
    const kill = async () => {
      this.kills++;
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    return { says, kill };
  }

  get accepted(): number[] {
    // A kill may have cut the last line of a process, so that another number stands there.
    const lines = this.#read('accepted').split('\n');
    return lines.filter((line) => line.endsWith('.')).map((line) => Number(line.slice(0, -1)));
  }

  /** The delivered groups, and the process that delivered each. The last one of a killed process may be incomplete. */
  get groups(): TakenGroup[] {
    const lines = this.#read('sink').split('\n').filter(Boolean);
    return lines.map((line) => {
      const [run, ...sequences] = line.split(' ').slice(0, -1).map(Number);
      return { run: run ?? 0, sequences };
    });
  }

  #read(name: 'accepted' | 'sink'): string {
    const path = join(this.#folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}

interface TakenGroup {
  readonly run: number;
  readonly sequences: readonly number[];
}

/**
 * No accepted batch is missing. A kill in the middle of a write leaves the first pages of a record that nobody accepted: the next process
 * counts it as damaged.
 */
function assertNothingLost({ accepted, groups, kills }: Series, dropped: number): void {
  assert.ok(dropped <= kills, `${dropped} of ${kills} processes left half a record`);
  const delivered = new Set(groups.flatMap(({ sequences }) => sequences));
  const lost = accepted.filter((sequence) => !delivered.has(sequence));
  assert.deepEqual(lost, [], 'accepted and never delivered');
}

/**
 * A process repeats only the beginning of the last group that was delivered before it: the group in flight at the kill. Returns how many
 * batches were repeated.
 */
function assertOnlyLastGroupRepeated({ groups }: Series): number {
  const taken = new Set<number>();
  let [repeated, lastGroup, lastOfRun]: [number, readonly number[], readonly number[]] = [0, [], []];
  let run = 0;
  let place = 0;
  for (const { run: ofGroup, sequences } of groups) {
    if (ofGroup !== run) [run, place, lastGroup] = [ofGroup, 0, lastOfRun];
    for (const sequence of sequences) {
      if (taken.has(sequence)) {
        assert.equal(sequence, lastGroup[place], `repeated in ${run} as its record ${place}`);
        repeated++;
        place++;
      } else {
        taken.add(sequence);
        place = Infinity;
      }
    }
    lastOfRun = sequences;
  }
  return repeated;
}

describe('kill -9', () => {
  it('repeats only the group in flight, with the default settings', async (t) => {
    const series = new Series(t, 'default');
    const hung = series.start('hang', 10_000);
    await hung.says('hanging');
    await hung.kill();
    const filling = series.start('up', 1_000_000);
    await filling.says('started');
    await sleep(200);
    await filling.kill();
    const { says } = series.start('up', 0);
    const { dropped } = await says('empty');
    assertNothingLost(series, dropped!);
    const sizes = series.groups.slice(0, 4).map(({ sequences }) => sequences.length);
    assert.deepEqual(sizes, [500, 500, 500, 500]);
    const repeated = assertOnlyLastGroupRepeated(series);
    assert.ok(repeated >= 500 && repeated <= 1_000, `${repeated} repeats`);
  });

  for (const group of ['default', 1, 40] as const) {
    it(`25 times loses nothing and repeats at most one group each time (${group})`, {
      skip: !isLong,
    }, async (t) => {
      const random = seededRandom(9);
      const series = new Series(t, group);
      for (let i = 0; i < 25; i++) {
        const { says, kill } = series.start(i % 3 === 0 ? 'outage' : 'up', 1_000_000);
        await says('started');
        await sleep(20 + 150 * random());
        await kill();
      }
      const { says } = series.start('up', 0);
      const { dropped } = await says('empty');
      assert.ok(series.accepted.length > 100);
      assertNothingLost(series, dropped!);
      t.diagnostic(`${assertOnlyLastGroupRepeated(series)} repeats`);
    });
  }

  it('during an outage with a million queued batches restarts in little memory', {
    skip: !isLong,
  }, async (t) => {
    const series = new Series(t, 'default');
    const filling = series.start('outage', 1_000_000);
    await filling.says('started');
    while (series.accepted.length < 1_000_000) await sleep(1_000);
    await filling.kill();
    for (let i = 0; i < 5; i++) {
      const { says, kill } = series.start(i % 2 === 0 ? 'outage' : 'up', 0);
      const { startMs, size, rss } = await says('started');
      t.diagnostic(JSON.stringify({ startMs, size, rssMiB: rss! >> 20 }));
      assert.ok(rss! < 250 << 20);
      await sleep(300);
      await kill();
    }
    const { says } = series.start('up', 0);
    const { rss, dropped } = await says('empty');
    t.diagnostic(JSON.stringify({ rssMiB: rss! >> 20 }));
    assert.ok(rss! < 250 << 20);
    assertNothingLost(series, dropped!);
    assertOnlyLastGroupRepeated(series);
  });
});
