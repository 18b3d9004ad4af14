import { monotonicFactory } from 'ulid';
import type { CompiledDefinitions } from '../../../src/definitions/index.ts';
import type { Batch } from '../../../src/index.ts';
import type { Notification } from '../../../src/snmp/index.ts';
import { runToEnd } from '../../../src/timing/index.ts';
import { ColumnFinder } from '../decoding/column-finder.ts';
import { NotificationDecoder } from '../decoding/notification-decoder.ts';
import { WireReader, writeNotification } from '../receiving/wire-form.ts';
import { SharedColumns } from './shared-columns.ts';
import { buildTrapBatch, summarizeTrap, type TrapSummary } from './trap-record.ts';

/** A notification as a collector records it. */
export interface OfflineRecord {
  readonly batch: Batch;
  readonly summary: TrapSummary;
}

/** Makes the record that a collector with these definitions makes of a notification that no registered device sent. */
export function createTrapRecorder(
  compiled: CompiledDefinitions,
): (notification: Notification, time: Date) => OfflineRecord {
  const decoder = new NotificationDecoder(1, compiled, runToEnd(ColumnFinder.build(compiled)), {});
  const nextId = monotonicFactory();
  const columns = new SharedColumns();
  let sequence = 0;
  return (notification, time) => {
    const timeMs = time.getTime();
    const wire: Parameters<typeof writeNotification>[2] = [];
    writeNotification(notification, timeMs, wire);
    const received = new WireReader(wire).next();
    const decoded = decoder.decode(received, { hasObject: () => false, findLabels: () => undefined });
    const summary = summarizeTrap(nextId(timeMs), received, decoded, { severities: {} });
    const { source } = received;
    const sender = {
      ref: { name: source, ip: source, port: 0 },
      tags: {},
      identity: 'none',
      device: undefined,
    } as const;
    const facts = { generation: 1, sequence: sequence++, timeMs, clears: undefined, repeats: undefined };
    const batch = buildTrapBatch(received, decoded, summary, sender, {
      ...facts,
      varbinds: 'unknown',
      columns,
    });
    return { batch, summary };
  };
}
