import { MessageChannel } from 'node:worker_threads';
import type { Thread } from '../../../src/pipeline/thread/running-thread.ts';
import { serveOutput } from '../../../src/pipeline/thread/serve-output.ts';
import type { ThreadData } from '../../../src/pipeline/thread/thread-messages.ts';

/** Runs the code of a worker behind a message channel, which is faster than starting a worker from the sources. */
export function startChannelThread(data: ThreadData): Thread & { crash(code: number): void } {
  const { port1: near, port2: far } = new MessageChannel();
  let onExit: (code: number) => void = () => {};
  const end = (code: number) => {
    near.close();
    onExit(code);
  };
  void serveOutput(far, structuredClone(data));
  return {
    on(event: string, listener: (value: never) => void) {
      if (event === 'message') near.on('message', listener as (value: unknown) => void);
      else if (event === 'exit') onExit = listener as (code: number) => void;
    },
    postMessage: (message, owned) => near.postMessage(message, owned),
    async terminate() {
      end(1);
    },
    crash: end,
  };
}
