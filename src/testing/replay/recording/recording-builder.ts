import { BerWriter } from '../../../snmp/codec/ber-writer.ts';
import { compareOidBytes } from '../../../snmp/codec/oid-bytes.ts';
import { Recording } from './recording.ts';
import { type ReplayValue, writeVarbind } from './varbind-writer.ts';

/** Collects varbinds in the order of a file, one growing buffer for all of them, and sorts them only when it must. */
export class RecordingBuilder {
  #entries: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  #used = 0;
  #starts = new Uint32Array(1 << 12);
  #count = 0;
  #isSorted = true;
  #lastOid: Buffer = Buffer.alloc(0);
  readonly #writer = new BerWriter(1 << 12);

  /** Adds a varbind by the content of its OID, the tag of its value and the value: a number or the content octets. */
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
