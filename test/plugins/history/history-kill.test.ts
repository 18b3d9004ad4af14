import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, it } from 'node:test';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import { isLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const rounds = isLong ? 20 : 3;
const limit = { maxBytes: 2 ** 30, maxAgeMs: 2 ** 50 };

/** Lets a process write until it has printed so many numbers, and kills it. Returns the last number that it printed. */
async function writeAndKill(directory: string, first: number, count: number): Promise<number> {
  const child = spawn(
    execPath,
    [...nodeOptions, modulePath(new URL('history-child.ts', import.meta.url)), directory, String(first)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  let text = '';
  for await (const part of child.stdout!.setEncoding('utf8')) {
    text += part;
    if (text.split('\n').length > count) child.kill('SIGKILL');
  }
  await exited;
  return Number(text.slice(0, text.lastIndexOf('\n')).split('\n').at(-1));
}

describe('the history of a process that is killed', () => {
  it('has every value that was flushed, once, whatever was being sorted or merged', async () => {
    const directory = join(folder, 'killed');
    let written = 0;
    for (let round = 0; round < rounds; round++) {
      written = await writeAndKill(directory, written + 1, 40 + 17 * round);
      const nowMs = (written + 1) * 60_000;
      const lines: string[] = [];
      const log = (_: object, message: string) => void lines.push(message);
      const store = await HistoryStore.open({
        directory,
        limits: { polled: limit, five_minutes: limit, hours: limit },
        flushMs: 2 ** 30,
        log: { error: log, warn: log } as never,
        now: () => nowMs,
      });
      const question = {
        devices: ['router-1'],
        record: 'TEST-MIB::testEntry',
        fromMs: 0,
        // One more than was printed: the process may have been killed between the two.
        toMs: nowMs + 60_000,
      } as const;
      const ask = async (stepMs: number, aggregate: 'max' | 'count') => {
        const asked = { ...question, stepMs, aggregate, rows: ['1'] };
        return (await readHistory(store, asked, new AbortController().signal)).series[0]!.values;
      };
      const values = await ask(60_000, 'max');
      const expected = Array.from({ length: written }, (_, i) => i + 1);
      assert.deepEqual(values.slice(1, written + 1), expected);
      const counts = await ask(300_000, 'count');
      const wholeSpans = Math.floor(written / 5);
      assert.deepEqual(counts.slice(1, wholeSpans), Array(Math.max(0, wholeSpans - 1)).fill(5));
      assert.deepEqual(lines, []);
      await store.close();
      // The process may have flushed more than it could print.
      written = Math.max(written, ...values.map((value) => value ?? 0));
    }
  });
});
