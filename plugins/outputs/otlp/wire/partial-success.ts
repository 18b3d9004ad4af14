import type { Answer } from '../../http/service.ts';

export interface PartialSuccess {
  readonly rejectedPoints: number;
  readonly reason: string;
}

/** What an answer says of points that were not taken; undefined when all were. What cannot be read says nothing. */
export function readPartialSuccess({ headers, body }: Answer): PartialSuccess | undefined {
  try {
    const isJson = headers['content-type']?.startsWith('application/json') === true;
    const said = isJson ? readJson(body) : readProtobuf(body);
    return said.rejectedPoints > 0 || said.reason !== '' ? said : undefined;
  } catch {
    return undefined;
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
