import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { modulePath, nodeOptions } from './own-module.ts';
import type { StepAnswer, StepRequest } from './step-process.ts';

/**
 * Counts how often blocks of JavaScript run while a function does its work: the same count on every machine, however busy
 * it is. Needs a process of its own, without the counters of coverage.
 */
export class StepCounter {
  readonly #process: ChildProcess;
  readonly #died: Promise<never>;

  constructor() {
    const script = modulePath(new URL('./step-process.ts', import.meta.url));
    this.#process = fork(script, {
      execArgv: [...nodeOptions],
      env: { ...env, NODE_V8_COVERAGE: '' },
      serialization: 'advanced',
    });
    this.#died = new Promise((_, reject) => {
      this.#process.once('exit', (code, signal) =>
        reject(new Error(`The process that counts steps ended with ${code ?? signal}.`)),
      );
    });
    this.#died.catch(() => {});
  }

  /** Calls the function `name` of a module. One call at a time. */
  async count(module: URL, name: string, ...parameters: readonly unknown[]): Promise<StepAnswer> {
    const request: StepRequest = { module: modulePath(module), name, parameters };
    this.#process.send(request);
    const [answer] = await Promise.race([once(this.#process, 'message'), this.#died]);
    return answer;
  }

  async close(): Promise<void> {
    this.#process.disconnect();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
  }
}
