import { monotonicFactory } from 'ulid';
import { ColumnFinder } from '../../plugins/snmp-traps/decoding/column-finder.ts';
import { NotificationDecoder } from '../../plugins/snmp-traps/decoding/notification-decoder.ts';
import { WireReader, writeNotification } from '../../plugins/snmp-traps/receiving/wire-form.ts';
import { SharedColumns } from '../../plugins/snmp-traps/record/shared-columns.ts';
import { buildTrapBatch, summarizeTrap } from '../../plugins/snmp-traps/record/trap-record.ts';
import { rowsOf } from '../../src/model/batch.ts';
import { LineRenderer } from '../../src/output-kit/lines/line-renderer.ts';
import type { Notification } from '../../src/snmp/index.ts';
import { runToEnd } from '../../src/timing/slices.ts';
import { readChosen } from '../definitions/choose-set.ts';
import { plainText } from '../terminal/plain-text.ts';
import { formatSender, type NotificationFormat } from './notification-lines.ts';

/** Notifications as the records that a collector with this configuration makes of them, of no registered device. */
export async function openRecordFormat(config: string, isJson: boolean): Promise<NotificationFormat> {
  const { compiled } = await readChosen({ config });
  const columns = runToEnd(ColumnFinder.build(compiled));
  const decoder = new NotificationDecoder(1, compiled, columns, {});
  const nextId = monotonicFactory();
  const renderer = new LineRenderer({ nested: false, gaps: false });
  const sharedColumns = new SharedColumns();
  let sequence = 0;
  const recordOf = (notification: Notification, time: Date) => {
    const wire: Parameters<typeof writeNotification>[2] = [];
    writeNotification(notification, time.getTime(), wire);
    const received = new WireReader(wire).next();
    const decoded = decoder.decode(received, { hasObject: () => false, findLabels: () => undefined });
    const summary = summarizeTrap(nextId(time.getTime()), received, decoded, { severities: {} });
    const { source } = received;
    const batch = buildTrapBatch(
      received,
      decoded,
      summary,
      { ref: { name: source, ip: source, port: 0 }, tags: {}, identity: 'none', device: undefined },
      {
        generation: 1,
        sequence: sequence++,
        timeMs: time.getTime(),
        clears: undefined,
        repeats: undefined,
        varbinds: 'unknown',
        columns: sharedColumns,
      },
    );
    return { batch, summary };
  };
  return (notification, time) => {
    const { batch, summary } = recordOf(notification, time ?? new Date());
    if (isJson) return renderer.render([batch]).join('');
    const { severity, category, message } = summary;
    const what = message === undefined ? '' : `: ${plainText(message)}`;
    const lines = Array.from(rowsOf(batch), ({ labels, values }) =>
      Object.entries({ ...labels, ...values })
        .filter(([field]) => !field.startsWith('trap.') || field === 'trap.varbinds')
        .flatMap(([field, value]) =>
          (Array.isArray(value) ? value : [value]).map((each) => `  ${field} = ${plainText(String(each))}\n`),
        ),
    );
    return `${formatSender(notification, time)}\n  ${batch.record} (${severity}, ${category})${what}\n${lines.flat().join('')}`;
  };
}
