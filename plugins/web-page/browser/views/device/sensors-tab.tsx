import { useMemo } from 'preact/hooks';
import type { RecordRow } from '../../../../../src/client/index.ts';
import { HistoryChart } from '../../parts/history-chart.tsx';
import { Panel } from '../../parts/panel.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { runs } from '../../state/fleet.ts';
import { place, select } from '../../state/place.ts';
import { type DeviceTabProps, numberOf, rowsOf, textOf } from './device-rows.ts';
import { sensorGraph } from './sensor-graph.ts';
import { ValueCell } from './value-cell.tsx';

const troubled = ['critical', 'warning'];

/** Sensors by class, those in trouble first, with their limits. */
export function SensorsTab({ device, tables }: DeviceTabProps) {
  const rows = rowsOf(tables, 'sensor');
  const chosen = rows.find(({ key }) => key === place.value.query['row']);
  const names = [...new Set(rows.map((row) => textOf(row, 'sensor.class')))];
  const classes = names.map(
    (name) => [name, rows.filter((row) => textOf(row, 'sensor.class') === name)] as const,
  );
  return (
    <>
      {chosen !== undefined && runs('history') && (
        <SensorGraph key={chosen.key} device={device.name} row={chosen} />
      )}
      <div class="grid">
        {classes.map(([name, members]) => (
          <Panel
            key={name}
            title={name.replaceAll('_', ' ') || 'other'}
            aside={<span class="quiet">{members.length}</span>}
          >
            <table class="plain">
              <tbody>
                {[...members].sort(byTrouble).map((row) => (
                  <tr key={row.key}>
                    <td>
                      <button type="button" class="link" onClick={() => select({ row: row.key })}>
                        <DeviceText text={textOf(row, 'sensor.name') || row.key} max={50} />
                      </button>{' '}
                      <span class="quiet">
                        <DeviceText
                          text={[textOf(row, 'sensor.direction'), textOf(row, 'sensor.location')]
                            .filter((text) => text !== '')
                            .join(', ')}
                        />
                      </span>
                    </td>
                    <td class="right">
                      {name !== 'state' && (
                        <ValueCell
                          device={device.name}
                          record="sensor"
                          row={row}
                          field="sensor.value"
                          unit={textOf(row, 'sensor.unit')}
                        />
                      )}
                    </td>
                    <td class="quiet right">{describeLimits(row)}</td>
                    <td>
                      {textOf(row, 'sensor.state') !== '' && (
                        <StateBadge state={textOf(row, 'sensor.state')} why={textOf(row, 'sensor.status')} />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        ))}
      </div>
    </>
  );
}

function SensorGraph({ device, row }: { readonly device: string; readonly row: RecordRow }) {
  const graph = useMemo(() => sensorGraph(device, row), [device, row.key]);
  return (
    <section class="chosen-row" aria-label="Chosen sensor">
      <HistoryChart graph={graph} />
    </section>
  );
}

function byTrouble(a: RecordRow, b: RecordRow): number {
  const rank = (row: RecordRow) =>
    (troubled.indexOf(textOf(row, 'sensor.state')) + troubled.length + 1) % (troubled.length + 1);
  return rank(a) - rank(b);
}

/** The span of values that are fine, such as `10 … 45`. */
function describeLimits(row: RecordRow): string {
  const first = (...fields: readonly string[]) =>
    fields.map((field) => numberOf(row, field)).find((value) => value !== undefined);
  const low = first('sensor.low.warning', 'sensor.low.critical');
  const high = first('sensor.high.warning', 'sensor.high.critical');
  if (low === undefined && high === undefined) return '';
  return `${low ?? ''} … ${high ?? ''}`;
}
