import { explainError } from '../kernel/errors.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OwnerListener } from './owner-settings.ts';

/** Reports what becomes of this member's shards and of the other members, in the log and as events. */
export function reportShards({
  log,
  events,
  keepsPolling,
  tells = (error) => error,
}: {
  readonly log: Logger;
  readonly events: EventBus;
  /** Whether devices are asked further while the store cannot be reached. */
  readonly keepsPolling: boolean;
  /** The error that people see in the place of another. */
  readonly tells?: (error: unknown) => unknown;
}): Omit<OwnerListener, 'mayUse' | 'onNameTaken'> {
  const reported = new Set<string>();
  return {
    onGained(shards) {
      log.info({ shards }, 'Shards were gained.');
      events.emit('shard.gained', { shards });
    },
    onLost(shards, why) {
      log.info({ shards, why }, 'Shards were lost.');
      events.emit('shard.lost', { shards, why });
    },
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
  };
}
