import assert from 'node:assert/strict';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Batch, BatchEncoder, Secret } from '../../../src/index.ts';
import { EventExchange } from '../../../src/kernel/event-bus.ts';
import { createLogger } from '../../../src/kernel/logger.ts';
import { OutputThread } from '../../../src/pipeline/thread/output-thread.ts';
import { checkPlugin, createTestBatch } from '../../../src/testing/index.ts';
import { runOutput } from '../../plugins/outputs/support/running-output.ts';
import { modulePath } from '../../support/own-module.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startChannelThread } from './channel-thread.ts';
import threaded from './threaded-output.ts';

const folder = temporaryFolder();

const batchOf = (record: string, sequence = 1) => createTestBatch({ record, sequence });
type Line = Readonly<Record<string, unknown>>;

/** The collector's side by hand, with the thread behind a message channel. */
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
      collector: { instance: 'lab', version: '1', stateDirectory: folder, secretsDirectory: undefined },
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
    said: (message: string) => lines.filter((line) => line['message'] === message),
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !holds(); await new Promise((done) => setTimeout(done, 2))) {
    assert.ok(Date.now() < end);
  }
}

describe('an output in a thread of its own', () => {
  it('gets its options with their secrets, and tells its log here', async (t) => {
    const passwords = [new Secret('correct horse'), new Secret('x')];
    const { said, lines, thread } = await openThread(t, { passwords });
    const [opened] = said('opened');
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
    assert.deepEqual(said('closed')[0]?.['error'], { message: 'no error', cause: { message: 'none' } });
    assert.ok(!JSON.stringify(lines).includes('correct horse'));
  });

  it('writes what it is given, and knows a group that comes again', async (t) => {
    const { write, said } = await openThread(t);
    await write([batchOf('first')]);
    const group = [batchOf('later', 2), batchOf('last', 3)];
    for (const _ of [1, 2]) await assert.rejects(write(group), { message: 'not yet', code: 'EAGAIN' });
    await write(group);
    assert.deepEqual(
      said('wrote').map(({ record, sequence, attempts, values }) => [record, sequence, attempts, values]),
      [
        ['first', 1, 1, [1]],
        ['later', 2, 3, [1]],
        ['last', 3, 3, [1]],
      ],
    );
  });

  it('has exactly those batches and values refused that it names', async (t) => {
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

  it('hears that an attempt was given up, and goes on with the next one', async (t) => {
    const { write, said } = await openThread(t);
    const group = [batchOf('hang')];
    const giveUp = new AbortController();
    const given = assert.rejects(write(group, giveUp.signal), { message: 'too long' });
    setTimeout(() => giveUp.abort(new Error('too long')), 20);
    await given;
    await write(group);
    assert.equal(said('wrote')[0]?.['attempts'], 2);
    await assert.rejects(write([batchOf('never')], giveUp.signal), { message: 'too long' });
  });

  it('hears events with how many batches wait, and the stop', async (t) => {
    const { write, said, events, setQueued, stop } = await openThread(t);
    const tell = async (to: string) => {
      const heard = said('heard').length;
      const device = { name: 'core-1', ip: '192.0.2.1', port: 161 };
      events.emit('device.state', { device, from: 'up', to, why: 'test' } as never);
      await until(() => said('heard').length > heard);
      return said('heard').at(-1)?.['queued'];
    };
    setQueued(3);
    assert.equal(await tell('suspect'), 3);
    await write([batchOf('a'), batchOf('b')]);
    setQueued(0);
    assert.equal(await tell('down'), 0);
    stop.abort();
    await until(() => said('must stop').length === 1);
  });

  it('fails to open with what its own open throws', async (t) => {
    await assert.rejects(openThread(t, { place: 'closed' }), (error: Error & { code?: string }) => {
      assert.deepEqual([error.message, error.code], ['The place closed is closed.', 'PLACE_CLOSED']);
      assert.equal((error.cause as Error).message, 'for the night');
      return true;
    });
  });

  it('is started again by the attempt behind its end, and has that group anew', async (t) => {
    const { write, threads, said } = await openThread(t);
    const group = [batchOf('hang')];
    const attempts = [write(group), write([batchOf('first')])];
    await new Promise((done) => setTimeout(done, 20));
    threads[0]!.crash(9);
    for (const attempt of await Promise.allSettled(attempts.slice(0, 1)))
      assert.match(String((attempt as PromiseRejectedResult).reason.message), /exit code 9/);
    await Promise.allSettled(attempts);
    await Promise.all([write([batchOf('next')]), write([batchOf('next', 2)])]);
    assert.equal(threads.length, 2);
    assert.equal(said('The thread of the output ended.').length, 1);
    // Attempts at the same time are in no order; a delivery makes one at a time.
    const written = said('wrote').slice(-2);
    assert.deepEqual(new Set(written.map(({ sequence }) => sequence)), new Set([1, 2]));
  });

  it('leaves polling its time while it computes, and loses nothing when it crashes', async () => {
    const options = { thread: true, crash_mark: join(folder, 'crashed') };
    await using output = await runOutput(threaded, options, { delivery: { attempt_timeout_ms: 20_000 } });
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await output.deliver(batchOf('compute'));
    clearInterval(timer);
    assert.ok(turns > 10, `${turns} turns in 400 ms`);
    await output.deliver(batchOf('crash', 2), batchOf('next', 3));
    const { delivered, dropped, retries } = output.counters;
    assert.deepEqual([delivered, dropped, retries], [3, 0, 1]);
    assert.match(output.logText, /OUTPUT_THREAD_ENDED.*"cause":\{"message":"stray"\}/);
  });

  it('keeps the contract of a plugin', {
    skip: env['WAYWISER_LONG'] === undefined && 'a long run',
  }, async () => {
    await checkPlugin(threaded, { options: { thread: true } });
  });
});
