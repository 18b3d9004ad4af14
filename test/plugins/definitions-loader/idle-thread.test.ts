import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { DefinitionStore } from '../../../plugins/definitions-loader/generation/definition-store.ts';
import type { AcceptedApply } from '../../../plugins/definitions-loader/service.ts';
import { snapshotPath } from '../../../plugins/definitions-loader/snapshot/snapshot-file.ts';
import { startThread } from '../../../plugins/definitions-loader/worker/start-thread.ts';
import type { WorkerRequest } from '../../../plugins/definitions-loader/worker/worker-messages.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const devices = baseSet['devices/core.yml']!;
const moved = devices.replace('192.0.2.1', '192.0.2.99');

describe('the thread that reads definitions, with nothing to do', () => {
  it('ends, and the next apply finds exactly what changed since', async () => {
    await withStore(baseSet, async ({ store, directory, threads }) => {
      await threads.ended();
      equal((await apply(store)).changed, false);

      await threads.ended();
      directory.write({ 'devices/core.yml': moved });
      const { changed, changes, affectedDevices } = await apply(store);
      equal(changed, true);
      deepEqual(changes.devices, { added: [], changed: ['router'], removed: [] });
      deepEqual(changes.objects, { added: [], changed: [], removed: [] });
      equal(affectedDevices.length, 1);
      equal(store.current.findDevice('router')?.settings.ip, '192.0.2.99');
      equal(threads.started, 3);
    });
  });

  it('reports the warnings of files without a change at their lines', async () => {
    const set = { ...baseSet, 'objects/more.yml': `# a line\n${danglingOverride}` };
    await withStore(set, async ({ store, threads }) => {
      const first = store.current.facts.warnings;
      equal(first.length > 0, true);
      await threads.ended();
      deepEqual((await apply(store)).warnings, first);
    });
  });

  it('finds that a secret in plain text changed', async () => {
    const text = devices.replace(/\$\{env:\w+\}/, 'secret-one');
    await withStore(
      { ...baseSet, 'devices/core.yml': text },
      async ({ store, directory, state, threads }) => {
        await threads.ended();
        equal((await apply(store)).changed, false);

        await threads.ended();
        directory.write({ 'devices/core.yml': text.replace('secret-one', 'secret-two') });
        const { changed, changes } = await apply(store);
        equal(changed, true);
        deepEqual(changes.devices, { added: [], changed: ['router'], removed: [] });
        deepEqual(store.current.findDevice('router')?.settings.communities, ['secret-two']);
        equal(threads.started, 3);

        await threads.ended();
        equal(readFileSync(snapshotPath(state.path), 'utf8').match(/secret-(one|two)/), null);
      },
    );
  });

  it('stays where its snapshot could not be written', async () => {
    await withStore(
      baseSet,
      async ({ store, threads }) => {
        for (const round of [1, 2]) {
          await sleep(50);
          equal((await apply(store)).changed, false, `round ${round}`);
          equal(threads.started, 1, `round ${round}`);
        }
      },
      { definitions: 'a file where a folder must be' },
    );
  });

  it('stays where the snapshot of a later set could not be written', async () => {
    await withStore(baseSet, async ({ store, directory, threads }) => {
      await threads.ended();
      threads.unsaved = 2;
      directory.write({ 'devices/core.yml': moved });
      equal((await apply(store)).changed, true);
      await sleep(50);
      equal((await apply(store)).changed, false);
      equal(threads.started, 2);
    });
  });
});

const danglingOverride = `X::y:
  mib: X
  object: y
  attributes:
    z:
      oid: .1.3.6.1.4.1.63000.7
      name: z.value
      syntax: Integer
      overrides: { object: X::nothing, attribute: z }
`;

interface Running {
  readonly store: DefinitionStore;
  readonly directory: DefinitionDirectory;
  readonly state: DefinitionDirectory;
  readonly threads: Threads;
}

/** With a thread that ends as soon as it has nothing to do. */
async function withStore(
  files: Readonly<Record<string, string>>,
  use: (running: Running) => Promise<void>,
  stateFiles: Readonly<Record<string, string>> = {},
): Promise<void> {
  using directory = new DefinitionDirectory(files);
  using state = new DefinitionDirectory(stateFiles);
  const threads = new Threads();
  const collector = await startTestCollector({ plugins: [] });
  const store = new DefinitionStore({
    sources: { directories: [directory.path] },
    collector: { stateDirectory: state.path, secretsDirectory: undefined },
    events: collector.events,
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    now: Date.now,
    startThread: () => threads.start(),
    idleMs: 1,
  });
  try {
    await store.load();
    await use({ store, directory, state, threads });
  } finally {
    await store.close();
    await collector.stop();
  }
}

class Threads {
  /** The generation whose snapshot cannot be written. */
  unsaved: number | undefined;
  readonly #all: { readonly exit: Promise<unknown> }[] = [];

  get started(): number {
    return this.#all.length;
  }

  start(): Worker {
    const thread = startThread();
    const post = thread.postMessage.bind(thread);
    thread.postMessage = (request: WorkerRequest) => {
      const isUnsaved = request.type === 'accept' && request.generation === this.unsaved;
      post(isUnsaved ? { ...request, snapshot: join(request.snapshot, 'below a file') } : request);
    };
    this.#all.push({ exit: once(thread, 'exit') });
    return thread;
  }

  /** The one that was started last. */
  async ended(): Promise<void> {
    // A thread without a request does not keep the process alive.
    const alive = setInterval(() => {}, 1_000);
    await this.#all.at(-1)!.exit;
    clearInterval(alive);
  }
}

async function apply(store: DefinitionStore): Promise<AcceptedApply> {
  const result = await store.apply({ requestedBy: 'test' });
  if (!result.accepted) throw new Error(JSON.stringify(result.problems));
  return result;
}
