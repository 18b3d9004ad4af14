/** The first byte of a batch is its version. A reader knows this version and all before it. */
export const formVersion = 5;
/** Batches without what a later version added keep these versions, so that older readers still read them. */
export const olderVersions = { plain: 1, withStart: 2, withFacts: 3, withOwner: 4 } as const;

/** By their place in the list: append, never reorder. */
export const columnKinds = ['number', 'counter', 'boolean', 'text', 'list'] as const;
export const metrics = ['counter', 'gauge'] as const;

/** By version: how many numbers the head has. 0 stands for a start time or an interval that is not known. The shard is counted from 1. The kind is 1 for an event. */
export const factCounts: Readonly<Record<number, number>> = { 1: 5, 2: 6, 3: 7, 4: 9, 5: 10 };
