import type { Batch } from '../model/batch.ts';

/**
 * Thrown by a writer for batches that will never be accepted: they are dropped and counted, and not tried again. It is recognised by its
 * name, so that the class of another copy of this package counts too.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  /** The refused batches, when all others of the group were accepted. Undefined for the whole group. */
  readonly refused: readonly Batch[] | undefined;
  /** How many values of the other batches were refused, where only their number is known. */
  readonly refusedValues: number;
  /** Batches of a former owner of their devices, which are dropped although nothing is wrong with them. */
  readonly fenced: readonly Batch[];

  constructor(
    message?: string,
    options?: ErrorOptions & {
      readonly refused?: readonly Batch[];
      readonly refusedValues?: number;
      readonly fenced?: readonly Batch[];
    },
  ) {
    super(message, options);
    this.refused = options?.refused;
    this.refusedValues = options?.refusedValues ?? 0;
    this.fenced = options?.fenced ?? [];
  }
}

export interface Refused {
  readonly batches: readonly Batch[];
  readonly values: number;
  readonly fenced: readonly Batch[];
}

/** The part of `group` that the error refuses for good. Undefined for an error after which a retry may succeed. */
export function findRefused(error: unknown, group: readonly Batch[]): Refused | undefined {
  if (!(error instanceof Error) || error.name !== 'PermanentError') return undefined;
  const { refused, refusedValues, fenced } = error as {
    readonly refused?: unknown;
    readonly refusedValues?: unknown;
    readonly fenced?: unknown;
  };
  const of = (part: readonly unknown[]) => group.filter((batch) => part.includes(batch));
  return {
    batches: Array.isArray(refused) ? of(refused) : group,
    values: typeof refusedValues === 'number' ? refusedValues : 0,
    fenced: Array.isArray(fenced) ? of(fenced) : [],
  };
}
