import { type Logger, PermanentError } from '../../../../src/index.ts';
import type { PostAnswer } from '../../../../src/output-kit/index.ts';

interface PartialSuccess {
  readonly rejected: number;
  readonly reason: string;
}

/**
 * Throws a PermanentError for points or log records of a request that were rejected: they must not be sent again, and only their number is known. Logs a
 * warning of the receiver about accepted ones. Ignores an answer that cannot be read.
 */
export function checkPartialSuccess(
  answer: PostAnswer,
  sent: number,
  {
    quote,
    log,
    what = 'points',
  }: { readonly quote: (text: string) => string; readonly log: Logger; readonly what?: string },
): void {
  const partial = readPartialSuccess(answer);
  const reason = quote(partial.reason);
  if (partial.rejected > 0) {
    const rejected = Math.min(Math.floor(partial.rejected), sent);
    const message = `The receiver rejected ${rejected} of ${sent} ${what}: ${reason}`;
    throw new PermanentError(message, rejected < sent ? { refused: [], refusedValues: rejected } : {});
  }
  if (partial.reason !== '') log.warn({ reason }, `The receiver accepted all ${what}, with a warning.`);
}

function readPartialSuccess({ headers, body }: PostAnswer): PartialSuccess {
  try {
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    return isJson ? readJson(body) : readProtobuf(body);
  } catch {
    return { rejected: 0, reason: '' };
  }
}

function readJson(body: Buffer): PartialSuccess {
  const { partialSuccess: partial } = JSON.parse(body.toString() || '{}') as {
    readonly partialSuccess?: {
      readonly rejectedDataPoints?: unknown;
      readonly rejectedLogRecords?: unknown;
      readonly errorMessage?: unknown;
    };
  };
  return {
    rejected: Number(partial?.rejectedDataPoints ?? partial?.rejectedLogRecords ?? 0),
    reason: String(partial?.errorMessage ?? ''),
  };
}

/** `partial_success = 1`, in it `rejected_data_points = 1` or `rejected_log_records = 1`, and `error_message = 2`; other fields are skipped. */
function readProtobuf(body: Buffer): PartialSuccess {
  let [rejected, reason] = [0, ''];
  for (const [field, value] of fieldsOf(body)) {
    if (field !== 1 || typeof value === 'number') continue;
    for (const [inner, partial] of fieldsOf(value)) {
      if (inner === 1 && typeof partial === 'number') rejected = partial;
      if (inner === 2 && typeof partial !== 'number') reason = partial.toString();
    }
  }
  return { rejected, reason };
}

function* fieldsOf(bytes: Buffer): Generator<readonly [field: number, value: number | Buffer]> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 0x80) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new Error('cut');
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) yield [tag >>> 3, varint()];
    else if ((tag & 7) === 2) {
      const length = varint();
      yield [tag >>> 3, bytes.subarray(at, at + length)];
      at += length;
    } else throw new Error('unknown');
  }
}
