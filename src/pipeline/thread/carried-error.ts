/** An error on its way to another thread: what people and programs look at; its class and stack stay behind. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
  readonly cause: CarriedError | undefined;
  readonly errors: readonly CarriedError[] | undefined;
}

/** Nobody reads further; a chain of causes may lead back to itself. */
const maxDepth = 8;

export function carryError(error: unknown, depth = 0): CarriedError {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), code: undefined, cause: undefined, errors: undefined };
  const { name, message, cause } = error;
  const { code } = error as { readonly code?: unknown };
  const carry = (each: unknown) => carryError(each, depth + 1);
  const isDeep = depth >= maxDepth;
  return {
    name,
    message,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    cause: cause === undefined || isDeep ? undefined : carry(cause),
    errors: error instanceof AggregateError && !isDeep ? error.errors.map(carry) : undefined,
  };
}

/** An error that is known by its name and code, as all are that come from another copy of a package. */
export function reviveError({ name, message, code, cause, errors }: CarriedError): Error {
  const options = cause === undefined ? undefined : { cause: reviveError(cause) };
  const error =
    errors === undefined
      ? new Error(message, options)
      : new AggregateError(errors.map(reviveError), message, options);
  return Object.assign(error, { name }, code === undefined ? {} : { code });
}
