import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A loop beside the measured one that has nothing to do: what stalls it too is the machine's. */
export class IdleLoop {
  readonly #worker = new Worker(source, { eval: true });

  /** Since the last question. */
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
