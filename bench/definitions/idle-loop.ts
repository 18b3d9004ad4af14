import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** An idle event loop beside the measured one: when it stalls too, the machine is the cause. */
export class IdleLoop {
  readonly #worker = new Worker(source, { eval: true });

  /** Since the last call. */
  async takeLongestStallMs(): Promise<number> {
    this.#worker.postMessage('stall');
    const [stallMs] = await once(this.#worker, 'message');
    return stallMs as number;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const source = `
  const { monitorEventLoopDelay } = require('node:perf_hooks');
  const { parentPort } = require('node:worker_threads');
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  parentPort.on('message', () => {
    parentPort.postMessage(delay.max / 1e6);
    delay.reset();
  });
`;
