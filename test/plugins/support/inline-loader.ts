import { EventEmitter } from 'node:events';
import { env } from 'node:process';
import { defineLoader } from '../../../plugins/definitions-loader/define-loader.ts';
import {
  answerRequest,
  DefinitionEngine,
} from '../../../plugins/definitions-loader/worker/definition-engine.ts';
import type { WorkerRequest } from '../../../plugins/definitions-loader/worker/worker-messages.ts';

/** The definitions-loader without its thread, which takes a second to start from the sources. */
export const inlineLoader = defineLoader(() => new InlineThread());

class InlineThread extends EventEmitter {
  readonly #engine = new DefinitionEngine({ ...env });
  #isEnded = false;

  postMessage(request: WorkerRequest): void {
    const copy = structuredClone(request);
    setImmediate(() => {
      if (!this.#isEnded) this.emit('message', structuredClone(answerRequest(this.#engine, copy)));
    });
  }

  async terminate(): Promise<number> {
    this.#isEnded = true;
    return 0;
  }

  ref(): void {}
  unref(): void {}
}
