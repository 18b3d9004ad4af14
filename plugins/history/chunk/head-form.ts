import {
  type ByteReader,
  ByteWriter,
  packSection,
  readTexts,
  unpackSection,
  writeTexts,
} from '../../../src/model/index.ts';
import type { BlockHead, ColumnHead, Shape } from './block.ts';
import { readNumberRows, writeNumberRows } from './number-rows.ts';

const metrics = [undefined, 'counter', 'gauge'] as const;
/** Added to the place of a metric. The number at which a counter wraps follows. */
const [hasWrap, marksReset] = [4, 8];
const section = new ByteWriter(65_536);

/** A shape as bytes: its texts are compressed together. */
export function packShape(shape: Shape): Buffer {
  section.clear();
  writeShape(section, shape);
  return packSection(section.view());
}

export function unpackShape(packed: Buffer): Shape {
  return readShape(unpackSection(packed));
}

/** The head of a block; `lengths` are those of its packed columns. */
export function packHead({ shape, times, started }: BlockHead, lengths: readonly number[]): Buffer {
  section.clear();
  writeShape(section, shape);
  section.varint(times.length);
  writeNumberRows(section, times, times.length);
  writeNumberRows(section, started, started.length);
  for (const length of lengths) section.varint(length);
  return packSection(section.view());
}

export function unpackHead(packed: Buffer): { readonly head: BlockHead; readonly lengths: number[] } {
  const from = unpackSection(packed);
  const shape = readShape(from);
  const count = from.count();
  const times = readNumberRows(from, 1, count);
  const started = readNumberRows(from, 1, count);
  return { head: { shape, times, started }, lengths: shape.columns.map(() => from.varint()) };
}

function writeShape(
  out: ByteWriter,
  { device, record, plan, intervalMs, keys, labels, columns }: Shape,
): void {
  const fields = Object.keys(labels);
  writeTexts(out, [device, record, plan, ...fields]);
  out.varint(intervalMs);
  writeTexts(out, keys);
  for (const field of fields)
    writeTexts(
      out,
      keys.map((_, row) => labels[field]![row]),
    );
  writeTexts(
    out,
    columns.flatMap(({ field, unit, names }) => [field, unit, names && JSON.stringify(names)]),
  );
  for (const { metric, wrapsAt, marksReset: marks } of columns) {
    out.byte(
      metrics.indexOf(metric) + (wrapsAt === undefined ? 0 : hasWrap) + (marks === true ? marksReset : 0),
    );
    if (wrapsAt !== undefined) out.take(8).writeDoubleLE(wrapsAt);
  }
}

function readShape(from: ByteReader): Shape {
  const [device = '', record = '', plan = '', ...fields] = readTexts(from);
  const intervalMs = from.varint();
  const keys = readTexts(from).map((key) => key ?? '');
  const labels = Object.fromEntries(fields.map((field) => [field, readTexts(from)]));
  const texts = readTexts(from);
  const columns = Array.from({ length: Math.floor(texts.length / 3) }, (_, i): ColumnHead => {
    const [field = '', unit, names] = texts.slice(3 * i, 3 * i + 3);
    const kind = from.byte();
    return {
      field,
      unit,
      names: names === undefined ? undefined : JSON.parse(names),
      metric: metrics[kind % hasWrap],
      wrapsAt: (kind & hasWrap) === 0 ? undefined : from.bytes(8).readDoubleLE(),
      marksReset: (kind & marksReset) !== 0,
    };
  });
  return { device, record, plan, intervalMs, keys, labels, columns };
}
