import { pathOption } from '../kernel/plugin-options.ts';
import { type Static, Type } from '../typebox.ts';

export const maxDrainMs = 60_000;

const milliseconds = (byDefault: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, default: byDefault, description });

/** The options that every output has, under `delivery`. */
export const deliverySchema = Type.Object(
  {
    max_queued_batches: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description: 'how many batches may wait in memory; ten notifications count as one',
    }),
    drop: Type.Union([Type.Literal('oldest'), Type.Literal('newest')], {
      default: 'oldest',
      description: 'which batches are dropped when the queue in memory is full: oldest or newest',
    }),
    group_batches: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 500,
      description: 'how many batches are written at a time',
    }),
    group_wait_ms: milliseconds(1_000, 600_000, 'how long to wait for more batches before a write'),
    attempt_timeout_ms: milliseconds(30_000, 600_000, 'a write that takes longer has failed'),
    retry_from_ms: milliseconds(
      500,
      600_000,
      'first pause after a failed write; each further pause is twice as long',
    ),
    retry_to_ms: milliseconds(30_000, 600_000, 'longest pause after a failed write'),
    stall_after_ms: milliseconds(
      60_000,
      3_600_000,
      'an output whose writes fail for this time is reported as stalled',
    ),
    drain_timeout_ms: milliseconds(5_000, maxDrainMs, 'how long a stop waits until the queue is empty'),
    dead_letter_bytes: Type.Integer({
      minimum: 0,
      default: 0,
      description: 'size of the file that keeps batches the output refused for good; 0 keeps none',
    }),
  },
  { default: {}, description: 'queue, groups and retries; the same for every output' },
);

/** The option of outputs that can run in a separate thread. */
export const threadOptions = {
  thread: Type.Boolean({
    default: false,
    description: 'run in a separate thread, so that encoding takes no time from polling',
  }),
};

/** The options of every output for the place where its batches wait. */
export const queueOptions = {
  queue: Type.Union([Type.Literal('memory'), Type.Literal('disk')], {
    default: 'memory',
    description: 'where batches wait: memory, or disk, which keeps them across restarts',
  }),
  disk_queue: Type.Object(
    {
      directory: Type.Optional(
        pathOption({ description: 'directory of the queue; by default in the state directory' }),
      ),
      max_bytes: Type.Integer({
        minimum: 1 << 20,
        default: 2 ** 30,
        description: 'most space that the queue may take on the disk',
      }),
      max_age_s: Type.Integer({
        minimum: 0,
        default: 0,
        description: 'batches that have waited longer are dropped; 0 means never',
      }),
      when_full: Type.Union(
        (['drop_oldest', 'drop_newest', 'pause'] as const).map((policy) => Type.Literal(policy)),
        {
          default: 'drop_oldest',
          description:
            'what happens when the queue or the disk is full: drop_oldest, drop_newest, or pause, which stops all polling',
        },
      ),
      fsync_every_ms: Type.Integer({
        minimum: 1,
        maximum: 60_000,
        default: 200,
        description: 'how often written batches are forced to the disk',
      }),
    },
    { default: {}, description: 'settings of `queue: disk`' },
  ),
};

export interface QueueSettings {
  readonly queue: 'memory' | 'disk';
  readonly disk_queue: Static<(typeof queueOptions)['disk_queue']>;
}

export type DeliverySettings = Static<typeof deliverySchema>;
