import type { CompiledObject } from '../compiler/compiled-definitions.ts';
import { type IntervalSettings, pollIntervalOf } from '../generation/poll-interval.ts';

/** What polling the objects that `auto` found may cost. */
export interface PollBudget {
  readonly maxValuesPerMinute: number;
  readonly maxPacketsPerMinute: number;
}

/** What snmp-discovery allows by default. */
export const defaultPollBudget: PollBudget = { maxValuesPerMinute: 200_000, maxPacketsPerMinute: 6_000 };

/** Values that fit into a reply of 1,400 octets. */
const valuesPerPacket = 50;
const minuteMs = 60_000;
const classes = ['scalar', 'small', 'large', 'huge'] as const satisfies readonly CompiledObject['cost'][];

/**
 * The objects that exceed what polling may cost. Cheap classes are kept first, and within a class objects with fewer values, so that as
 * many objects as possible are kept. What a device group names is always kept.
 */
export function findUnaffordable(
  objects: readonly CompiledObject[],
  rowsOf: (id: string) => number,
  named: ReadonlySet<string>,
  settings: IntervalSettings,
  everyMsByType: ReadonlyMap<string, number>,
  { maxValuesPerMinute, maxPacketsPerMinute }: PollBudget,
): string[] {
  const costs = objects.map((object) => {
    const { id, cost, type, attributes } = object;
    const perMinute = minuteMs / pollIntervalOf(type, settings, everyMsByType);
    const values = rowsOf(id) * attributes.size;
    const packets = Math.ceil(values / valuesPerPacket) * perMinute;
    return { id, rank: named.has(id) ? -1 : classes.indexOf(cost), values: values * perMinute, packets };
  });
  costs.sort((a, b) => a.rank - b.rank || a.values - b.values);
  let values = 0;
  let packets = 0;
  return costs.flatMap((cost) => {
    const fits = values + cost.values <= maxValuesPerMinute && packets + cost.packets <= maxPacketsPerMinute;
    if (!fits && cost.rank >= 0) return [cost.id];
    values += cost.values;
    packets += cost.packets;
    return [];
  });
}
