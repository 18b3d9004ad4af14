import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../src/testing/index.ts';

const isLong = env['WAYWISER_LONG'] !== undefined;
const childPath = fileURLToPath(new URL('./support/queue-child.ts', import.meta.url));

/** A queue that one process after another works on, and what they were given and delivered. */
class Series {
  readonly #folder = mkdtempSync(join(tmpdir(), 'waywiser-kill-'));
  readonly #children: ChildProcess[] = [];
  readonly group: number;
  #runs = 0;

  constructor(t: TestContext, group: number) {
    this.group = group;
    t.after(() => {
      for (const child of this.#children) child.kill('SIGKILL');
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** Starts the next process; `says` resolves with what stands behind a word on its output. */
  start(mode: 'outage' | 'up', count: number) {
    const files = ['queue', 'accepted', 'sink'].map((name) => join(this.#folder, name));
    const first = ++this.#runs * 10_000_000;
    const args = ['--import', 'tsx', childPath, ...files, mode, `${first}`, `${count}`, `${this.group}`];
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
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    return { says, kill };
  }

  read(name: 'accepted' | 'sink'): number[] {
    const path = join(this.#folder, name);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean).map(Number);
  }
}

function assertNothingLost(series: Series, kills: number): void {
  const [accepted, delivered] = [series.read('accepted'), series.read('sink')];
  const unique = new Set(delivered);
  assert.deepEqual(
    accepted.filter((sequence) => !unique.has(sequence)),
    [],
    'accepted and never delivered',
  );
  const repeats = delivered.length - unique.size;
  assert.ok(repeats <= kills * series.group, `${repeats} repeats after ${kills} kills`);
}

describe('kill -9', () => {
  for (const group of isLong ? [1, 40] : [1]) {
    it(`loses nothing that was accepted and repeats at most a group of ${group}`, async (t) => {
      const random = seededRandom(group);
      const series = new Series(t, group);
      const kills = isLong ? 40 : 2;
      for (let i = 0; i < kills; i++) {
        const { says, kill } = series.start(i % 3 === 0 ? 'outage' : 'up', 1_000_000);
        await says('started');
        await sleep(20 + 150 * random());
        await kill();
      }
      const { says } = series.start('up', 0);
      const { dropped } = await says('empty');
      assert.equal(dropped, 0);
      assert.ok(series.read('accepted').length > 100);
      assertNothingLost(series, kills);
    });
  }

  it('in an outage with a million batches queued: starts quickly, in little memory', {
    skip: !isLong,
  }, async (t) => {
    const series = new Series(t, 500);
    const filling = series.start('outage', 1_000_000);
    await filling.says('started');
    while (series.read('accepted').length < 1_000_000) await sleep(1_000);
    await filling.kill();
    for (let i = 0; i < 5; i++) {
      const { says, kill } = series.start(i % 2 === 0 ? 'outage' : 'up', 0);
      const { startMs, size, rss } = await says('started');
      t.diagnostic(JSON.stringify({ startMs, size, rssMiB: rss! >> 20 }));
      assert.ok(startMs! < 10_000 && rss! < 250 << 20);
      await sleep(300);
      await kill();
    }
    const { says } = series.start('up', 0);
    const { rss } = await says('empty');
    t.diagnostic(JSON.stringify({ rssMiB: rss! >> 20 }));
    assert.ok(rss! < 250 << 20);
    assertNothingLost(series, 6);
  });
});
