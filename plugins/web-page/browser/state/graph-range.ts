import { computed } from '@preact/signals';
import { place, select } from './place.ts';
import { formatRange, parseRange, type TimeRange } from './time-range.ts';

/** The time that all graphs show. It is part of the address, so that a link shows the same. */
export const graphRange = computed(() => parseRange(place.value.query['range']));

export function setGraphRange(range: TimeRange): void {
  select({ range: formatRange(range) });
}
