import { holdsOctets, rawTag } from '../../../src/definitions/index.ts';
import { gapCode } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import { type ColumnSource, type FurtherScale, type RowScale, slotOf } from '../plan/poll-plan.ts';

/** Scales each value by other columns of its row. A row without these columns gets the gap `decode`. */
export function scaleRows(
  source: Pick<ColumnSource, 'firstSlot' | 'slots'>,
  { factor, offset: added, prefixSlot, precisionSlot, more }: RowScale,
  poll: Pick<PollColumns, 'words' | 'status' | 'texts'>,
  values: Float64Array,
  gaps: Uint8Array,
): void {
  for (let row = 0; row < values.length; row++) {
    if (gaps[row] !== 0) continue;
    const offset = slotOf(source, row) - source.firstSlot;
    const prefix = prefixSlot === undefined ? 0 : exponentOf(integerAt(poll, prefixSlot + offset));
    const places = precisionSlot === undefined ? 0 : placesOf(integerAt(poll, precisionSlot + offset));
    // Powers of ten are exact up to 10^22, so that a single division rounds only once.
    const exponent = prefix - places;
    const value =
      more === undefined ? values[row]! * factor : scaleFurther(values[row]! * factor, more, offset, poll);
    const scaled = (exponent < 0 ? value / 10 ** -exponent : value * 10 ** exponent) + added;
    if (Number.isFinite(scaled)) values[row] = scaled;
    else gaps[row] = decodeGap;
  }
}

const decodeGap = gapCode('decode');

/** NaN where a column of the scale has no value, or one that the definition does not name. */
function scaleFurther(
  value: number,
  { divisorSlot, timesSlot, unitSlot, findUnit }: FurtherScale,
  offset: number,
  poll: Pick<PollColumns, 'words' | 'status' | 'texts'>,
): number {
  let scaled = value;
  if (timesSlot !== undefined) scaled *= integerAt(poll, timesSlot + offset);
  if (divisorSlot !== undefined) {
    const divisor = integerAt(poll, divisorSlot + offset);
    // Agents say with a negative number that there is none.
    scaled = divisor > 0 ? scaled / divisor : Number.NaN;
  }
  if (unitSlot === undefined) return scaled;
  const slot = unitSlot + offset;
  const word = holdsOctets(poll.status[slot]) ? poll.texts[slot]?.trim() : integerAt(poll, slot);
  if (word === undefined || Number.isNaN(word)) return Number.NaN;
  const unit = findUnit(word);
  if (unit === 'celsius') return scaled;
  if (unit === 'fahrenheit') return (scaled - 32) / 1.8;
  if (unit === 'kelvin') return scaled - 273.15;
  return unit === undefined ? Number.NaN : scaled * unit;
}

/** By EntitySensorDataScale (RFC 3433): yocto, zepto, atto, femto, pico, nano, micro, milli, units, kilo … yotta. */
const exponents = [-24, -21, -18, -15, -12, -9, -6, -3, 0, 3, 6, 9, 12, 15, 18, 21, 24];

function exponentOf(prefix: number): number {
  return exponents[prefix - 1] ?? Number.NaN;
}

/** RFC 3433: 1 to 9 are decimal places; −8 to −1 are the number of accurate digits. */
function placesOf(precision: number): number {
  return precision >= -maxPlaces && precision <= maxPlaces ? Math.max(precision, 0) : Number.NaN;
}

/** More than the 9 of the RFC, for tables of other MIBs. A double has no more digits. */
const maxPlaces = 17;

function integerAt({ words, status }: Pick<PollColumns, 'words' | 'status'>, slot: number): number {
  const low = words[2 * slot]!;
  switch (status[slot]) {
    case rawTag.integer:
      return low | 0;
    case rawTag.gauge32:
    case rawTag.uInteger32:
      return low;
    default:
      return Number.NaN;
  }
}
