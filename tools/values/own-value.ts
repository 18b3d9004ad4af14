import type { RawAttribute } from '../../src/definitions/schema/raw-definitions.ts';

/** What one of our values is in the unit of the other system; 1 where both are equal. */
export const unitsOfTheirs: Readonly<Record<string, number>> = {
  runtime: 1 / 60_000,
  delay: 1 / 1000,
  pressure: 1 / 1000,
  power_consumed: 1 / 3_600_000,
  airflow: 2118.88,
  'wireless frequency': 1 / 1_000_000,
  'wireless distance': 1 / 1000,
};

/** Our value, with what explains a difference. */
export interface OwnValue {
  /** In its unit, the number of a state, or why there is none. */
  readonly value: number | 'absent' | 'not read' | 'not recorded';
  /** As the device sends it. */
  readonly raw: number;
  /** As the syntax reads it, before the columns of the row scale it. */
  readonly plain: number;
  readonly attribute: RawAttribute;
  readonly unit: string | undefined;
  /** Of a tray of paper. */
  readonly capacity: number | undefined;
  /** Whether columns of the row scale it or say its unit. */
  readonly isScaledByRow: boolean;
}

/** The same quantity as the other system may show it; none without a value. */
export function shownInTheirUnit(
  { value, unit, attribute, capacity }: OwnValue,
  kind: string,
): readonly number[] {
  if (typeof value !== 'number') return [];
  const own = value * (unitsOfTheirs[kind] ?? 1);
  const { class: kindOf } = attribute.sensor ?? {};
  if (capacity !== undefined) return [own, (100 * own) / capacity];
  if (kind === 'dbm' && unit === 'W') return [own, 10 * Math.log10(value * 1000)];
  if (kind === 'power' && unit === 'dBm') return [10 ** (value / 10) / 1000];
  if (kindOf === 'power_factor' || (unit === '1' && kind === 'percent')) return [own, 100 * own];
  return [own];
}

/** Equal within the rounding of the other one. */
export function isClose(own: number, value: number): boolean {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  return Math.abs(own - value) <= Math.max(0.500001 * 10 ** -decimals, 0.001 * Math.abs(value));
}
