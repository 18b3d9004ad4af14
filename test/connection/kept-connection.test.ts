import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptConnection } from '../../src/connection/kept-connection.ts';
import { PermanentError } from '../../src/index.ts';

/** A driver of numbered connections that records which were destroyed. */
function createDriver({ openMs = 0 } = {}) {
  const closed: number[] = [];
  const gone = new Set<number>();
  let opened = 0;
  const kept = new KeptConnection<number>({
    async open() {
      await sleep(openMs);
      return ++opened;
    },
    isOpen: (connection) => !gone.has(connection),
    destroy: (connection) => void closed.push(connection),
  });
  return { kept, closed, gone };
}

const never = new AbortController().signal;

describe('KeptConnection', () => {
  it('opens once and is used again', async () => {
    const { kept, closed } = createDriver();
    const used = [await kept.use(never, async (c) => c), await kept.use(never, async (c) => c)];
    assert.deepEqual(used, [1, 1]);
    await kept.close();
    await kept.close();
    assert.deepEqual(closed, [1]);
  });

  it('opens a new connection after a failure, and keeps it after a PermanentError', async () => {
    const { kept, closed } = createDriver();
    const fail = (error: Error) => kept.use(never, () => Promise.reject(error));
    await assert.rejects(fail(new PermanentError('never')), { message: 'never' });
    assert.deepEqual(closed, []);
    await assert.rejects(fail(new Error('cut')), { message: 'cut' });
    assert.deepEqual(closed, [1]);
    assert.equal(await kept.use(never, async (c) => c), 2);
    await kept.close();
  });

  it('opens a new connection when the server has closed the old one', async () => {
    const { kept, closed, gone } = createDriver();
    await kept.use(never, async (c) => c);
    gone.add(1);
    assert.equal(await kept.use(never, async (c) => c), 2);
    assert.deepEqual(closed, [1]);
    await kept.close();
  });

  it('destroys a connection that opens after the signal has aborted', async () => {
    const { kept, closed } = createDriver({ openMs: 20 });
    const late = kept.use(AbortSignal.timeout(1), async (c) => c);
    await assert.rejects(late, { name: 'TimeoutError' });
    await sleep(40);
    assert.deepEqual(closed, [1]);
  });

  it('destroys the connection when the work outlives the signal', async () => {
    const { kept, closed } = createDriver();
    const attempt = new AbortController();
    const hanging = kept.use(attempt.signal, () => new Promise(() => {}));
    setTimeout(() => attempt.abort(new Error('too long')), 5);
    await assert.rejects(hanging, { message: 'too long' });
    assert.deepEqual(closed, [1]);
  });

  it('closes in order, but not after a failure, and waits at most 200 ms for a close that hangs', async (t) => {
    const steps: string[] = [];
    let closing = Promise.resolve();
    const kept = new KeptConnection<string>({
      open: async () => 'connection',
      close: async () => {
        steps.push('close');
        await closing;
      },
      destroy: () => void steps.push('destroy'),
    });
    await kept.use(never, async () => {});
    await kept.close();
    assert.deepEqual(steps.splice(0), ['close', 'destroy']);
    await assert.rejects(kept.use(never, () => Promise.reject(new Error('cut'))));
    assert.deepEqual(steps.splice(0), ['destroy']);
    closing = new Promise(() => {});
    await kept.use(never, async () => {});
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const closed = kept.close();
    t.mock.timers.tick(199);
    await new Promise(setImmediate);
    assert.deepEqual(steps, ['close']);
    t.mock.timers.tick(1);
    await closed;
    assert.deepEqual(steps, ['close', 'destroy']);
  });
});
