import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError } from '../../../src/index.ts';
import { KeptConnection } from '../../../src/internal.ts';

/** Connections by number, and what became of them. */
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

describe('a kept connection', () => {
  it('is opened once and used again', async () => {
    const { kept, closed } = createDriver();
    const used = [await kept.use(never, async (c) => c), await kept.use(never, async (c) => c)];
    assert.deepEqual(used, [1, 1]);
    await kept.close();
    await kept.close();
    assert.deepEqual(closed, [1]);
  });

  it('is another one after a failure, the same one after a refusal', async () => {
    const { kept, closed } = createDriver();
    const fail = (error: Error) => kept.use(never, () => Promise.reject(error));
    await assert.rejects(fail(new PermanentError('never')), { message: 'never' });
    assert.deepEqual(closed, []);
    await assert.rejects(fail(new Error('cut')), { message: 'cut' });
    assert.deepEqual(closed, [1]);
    assert.equal(await kept.use(never, async (c) => c), 2);
    await kept.close();
  });

  it('is another one when the other side has gone meanwhile', async () => {
    const { kept, closed, gone } = createDriver();
    await kept.use(never, async (c) => c);
    gone.add(1);
    assert.equal(await kept.use(never, async (c) => c), 2);
    assert.deepEqual(closed, [1]);
    await kept.close();
  });

  it('leaves nothing open when it opens after its time', async () => {
    const { kept, closed } = createDriver({ openMs: 20 });
    const late = kept.use(AbortSignal.timeout(1), async (c) => c);
    await assert.rejects(late, { name: 'TimeoutError' });
    await sleep(40);
    assert.deepEqual(closed, [1]);
  });

  it('is closed when its work outlives the signal', async () => {
    const { kept, closed } = createDriver();
    const attempt = new AbortController();
    const hanging = kept.use(attempt.signal, () => new Promise(() => {}));
    setTimeout(() => attempt.abort(new Error('too long')), 5);
    await assert.rejects(hanging, { message: 'too long' });
    assert.deepEqual(closed, [1]);
  });

  it('says goodbye before it is ended, but not after a failure, and waits for no goodbye that hangs', async () => {
    const steps: string[] = [];
    let goodbye = Promise.resolve();
    const kept = new KeptConnection<string>({
      open: async () => 'connection',
      close: async () => {
        steps.push('goodbye');
        await goodbye;
      },
      destroy: () => void steps.push('end'),
    });
    await kept.use(never, async () => {});
    await kept.close();
    assert.deepEqual(steps.splice(0), ['goodbye', 'end']);
    await assert.rejects(kept.use(never, () => Promise.reject(new Error('cut'))));
    assert.deepEqual(steps.splice(0), ['end']);
    goodbye = new Promise(() => {});
    await kept.use(never, async () => {});
    const begunMs = performance.now();
    await kept.close();
    assert.ok(performance.now() - begunMs < 1_000);
    assert.deepEqual(steps, ['goodbye', 'end']);
  });
});
