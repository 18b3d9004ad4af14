import type { RecordRow } from '../../../../../src/client/index.ts';
import { showNumber } from '../../parts/number-text.ts';
import { DeviceText, Missing, Num } from '../../parts/texts.tsx';
import { wantedExplanation } from '../../state/explain.ts';
import { numberOf, showValue } from './device-rows.ts';

interface ValueCellProps {
  readonly device: string;
  readonly record: string;
  readonly row: RecordRow;
  readonly field: string;
  readonly unit?: string | undefined;
  /** Octets are shown as bits with 8. */
  readonly times?: number;
}

/** A value, or why it is missing. A click explains where it comes from. */
export function ValueCell({ device, record, row, field, unit, times = 1 }: ValueCellProps) {
  const gap = row.gaps[field];
  const value = row.values[field] ?? row.labels[field];
  if (value === undefined && gap === undefined) return <span class="quiet">–</span>;
  const number = numberOf(row, field);
  return (
    <button
      type="button"
      class="value"
      title={`Explain ${field}`}
      onClick={() => {
        wantedExplanation.value = {
          device,
          record,
          field,
          key: row.key,
          labels: row.labels,
          shown: number === undefined ? showValue(value) : showNumber(number * times, unit),
        };
      }}
    >
      {value === undefined ? (
        <Missing reason={gap!} />
      ) : number === undefined || field.endsWith('.id') ? (
        <DeviceText text={showValue(value)} max={80} />
      ) : (
        <Num value={number * times} unit={unit} />
      )}
    </button>
  );
}
