import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Batch, BatchEncoder, Secret } from '../../../src/index.ts';
import { EventExchange } from '../../../src/kernel/event-bus.ts';
import { createLogger } from '../../../src/kernel/logger.ts';
import { OutputThread } from '../../../src/pipeline/thread/output-thread.ts';
import { checkPlugin, createTestBatch } from '../../../src/testing/index.ts';
import { runOutput } from '../../plugins/outputs/support/running-output.ts';
import { onlyLong } from '../../support/long-run.ts';
import { modulePath } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startChannelThread } from './channel-thread.ts';
import threaded from './threaded-output.ts';

const folder = temporaryFolder();

const batchOf = (record: string, sequence = 1) => createTestBatch({ record, sequence });
type Line = Readonly<Record<string, unknown>>;

/** Opens an output behind a message channel, as the collector does with a thread. */
async function openThread(test: TestContext, options: object = {}) {
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ level: 'info', instance: 'lab', destination });
  const exchange = new EventExchange(log);
  const stop = new AbortController();
  const threads: ReturnType<typeof startChannelThread>[] = [];
  let queued = 0;
  const thread = await OutputThread.open({
    module: pathToFileURL(modulePath(new URL('./threaded-output.ts', import.meta.url))).href,
    encoder: new BatchEncoder(),
    context: {
      name: 'threaded/here',
      options: { place: 'open', passwords: [], ...options },
      needs: {},
      events: exchange.open('threaded/here').bus,
      log,
      collector: {
        instance: 'lab',
        version: '1',
        directory: folder,
        stateDirectory: folder,
        secretsDirectory: undefined,
      },
      signal: stop.signal,
      queuedBatches: () => queued,
    },
    start(data) {
      const started = startChannelThread(data);
      threads.push(started);
      return started;
    },
  });
  test.after(() => thread.close());
  return {
    thread,
    threads,
    stop,
    events: exchange.open('test').bus,
    write: async (batches: readonly Batch[], signal = new AbortController().signal) =>
      thread.write(batches, { signal }),
    setQueued(count: number) {
      queued = count;
    },
    lines,
    logged: (message: string) => lines.filter((line) => line['message'] === message),
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !holds(); await new Promise((done) => setTimeout(done, 2))) {
    assert.ok(Date.now() < end);
  }
}

describe('an output in a separate thread', () => {
  it('receives its options with their secrets, and logs to the log of the collector', async (t) => {
    const passwords = [new Secret('correct horse'), new Secret('x')];
    const { logged, lines, thread } = await openThread(t, { passwords });
    const [opened] = logged('opened');
    assert.deepEqual(
      [opened?.['lengths'], opened?.['passwords']],
      [
        [13, 1],
        ['***', '***'],
      ],
    );
    assert.deepEqual(
      [opened?.['name'], opened?.['instance'], opened?.['level']],
      ['threaded/here', 'lab', 'info'],
    );
    await thread.close();
    assert.deepEqual(logged('closed')[0]?.['error'], { message: 'no error', cause: { message: 'none' } });
    assert.ok(!JSON.stringify(lines).includes('correct horse'));
  });

  it('writes batches and recognises a repeated group', async (t) => {
    const { write, logged } = await openThread(t);
    await write([batchOf('first')]);
    const group = [batchOf('later', 2), batchOf('last', 3)];
    for (const _ of [1, 2]) await assert.rejects(write(group), { message: 'not yet', code: 'EAGAIN' });
    await write(group);
    assert.deepEqual(
      logged('wrote').map(({ record, sequence, attempts, values }) => [record, sequence, attempts, values]),
      [
        ['first', 1, 1, [1]],
        ['later', 2, 3, [1]],
        ['last', 3, 3, [1]],
      ],
    );
  });

  it('returns the refused batches and values of a PermanentError', async (t) => {
    const { write } = await openThread(t);
    const group = [batchOf('first'), batchOf('refuse', 2), batchOf('third', 3)];
    await assert.rejects(write(group), (error: Error & { refused?: unknown; refusedValues?: unknown }) => {
      assert.deepEqual([error.name, error.message], ['PermanentError', 'never']);
      assert.equal((error.cause as Error).message, 'wrong shape');
      assert.ok(Array.isArray(error.refused) && error.refused.length === 1 && error.refused[0] === group[1]);
      assert.equal(error.refusedValues, 3);
      return true;
    });
  });

  it('receives the abort of an attempt, and continues with the next one', async (t) => {
    const { write, logged } = await openThread(t);
    const group = [batchOf('hang')];
    const giveUp = new AbortController();
    const given = assert.rejects(write(group, giveUp.signal), { message: 'too long' });
    setTimeout(() => giveUp.abort(new Error('too long')), 20);
    await given;
    await write(group);
    assert.equal(logged('wrote')[0]?.['attempts'], 2);
    await assert.rejects(write([batchOf('never')], giveUp.signal), { message: 'too long' });
  });

  it('receives events with the number of waiting batches, and the stop', async (t) => {
    const { write, logged, events, setQueued, stop } = await openThread(t);
    const emit = async (to: string) => {
      const received = logged('received').length;
      const device = { name: 'core-1', ip: '192.0.2.1', port: 161 };
      events.emit('device.state', { device, from: 'up', to, why: 'test' } as never);
      await until(() => logged('received').length > received);
      return logged('received').at(-1)?.['queued'];
    };
    setQueued(3);
    assert.equal(await emit('suspect'), 3);
    await write([batchOf('a'), batchOf('b')]);
    setQueued(0);
    assert.equal(await emit('down'), 0);
    stop.abort();
    await until(() => logged('must stop').length === 1);
  });

  it('fails to open with the error of its open', async (t) => {
    await assert.rejects(openThread(t, { place: 'closed' }), (error: Error & { code?: string }) => {
      assert.deepEqual([error.message, error.code], ['The place closed is closed.', 'PLACE_CLOSED']);
      assert.equal((error.cause as Error).message, 'for the night');
      return true;
    });
  });

  it('is started again by the next attempt after it has ended, which sends the group again', async (t) => {
    const { write, threads, logged } = await openThread(t);
    const group = [batchOf('hang')];
    const attempts = [write(group), write([batchOf('first')])];
    await new Promise((done) => setTimeout(done, 20));
    threads[0]!.crash(9);
    for (const attempt of await Promise.allSettled(attempts.slice(0, 1)))
      assert.match(String((attempt as PromiseRejectedResult).reason.message), /exit code 9/);
    await Promise.allSettled(attempts);
    await Promise.all([write([batchOf('next')]), write([batchOf('next', 2)])]);
    assert.equal(threads.length, 2);
    assert.equal(logged('The thread of the output ended.').length, 1);
    // Concurrent attempts have no order. A delivery makes one at a time.
    const written = logged('wrote').slice(-2);
    assert.deepEqual(new Set(written.map(({ sequence }) => sequence)), new Set([1, 2]));
  });

  it('does not block the collector while it computes, and loses nothing when it crashes', async () => {
    const computeUntil = join(folder, 'computed');
    const options = { thread: true, crash_mark: join(folder, 'crashed'), compute_until: computeUntil };
    await using output = await runOutput(threaded, options, { delivery: { attempt_timeout_ms: 20_000 } });
    // The timer can only fire while the computation runs if that does not block this thread.
    const started = setTimeout(() => writeFileSync(computeUntil, ''), 50);
    await output.deliver(batchOf('compute'));
    clearTimeout(started);
    assert.equal(output.counters.retries, 0);
    await output.deliver(batchOf('crash', 2), batchOf('next', 3));
    const { delivered, dropped, retries } = output.counters;
    assert.deepEqual([delivered, dropped, retries], [3, 0, 1]);
    assert.match(output.logText, /OUTPUT_THREAD_ENDED.*"cause":\{"message":"stray"\}/);
  });

  it('keeps the contract of a plugin', {
    skip: onlyLong,
  }, async () => {
    await checkPlugin(threaded, { options: { thread: true } });
  });
});
