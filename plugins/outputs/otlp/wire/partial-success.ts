import { type Logger, PermanentError } from '../../../../src/index.ts';
import type { PostAnswer } from '../../../../src/output-kit/index.ts';

interface PartialSuccess {
  readonly rejectedPoints: number;
  readonly reason: string;
}

/**
 * Throws a PermanentError for points of a request that were not taken: they must not be sent again, and only their number is known.
 * A warning about points that were is logged. An answer that cannot be read says nothing.
 */
export function checkPartialSuccess(
  answer: PostAnswer,
  points: number,
  { quote, log }: { readonly quote: (text: string) => string; readonly log: Logger },
): void {
  const said = readPartialSuccess(answer);
  const reason = quote(said.reason);
  if (said.rejectedPoints > 0) {
    const rejected = Math.min(Math.floor(said.rejectedPoints), points);
    const message = `The receiver rejected ${rejected} of ${points} points: ${reason}`;
    throw new PermanentError(message, rejected < points ? { refused: [], refusedValues: rejected } : {});
  }
  if (said.reason !== '') log.warn({ reason }, 'The receiver took every point, and has a warning.');
}

function readPartialSuccess({ headers, body }: PostAnswer): PartialSuccess {
  try {
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    return isJson ? readJson(body) : readProtobuf(body);
  } catch {
    return { rejectedPoints: 0, reason: '' };
  }
}

function readJson(body: Buffer): PartialSuccess {
  const { partialSuccess: said } = JSON.parse(body.toString() || '{}') as {
    readonly partialSuccess?: { readonly rejectedDataPoints?: unknown; readonly errorMessage?: unknown };
  };
  return {
    rejectedPoints: Number(said?.rejectedDataPoints ?? 0),
    reason: String(said?.errorMessage ?? ''),
  };
}

/** `partial_success = 1`, in it `rejected_data_points = 1` and `error_message = 2`; other fields are passed over. */
function readProtobuf(body: Buffer): PartialSuccess {
  let [rejectedPoints, reason] = [0, ''];
  for (const [field, value] of fieldsOf(body)) {
    if (field !== 1 || typeof value === 'number') continue;
    for (const [inner, said] of fieldsOf(value)) {
      if (inner === 1 && typeof said === 'number') rejectedPoints = said;
      if (inner === 2 && typeof said !== 'number') reason = said.toString();
    }
  }
  return { rejectedPoints, reason };
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
