import type { Family } from '../../../../src/output-kit/index.ts';
import { encodeText } from '../wire/label-bytes.ts';
import { SnappyWriter } from '../wire/snappy-writer.ts';
import { varint } from '../wire/varint.ts';
import { metricTypes } from './request-writer.ts';

/** `prometheus.WriteRequest` of remote write 1.0 with `metadata = 3` alone: type, name, help and unit of each family. */
export function encodeMetadata(families: readonly Family[]): Buffer {
  const out = new SnappyWriter();
  for (const { kind, sampleName, help, unit } of families) {
    const fields = [
      Buffer.from([0x08, metricTypes[kind]]),
      encodeText(2, sampleName),
      encodeText(4, help),
      unit === '' ? Buffer.alloc(0) : encodeText(5, unit),
    ];
    const length = fields.reduce((sum, field) => sum + field.length, 0);
    out.bytes(Buffer.from([0x1a, ...varint(length)]));
    for (const field of fields) if (field.length > 0) out.bytes(field);
  }
  return SnappyWriter.finish(out);
}
