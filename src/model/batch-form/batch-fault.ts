/** Bytes that are no batch, or a batch beyond the limits of the form. The message says what is wrong, never the bytes. */
export class BatchFault extends Error {
  override readonly name = 'BatchFault';
}

/** What a batch may have at most, written or read. Nothing is allocated for what only claims to be larger. */
export const batchLimits = { rows: 1 << 20, cells: 1 << 23, textBytes: 1 << 26 } as const;
