import { explainError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Clock, systemClock } from '../timing/clock.ts';
import { NamedTimers } from './named-timers.ts';
import type { OwnerListener } from './owner-settings.ts';

/** Shards move in small groups, many times per second: one report has all of them. */
const sumMs = 1_000;

export interface ShardReports extends Omit<OwnerListener, 'mayUse' | 'onNameTaken'> {
  /** Reports what has moved since the last report. */
  close(): void;
}

/** Reports what becomes of this member's shards and of the other members, in the log and as events. */
export function reportShards({
  log,
  events,
  keepsPolling,
  tells = (error) => error,
  clock = systemClock,
}: {
  readonly log: Logger;
  readonly events: EventBus;
  /** Whether devices are asked further while the store cannot be reached. */
  readonly keepsPolling: boolean;
  /** The error that people see in the place of another. */
  readonly tells?: (error: unknown) => unknown;
  readonly clock?: Clock;
}): ShardReports {
  const reported = new Set<string>();
  const timers = new NamedTimers(clock);
  /** By the reason of a loss; undefined for gains. In the order of what happened first. */
  const moved = new Map<string | undefined, number>();
  const report = () => {
    const counts = [...moved];
    moved.clear();
    for (const [why, shards] of counts) {
      if (why === undefined) {
        log.info({ shards }, 'Shards were gained.');
        events.emit('shard.gained', { shards });
      } else {
        log.info({ shards, why }, 'Shards were lost.');
        events.emit('shard.lost', { shards, why });
      }
    }
  };
  const add = (shards: number, why?: string) => {
    moved.set(why, (moved.get(why) ?? 0) + shards);
    timers.once('report', sumMs, report);
  };
  return {
    onGained: (shards) => add(shards),
    onLost: add,
    onMembers(joined, left) {
      for (const member of joined) events.emit('member.joined', { member });
      for (const member of left) events.emit('member.left', { member });
      log.info({ joined, left }, 'The members changed.');
    },
    onDegraded(why) {
      if (why === undefined) {
        reported.clear();
        log.info('This member is sure of its shards again.');
        events.emit('cluster.recovered', {});
      } else {
        log.warn({ why, keepsPolling }, 'This member cannot be sure of its shards.');
        events.emit('cluster.degraded', { why, keepsPolling });
      }
    },
    onProblem(error) {
      const told = tells(error);
      const text = explainError(told);
      if (!reported.has(text)) log.error({ error: told }, text);
      reported.add(text);
    },
    close() {
      timers.close();
      report();
    },
  };
}
