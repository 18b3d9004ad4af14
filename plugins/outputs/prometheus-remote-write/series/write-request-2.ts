import type { Family, Label, TrackedBatch } from '../../../../src/output-kit/index.ts';
import { encodeText } from '../wire/label-bytes.ts';
import { SnappyWriter } from '../wire/snappy-writer.ts';
import { varint, varintLength } from '../wire/varint.ts';
import { metricTypes, type RequestWriter, staleWords } from './request-writer.ts';

/** A copy costs three bytes, and the literal that it interrupts costs as much again. */
const minCopy = 12;

/**
 * `io.prometheus.write.v2.Request` of remote write 2.0: a table with every text once, and with each series its type, help and unit. A
 * counter also has its start time, where that is known.
 */
export class WriteRequest2 implements RequestWriter {
  readonly #symbols = new SnappyWriter();
  readonly #series = new SnappyWriter();
  readonly #references = new Map<string, number>();
  #names: Buffer[] = [];
  #metadata: Buffer[] = [];
  #isCounter: boolean[] = [];
  #row: Buffer = Buffer.alloc(0);
  #rowPosition = -1;
  /** The time, and for counters the time and the start time, with their tags. */
  #time: Buffer = Buffer.alloc(0);
  #timeAndStart: Buffer = Buffer.alloc(0);

  constructor() {
    this.#symbolIndex('');
  }

  beginBatch({ slotMs, startedMs }: TrackedBatch, families: readonly Family[]): void {
    this.#names = families.map((family) => this.#encodeName(family));
    this.#metadata = families.map((family) => this.#encodeMetadata(family));
    this.#isCounter = families.map(({ kind }) => kind === 'counter');
    this.#time = Buffer.from([0x10, ...varint(slotMs)]);
    const hasStart = startedMs !== undefined && startedMs > 0 && startedMs <= slotMs;
    const start = hasStart ? [0x18, ...varint(Math.round(startedMs))] : [];
    this.#timeAndStart = Buffer.from([...this.#time, ...start]);
  }

  beginRow(labels: readonly Label[]): void {
    this.#row = this.#encodeReferences(labels);
    this.#rowPosition = -1;
  }

  sample(column: number, value: number): void {
    const time = this.#isCounter[column] ? this.#timeAndStart : this.#time;
    this.#writeSeries(this.#names[column]!, this.#metadata[column]!, time, value);
  }

  textSample(family: Family, labels: readonly Label[], value: number): void {
    this.#row = this.#encodeReferences(labels);
    this.#rowPosition = -1;
    this.#writeSeries(this.#encodeName(family), this.#encodeMetadata(family), this.#time, value);
  }

  finish() {
    const plainBytes = this.#symbols.position + this.#series.position;
    return { body: SnappyWriter.finish(this.#symbols, this.#series), plainBytes };
  }

  /** `timeseries = 5`: `labels_refs = 1`, `samples = 2`, `metadata = 5`. */
  #writeSeries(name: Buffer, metadata: Buffer, time: Buffer, value: number): void {
    const out = this.#series;
    const row = this.#row;
    const labelLength = name.length + row.length;
    const sampleLength = 9 + time.length;
    out.byte(0x2a);
    out.varint(
      1 +
        varintLength(labelLength) +
        labelLength +
        1 +
        varintLength(sampleLength) +
        sampleLength +
        metadata.length,
    );
    out.byte(0x0a);
    out.varint(labelLength);
    out.bytes(name);
    const rowPosition = this.#rowPosition;
    this.#rowPosition = out.position;
    if (rowPosition === -1 || row.length < minCopy) out.bytes(row);
    else out.copy(rowPosition, row.length);
    out.byte(0x12);
    out.varint(sampleLength);
    out.byte(0x09);
    if (Number.isNaN(value)) out.words(staleWords.low, staleWords.high);
    else out.double(value);
    out.bytes(time);
    out.bytes(metadata);
  }

  #encodeName(family: Family): Buffer {
    return this.#encodeReferences([['__name__', family.sampleName]]);
  }

  #encodeReferences(labels: readonly Label[]): Buffer {
    const bytes: number[] = [];
    for (const label of labels) {
      for (const text of label) {
        const reference = this.#symbolIndex(text);
        if (reference < 0x80) bytes.push(reference);
        else bytes.push(...varint(reference));
      }
    }
    return Buffer.from(bytes);
  }

  /** `type = 1`, `help_ref = 3`, `unit_ref = 4`, with tag and length. */
  #encodeMetadata({ kind, help, unit }: Family): Buffer {
    const references = [0x18, ...varint(this.#symbolIndex(help)), 0x20, ...varint(this.#symbolIndex(unit))];
    const fields = [0x08, metricTypes[kind], ...references];
    return Buffer.from([0x2a, fields.length, ...fields]);
  }

  /** The index of a text in `symbols = 4`. */
  #symbolIndex(text: string): number {
    let reference = this.#references.get(text);
    if (reference === undefined) {
      reference = this.#references.size;
      this.#references.set(text, reference);
      this.#symbols.bytes(encodeText(4, text));
    }
    return reference;
  }
}
