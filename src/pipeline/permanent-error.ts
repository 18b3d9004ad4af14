import type { Batch } from '../model/batch.ts';

/**
 * Thrown by a writer for what will never pass: the batches are dropped and counted instead of tried again. Known by its
 * name, so that the one of another copy of this package counts too.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  /** The batches that will never pass, when the others of the group have passed; undefined for the whole group. */
  readonly refused: readonly Batch[] | undefined;

  constructor(message?: string, options?: ErrorOptions & { readonly refused?: readonly Batch[] }) {
    super(message, options);
    this.refused = options?.refused;
  }
}

/** The batches of `group` that the error refuses for good; undefined for an error that may pass. */
export function findRefused(error: unknown, group: readonly Batch[]): readonly Batch[] | undefined {
  if (!(error instanceof Error) || error.name !== 'PermanentError') return undefined;
  const { refused } = error as { readonly refused?: unknown };
  return Array.isArray(refused) ? group.filter((batch) => refused.includes(batch)) : group;
}
