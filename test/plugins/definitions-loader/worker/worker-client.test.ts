import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import {
  type DefinitionThread,
  WorkerClient,
} from '../../../../plugins/definitions-loader/worker/worker-client.ts';

class FakeThread extends EventEmitter {
  postMessage(): void {}
  ref(): void {}
  unref(): void {}
  async terminate(): Promise<number> {
    return 1;
  }
}

const start = () => {
  const threads: FakeThread[] = [];
  const startThread = (): DefinitionThread => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread;
  };
  return { threads, client: new WorkerClient(startThread) };
};

describe('the client of the thread that reads definitions', () => {
  it('ignores the reply of a closed thread, as when a collector stops while it starts', async () => {
    const { threads, client } = start();
    const asked = client.ask({ type: 'next' });
    await client.close();
    threads[0]!.emit('message', { value: 'late' });
    threads[0]!.emit('exit', 1);
    await assert.rejects(asked, { code: 'DEFINITIONS_WORKER_FAILED' });
  });

  it('matches replies to the requests of the new thread when the old thread sends a late reply', async () => {
    const { threads, client } = start();
    const failed = assert.rejects(client.ask({ type: 'next' }), { code: 'DEFINITIONS_WORKER_FAILED' });
    threads[0]!.emit('error', new Error('out of memory'));
    await failed;
    const asked = client.ask({ type: 'next' });
    threads[0]!.emit('message', { value: 'stale' });
    threads[1]!.emit('message', { value: 'fresh' });
    assert.equal(await asked, 'fresh');
  });
});
