/** Thrown for bytes that are not a batch, and for a batch beyond the limits of the form. The message never contains the bytes. */
export class BatchFault extends Error {
  override readonly name = 'BatchFault';
}

/** The limits of a batch that is written or read. A length beyond them is refused before memory is allocated. */
export const batchLimits = { rows: 1 << 20, cells: 1 << 23, textBytes: 1 << 26 } as const;
