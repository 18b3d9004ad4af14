/** What lists of devices are sorted by. */
const deviceSortKeys = ['name', 'address', 'state', 'since', 'vendor'] as const;
export type DeviceSortKey = (typeof deviceSortKeys)[number];
/** A minus means the reverse order. */
export type DeviceSort = DeviceSortKey | `-${DeviceSortKey}`;
export const deviceSorts: readonly DeviceSort[] = deviceSortKeys.flatMap((key) => [key, `-${key}` as const]);
