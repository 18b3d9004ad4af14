import { Secret } from '../../kernel/secrets.ts';
import type { EventMap, EventName } from '../../model/event-map.ts';

/** What a thread is started with. */
export interface ThreadData {
  /** The module whose default export is the output plugin. */
  readonly module: string;
  readonly name: string;
  /** The options, packed by `packOptions`. */
  readonly options: unknown;
  readonly collector: {
    readonly instance: string;
    readonly version: string;
    readonly directory: string;
    readonly stateDirectory: string;
    readonly secretsDirectory: string | undefined;
  };
  readonly logLevel: string;
}

/** What the collector sends to the thread of an output. `queued` is the number of waiting batches, including those being delivered. */
export type ToThread =
  | {
      readonly kind: 'write';
      readonly id: number;
      /** In their binary form, each in its own memory. Undefined for the same group as in the `write` before. */
      readonly batches: readonly Uint8Array[] | undefined;
      readonly queued: number;
    }
  | { readonly kind: 'abort'; readonly id: number; readonly why: PackedError }
  | {
      readonly kind: 'event';
      readonly event: EventName;
      readonly payload: EventMap[EventName];
      readonly queued: number;
    }
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' };

/** What the thread sends to the collector. */
export type FromThread =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused-to-open'; readonly error: PackedError }
  | { readonly kind: 'written'; readonly id: number }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly error: PackedError;
      /** For a PermanentError: the indexes of its batches in the group, and how many values of the others were refused. */
      readonly refused: readonly number[] | undefined;
      readonly refusedValues: number | undefined;
      readonly fenced: readonly number[] | undefined;
    }
  | { readonly kind: 'listen'; readonly event: EventName }
  | { readonly kind: 'emit'; readonly event: EventName; readonly payload: EventMap[EventName] }
  | {
      readonly kind: 'log';
      readonly level: number;
      readonly text: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly errors: Readonly<Record<string, PackedError>>;
    }
  | { readonly kind: 'closed'; readonly error: PackedError | undefined };

/** An error in a form that can be sent: what people and programs look at, without its class and stack. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
  readonly cause: PackedError | undefined;
  readonly errors: readonly PackedError[] | undefined;
}

/** Deeper causes are cut off: a chain of causes may lead back to itself. */
const maxDepth = 8;

export function packError(error: unknown, depth = 0): PackedError {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), code: undefined, cause: undefined, errors: undefined };
  const { name, message, cause } = error;
  const { code } = error as { readonly code?: unknown };
  const pack = (each: unknown) => packError(each, depth + 1);
  const isDeep = depth >= maxDepth;
  return {
    name,
    message,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    cause: cause === undefined || isDeep ? undefined : pack(cause),
    errors: error instanceof AggregateError && !isDeep ? error.errors.map(pack) : undefined,
  };
}

/** Makes an error with the same name and code, by which errors from another copy of this package are recognised too. */
export function unpackError({ name, message, code, cause, errors }: PackedError): Error {
  const options = cause === undefined ? undefined : { cause: unpackError(cause) };
  const error =
    errors === undefined
      ? new Error(message, options)
      : new AggregateError(errors.map(unpackError), message, options);
  return Object.assign(error, { name }, code === undefined ? {} : { code });
}

const secretKey = '\u0000secret';

/** Options in a form that can be sent to another thread of this process: secrets as their values. */
export function packOptions(options: unknown): unknown {
  return mapTree(options, (value) =>
    value instanceof Secret ? { [secretKey]: value.reveal(), file: value.file } : undefined,
  );
}

/** The options again, frozen, with their secrets. */
export function unpackOptions(packed: unknown): unknown {
  return mapTree(packed, (value) => {
    const { [secretKey]: secret, file } = value as Readonly<Record<string, string | undefined>>;
    return typeof secret === 'string' ? new Secret(secret, file) : undefined;
  });
}

/** Copies a tree. Where `replace` returns an object, that is in the copy. */
function mapTree(value: unknown, replace: (value: object) => object | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return Object.freeze(value.map((each) => mapTree(each, replace)));
  const entries = Object.entries(value).map(([key, each]) => [key, mapTree(each, replace)] as const);
  return Object.freeze(Object.fromEntries(entries));
}
