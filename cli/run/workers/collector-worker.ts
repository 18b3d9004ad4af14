import { env, stderr } from 'node:process';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import { assembleCollector, loadSetup } from '../../../src/collector/index.ts';
import type { WaywiserError } from '../../../src/kernel/index.ts';
import { createLogger } from '../../../src/kernel/index.ts';
import { countResources } from '../../../src/testing/open-resources.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { printFailure } from '../../terminal/failure.ts';
import { makeDeferred } from '../deferred.ts';
import { endProcess } from '../end-process.ts';
import { openLogStream } from '../log-format.ts';
import { guardProcess } from '../process-guard.ts';
import { MessageBatch } from './message-batch.ts';
import { ParentCoordinator } from './parent-coordinator.ts';
import type { ToParent, ToWorker, WorkerOrder } from './worker-messages.ts';
import { setUpWorker } from './worker-setup.ts';
import { defineWorkerShards } from './worker-shards.ts';

/** A worker whose parent has ended, or that does not end in this time, ends without its last steps. */
const stopWithinMs = 30_000;
/** A terminal or a supervisor signals all processes, and the parent ends its workers in order. Without its order, the signal was for one worker. */
const awaitOrderMs = 1_000;

const before = countResources();
/** What the parent's orders and its end do. Before the collector is made, there is nothing to end but the process. */
const parent = {
  take: (message: ToWorker) => {
    if (message.kind === 'stop') process.exit(exitCodes.done);
  },
  onEnd: (): void => process.exit(exitCodes.broken),
};
process.on('message', (messages: readonly ToWorker[]) => {
  for (const message of messages) {
    if (message.kind === 'begin') void runWorker(message.order);
    else parent.take(message);
  }
});
/** The channel may have closed: then the listener of `disconnect` ends the worker. */
const toParent = new MessageBatch<ToParent>((messages) => {
  if (process.connected) process.send!(messages, undefined, undefined, () => {});
});
const send = (message: ToParent) => toParent.add(message);
process.on('disconnect', () => parent.onEnd());

/** Runs the collector of a worker until the parent or a signal ends it, and ends the process. */
async function runWorker(order: WorkerOrder): Promise<never> {
  let code: number;
  let report = (_leftOpen: readonly string[]) => {};
  try {
    const { promise: ended, resolve: finish } = makeDeferred<number>();
    const { name, config, text, stateDirectory, leaseMs, token, debugPlugins } = order;
    const setup = await loadSetup(config, { env, text, also: ['http-api'] });
    const { instance, log_level: level, log_format: format } = setup.keys;
    const write = (line: string) => stderr.write(line);
    const destination = openLogStream({ format, isTerminal: stderr.isTTY, env, write });
    const log = createLogger({ level, instance, destination, hasStacks: debugPlugins }).child({
      worker: name,
    });
    report = (leftOpen) => log.warn({ leftOpen }, 'Something was left open after the stop of a worker.');

    const coordinator = new ParentCoordinator(send);
    let claim = () => {};
    let isLast = false;
    const shards = defineWorkerShards({
      name,
      weight: 1,
      coordinator,
      leaseMs,
      token,
      onReady: (run) => {
        claim = run;
      },
      isLast: () => isLast,
    });
    let isEnding = false;
    const end = (why: string, exitCode: number) => {
      if (isEnding) return;
      isEnding = true;
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopWithinMs).unref();
      void collector.stop(why).then(() => finish(exitCode));
    };
    const endBecause = (why: string) => (error: WaywiserError) => {
      log.error({ error }, error.message);
      end(why, exitCodes.broken);
    };
    const narrowed = setUpWorker(setup, name, stateDirectory, shards);
    const collector = assembleCollector(narrowed, log, endBecause('another process uses its directory'));
    parent.take = (message) => {
      if (message.kind === 'join') claim();
      else if (message.kind === 'stop') {
        isLast = true;
        end(message.why, exitCodes.done);
      } else coordinator.take(message);
    };
    parent.onEnd = () => {
      isLast = true;
      void coordinator.close();
      end('the parent process has ended', exitCodes.broken);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () =>
        setTimeout(() => end(`received ${signal}`, exitCodes.done), awaitOrderMs).unref(),
      );
    const release = guardProcess(setup.plugins, endBecause('a plugin broke the worker'));
    if (await collector.start()) {
      log.debug('The worker is ready.');
      send({ kind: 'ready', address: collector.getService(httpApiToken).baseUrl });
    }
    code = await ended;
    release();
  } catch (error) {
    printFailure(error);
    code = exitCodes.failed;
  }
  parent.onEnd = () => {};
  toParent.flush();
  if (process.connected) process.disconnect();
  return endProcess(code, before, report);
}
