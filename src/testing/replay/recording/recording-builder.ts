import { berTag } from '../../../snmp/codec/ber-tag.ts';
import { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import { compareOidBytes } from '../../../snmp/codec/oid-bytes.ts';
import { Recording } from './recording.ts';

/** Receives the varbinds of a recording in the order of its lines: the content of the OID, the tag and the value. */
export interface VarbindSink {
  add(oid: Buffer, tag: number, value: ReplayValue): void;
}

/** Collects varbinds in the order of a file, in one growing buffer, and sorts them only when necessary. */
export class RecordingBuilder implements VarbindSink {
  #entries: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  #used = 0;
  #starts = new Uint32Array(1 << 12);
  #count = 0;
  #isSorted = true;
  #lastOid: Buffer = Buffer.alloc(0);
  readonly #writer = new BerWriter(1 << 12);

  /** Adds a varbind: the content of its OID, the tag of its value, and the value as a number or content octets. */
  add(oid: Buffer, tag: number, value: ReplayValue): void {
    const writer = this.#writer.reset();
    writeVarbind(writer, oid, tag, value);
    if (this.#isSorted && compareOidBytes(oid, 0, oid.length, this.#lastOid, 0, this.#lastOid.length) < 0) {
      this.#isSorted = false;
    }
    this.#lastOid = oid;
    this.#append(writer.view());
  }

  finish(name: string): Recording {
    this.#starts[this.#count] = this.#used;
    const recording = new Recording(
      name,
      trimmed(this.#entries, this.#used),
      this.#starts.slice(0, this.#count + 1),
    );
    return this.#isSorted ? recording : sorted(recording);
  }

  #append(entry: Buffer): void {
    if (this.#used + entry.length > this.#entries.length) {
      const entries = Buffer.allocUnsafeSlow(Math.max(this.#entries.length * 2, this.#used + entry.length));
      this.#entries.copy(entries, 0, 0, this.#used);
      this.#entries = entries;
    }
    if (this.#count + 1 >= this.#starts.length) {
      const starts = new Uint32Array(this.#starts.length * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[this.#count++] = this.#used;
    this.#entries.set(entry, this.#used);
    this.#used += entry.length;
  }
}

function sorted(recording: Recording): Recording {
  const { entries, size } = recording;
  const order = new Uint32Array(size).map((_, position) => position);
  order.sort(
    (a, b) =>
      compareOidBytes(
        entries,
        recording.oidStartOf(a),
        recording.oidEndOf(a),
        entries,
        recording.oidStartOf(b),
        recording.oidEndOf(b),
      ) || a - b,
  );
  const result = Buffer.allocUnsafeSlow(entries.length);
  const starts = new Uint32Array(size + 1);
  let used = 0;
  order.forEach((position, index) => {
    starts[index] = used;
    used += entries.copy(result, used, recording.startOf(position), recording.endOf(position));
  });
  starts[size] = used;
  return new Recording(recording.name, result, starts);
}

function trimmed(bytes: Buffer, length: number): Buffer {
  const result = Buffer.allocUnsafeSlow(length);
  bytes.copy(result, 0, 0, length);
  return result;
}

/** A value without its tag: a number of up to 64 bits, or the content octets of any other type. */
export type ReplayValue = number | bigint | Uint8Array;

/** Writes the whole varbind before the present content of the writer. */
export function writeVarbind(writer: BerWriter, oid: Uint8Array, tag: number, value: ReplayValue): void {
  const mark = writer.mark();
  if (typeof value === 'number') writer.integer(value, tag);
  else if (typeof value === 'bigint') writer.bigInteger(value, tag);
  else writer.octets(tag, value);
  writer.octets(berTag.objectIdentifier, oid);
  writer.header(berTag.sequence, mark);
}
