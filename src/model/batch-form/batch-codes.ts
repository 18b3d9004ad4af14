/** The first byte of every batch. A reader knows its own version and all before it. */
export const formVersion = 1;

/** By their place in the list: append, never reorder. */
export const columnKinds = ['number', 'counter', 'boolean', 'text', 'list'] as const;
export const metrics = ['counter', 'gauge'] as const;
