import type { Family, Label, TrackedBatch } from '../../../../src/output-kit/index.ts';
import { encodeLabel, encodeLabels } from '../wire/label-bytes.ts';
import { SnappyWriter } from '../wire/snappy-writer.ts';
import { varint } from '../wire/varint.ts';
import { type RequestWriter, staleWords } from './request-writer.ts';

/** Encoded lists of labels, and encoded names of families. Shared by all requests, because both stay the same. */
export type LabelBytes = WeakMap<readonly Label[] | Family, Buffer>;

/**
 * `prometheus.WriteRequest` of remote write 1.0: one series per sample, with all its labels. In a batch the labels of a row and the name of
 * a column repeat, so that all but the first are copies in the Snappy block.
 */
export class WriteRequest1 implements RequestWriter {
  readonly #out = new SnappyWriter();
  readonly #labelBytes: LabelBytes;
  #names: Buffer[] = [];
  #namePositions: number[] = [];
  #row: Buffer = Buffer.alloc(0);
  #rowPosition = -1;
  /** The bytes before the value of a sample, and the time with its tag after it. */
  #sampleHead: Buffer = Buffer.alloc(0);
  #time: Buffer = Buffer.alloc(0);

  constructor(labelBytes: LabelBytes) {
    this.#labelBytes = labelBytes;
  }

  beginBatch({ slotMs }: TrackedBatch, families: readonly Family[]): void {
    this.#names = families.map((family) => this.#encodeName(family));
    this.#namePositions = families.map(() => -1);
    this.#time = Buffer.from([0x10, ...varint(slotMs)]);
    this.#sampleHead = Buffer.from([0x12, ...varint(9 + this.#time.length), 0x09]);
  }

  beginRow(labels: readonly Label[]): void {
    this.#row = this.#encodeLabels(labels);
    this.#rowPosition = -1;
  }

  sample(column: number, value: number): void {
    const out = this.#out;
    const name = this.#names[column]!;
    this.#beginSeries(name.length + this.#row.length);
    const namePosition = this.#namePositions[column]!;
    this.#namePositions[column] = out.position;
    if (namePosition === -1) out.bytes(name);
    else out.copy(namePosition, name.length);
    const rowPosition = this.#rowPosition;
    this.#rowPosition = out.position;
    if (rowPosition === -1) out.bytes(this.#row);
    else out.copy(rowPosition, this.#row.length);
    this.#writeSample(value);
  }

  textSample(family: Family, labels: readonly Label[], value: number): void {
    const name = this.#encodeName(family);
    const bytes = this.#encodeLabels(labels);
    this.#beginSeries(name.length + bytes.length);
    this.#out.bytes(name);
    this.#out.bytes(bytes);
    this.#writeSample(value);
  }

  finish() {
    return { body: SnappyWriter.finish(this.#out), plainBytes: this.#out.position };
  }

  /** Begins `timeseries = 1`, up to its labels. */
  #beginSeries(labelLength: number): void {
    this.#out.byte(0x0a);
    this.#out.varint(labelLength + this.#sampleHead.length + 8 + this.#time.length);
  }

  /** Writes `samples = 2`: a double and the time. */
  #writeSample(value: number): void {
    const out = this.#out;
    out.bytes(this.#sampleHead);
    if (Number.isNaN(value)) out.words(staleWords.low, staleWords.high);
    else out.double(value);
    out.bytes(this.#time);
  }

  #encodeName(family: Family): Buffer {
    return this.#remember(family, () => encodeLabel('__name__', family.sampleName));
  }

  #encodeLabels(labels: readonly Label[]): Buffer {
    return this.#remember(labels, () => encodeLabels(labels));
  }

  #remember(key: readonly Label[] | Family, encode: () => Buffer): Buffer {
    let bytes = this.#labelBytes.get(key);
    if (bytes === undefined) {
      bytes = encode();
      this.#labelBytes.set(key, bytes);
    }
    return bytes;
  }
}
