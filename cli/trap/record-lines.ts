import { loadTrapRecorder } from '../../plugins/snmp-traps/commands.ts';
import { rowsOf } from '../../src/model/index.ts';
import { LineRenderer } from '../../src/output-kit/index.ts';
import { readChosen } from '../choose-set.ts';
import { plainText } from '../terminal/plain-text.ts';
import { formatSender, type NotificationFormat } from './notification-lines.ts';

/** Notifications as the records that a collector with this configuration makes of them, of no registered device. */
export async function openRecordFormat(config: string, isJson: boolean): Promise<NotificationFormat> {
  const { compiled } = await readChosen({ config });
  const { createTrapRecorder } = await loadTrapRecorder();
  const recordOf = createTrapRecorder(compiled);
  const renderer = new LineRenderer({ nested: false, gaps: false });
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
