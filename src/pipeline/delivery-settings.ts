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
      description: 'batches that may wait in memory',
    }),
    drop: Type.Union([Type.Literal('oldest'), Type.Literal('newest')], {
      default: 'oldest',
      description: 'what gives way when the queue in memory is full: oldest or newest',
    }),
    group_batches: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 500,
      description: 'batches a write',
    }),
    group_wait_ms: milliseconds(1_000, 600_000, 'how long a write waits for more batches'),
    attempt_timeout_ms: milliseconds(30_000, 600_000, 'after this a write counts as failed'),
    retry_from_ms: milliseconds(500, 600_000, 'first pause after a failed write; it doubles'),
    retry_to_ms: milliseconds(30_000, 600_000, 'longest pause after a failed write'),
    stall_after_ms: milliseconds(60_000, 3_600_000, 'failing this long is reported as stalled'),
    drain_timeout_ms: milliseconds(5_000, maxDrainMs, 'how long a stop waits for the queue'),
    dead_letter_bytes: Type.Integer({
      minimum: 0,
      default: 0,
      description: 'how much is kept of batches that are refused for good; 0 to drop and count them',
    }),
  },
  { default: {}, description: 'queue, groups and retries, the same for every output' },
);

/** The option of outputs that may run beside polling. */
export const threadOptions = {
  thread: Type.Boolean({
    default: false,
    description: 'work in a thread of its own, so that encoding takes no time from polling',
  }),
};

/** The options of every output that say where its batches wait. */
export const queueOptions = {
  queue: Type.Union([Type.Literal('memory'), Type.Literal('disk')], {
    default: 'memory',
    description: 'where batches wait; on the disk they outlive the process: memory or disk',
  }),
  disk_queue: Type.Object(
    {
      directory: Type.Optional(
        pathOption({ description: 'where it keeps its files; in the state directory without it' }),
      ),
      max_bytes: Type.Integer({
        minimum: 1 << 20,
        default: 2 ** 30,
        description: 'how much it may take on the disk',
      }),
      max_age_s: Type.Integer({
        minimum: 0,
        default: 0,
        description: 'batches that have waited longer are dropped; 0 for never',
      }),
      when_full: Type.Union(
        (['drop_oldest', 'drop_newest', 'pause'] as const).map((policy) => Type.Literal(policy)),
        {
          default: 'drop_oldest',
          description:
            'what gives way when it, or the disk, is full: drop_oldest, drop_newest, or pause, which holds up all polling',
        },
      ),
      fsync_every_ms: Type.Integer({
        minimum: 1,
        maximum: 60_000,
        default: 200,
        description: 'how long batches may be in the hands of the operating system alone',
      }),
    },
    { default: {}, description: 'for `queue: disk`' },
  ),
};

export interface QueueSettings {
  readonly queue: 'memory' | 'disk';
  readonly disk_queue: Static<(typeof queueOptions)['disk_queue']>;
}

export type DeliverySettings = Static<typeof deliverySchema>;
