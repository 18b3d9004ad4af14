/** The first byte of a batch is its version. A reader knows this version and all before it. */
export const formVersion = 2;
/** Batches that do not say when their agent started keep this version, so that older readers still read them. */
export const versionWithoutStart = 1;

/** By their place in the list: append, never reorder. */
export const columnKinds = ['number', 'counter', 'boolean', 'text', 'list'] as const;
export const metrics = ['counter', 'gauge'] as const;
