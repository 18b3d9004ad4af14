import type { Batch } from '../model/batch.ts';

/**
 * Thrown by a writer for what will never pass: the batches are dropped and counted instead of tried again. Known by its
 * name, so that the one of another copy of this package counts too.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  /** The batches that will never pass, when the others of the group have passed; undefined for the whole group. */
  readonly refused: readonly Batch[] | undefined;
  /** Values that were refused of the other batches, where nothing but their number is known. */
  readonly refusedValues: number;

  constructor(
    message?: string,
    options?: ErrorOptions & { readonly refused?: readonly Batch[]; readonly refusedValues?: number },
  ) {
    super(message, options);
    this.refused = options?.refused;
    this.refusedValues = options?.refusedValues ?? 0;
  }
}

export interface Refused {
  readonly batches: readonly Batch[];
  readonly values: number;
}

/** What of `group` the error refuses for good; undefined for an error that may pass. */
export function findRefused(error: unknown, group: readonly Batch[]): Refused | undefined {
  if (!(error instanceof Error) || error.name !== 'PermanentError') return undefined;
  const { refused, refusedValues } = error as {
    readonly refused?: unknown;
    readonly refusedValues?: unknown;
  };
  return {
    batches: Array.isArray(refused) ? group.filter((batch) => refused.includes(batch)) : group,
    values: typeof refusedValues === 'number' ? refusedValues : 0,
  };
}
