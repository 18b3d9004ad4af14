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
      description: 'batches that may wait',
    }),
    drop: Type.Union([Type.Literal('oldest'), Type.Literal('newest')], {
      default: 'oldest',
      description: 'what gives way when the queue is full: oldest or newest',
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
  },
  { default: {}, description: 'queue, groups and retries, the same for every output' },
);

export type DeliverySettings = Static<typeof deliverySchema>;
