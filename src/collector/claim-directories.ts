import type { ConfiguredPlugin } from '../kernel/collector.ts';
import { defineErrors, type WaywiserError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import { systemReasonOf } from '../kernel/system-reason.ts';
import type { QueueSettings } from '../pipeline/delivery-settings.ts';
import { queueDirectory } from '../pipeline/queue/open-queue.ts';
import { lockDirectory } from '../storage/directory-lock.ts';
import { storageErrors } from '../storage/errors.ts';

const failure = defineErrors(storageErrors);

/**
 * Makes a function that makes this collector the only user of its state directory and of every queue elsewhere. It resolves to the
 * function that gives them back, after `onClaimed`, and rejects while another collector uses one of them.
 */
export function claimDirectories(
  stateDirectory: string,
  plugins: readonly ConfiguredPlugin[],
  log: Logger,
  onLost: (error: WaywiserError) => void,
  onClaimed: () => Promise<void>,
): (signal: AbortSignal) => Promise<() => void> {
  const directories = [stateDirectory, ...listQueuesElsewhere(plugins).map(({ directory }) => directory)];
  const onWatch = (holder: string, watchMs: number) =>
    log.warn(
      { holder, watchMs },
      'A lock of another collector cannot be checked. Waiting for its sign of life.',
    );
  return async (signal) => {
    makeStateDirectory(stateDirectory);
    const outcomes = await Promise.allSettled(
      directories.map((directory) => lockDirectory(directory, { onLost, onWatch, signal })),
    );
    const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const release = () => {
      for (const lock of locks) lock.release();
    };
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    try {
      if (failed !== undefined) throw failed.reason;
      await onClaimed();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}

function makeStateDirectory(directory: string): void {
  try {
    makeFolder(directory);
  } catch (error) {
    throw failure('DIRECTORY_NOT_LOCKED', { directory, reason: systemReasonOf(error) }, error);
  }
}

/** The directories of disk queues that are not in the state directory, with the name of the output of each. */
export function listQueuesElsewhere(
  plugins: readonly ConfiguredPlugin[],
): { readonly name: string; readonly directory: string }[] {
  return plugins.flatMap(({ name, plugin, options }) => {
    if (plugin.kind !== 'output') return [];
    const { queue, disk_queue: disk } = options as Partial<QueueSettings>;
    if (queue !== 'disk' || disk?.directory === undefined) return [];
    return [{ name, directory: queueDirectory(name, disk.directory) }];
  });
}
