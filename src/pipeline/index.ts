/** For plugins and commands: batches of other makers, and outputs in threads. */

export { buildColumns, columnOfOne } from './batch-rows.ts';
export type { QueueSettings } from './delivery-settings.ts';
export { LentBatches } from './lent-batches.ts';
export type { OutputPlugin } from './output-writer.ts';
export { pipelineToken } from './pipeline.ts';
export { DiskQueue } from './queue/disk-queue.ts';
export { queueDirectory } from './queue/open-queue.ts';
export { startThread } from './thread/start-thread.ts';
