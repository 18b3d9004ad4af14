import { deviceKey, ownRecord } from '../../../src/index.ts';
import { buildColumns } from '../../../src/pipeline/index.ts';
import type { TrapContext } from '../trap-context.ts';
import type { TrapCounts } from '../trap-intake.ts';

const countFields = { 'trap.count': { kind: 'counter' } } as const;

/** Sends the counts of notifications to all outputs from time to time. */
export function startCounting({ options, needs, events, onStop }: TrapContext, counts: TrapCounts): void {
  const { definitions, pipeline } = needs;
  events.on('device.removed', ({ device }) => counts.forget(deviceKey(device)));
  const everyMs = options.count_every_s * 1000;
  if (everyMs === 0) return;
  let sequence = 0;
  const timer = setInterval(() => {
    for (const { subject, counts: rows } of counts.list()) {
      const timeMs = Date.now();
      pipeline.push({
        device: subject.ref,
        tags: subject.tags,
        record: ownRecord('trapCounts'),
        plan: ownRecord('traps'),
        generation: definitions.current.number,
        sequence: sequence++,
        slotMs: timeMs,
        timeMs,
        intervalMs: everyMs,
        ...buildColumns(
          rows.map(({ name: trap, severity, count }) => ({
            key: `${trap} ${severity}`,
            labels: { 'trap.name': trap, 'trap.severity': severity },
            values: { 'trap.count': BigInt(count) },
          })),
          countFields,
        ),
      });
    }
  }, everyMs);
  onStop(() => clearInterval(timer));
}
