import { BerReader } from '../../snmp/codec/ber-reader.ts';
import { berTag } from '../../snmp/codec/ber-tag.ts';
import { BerWriter } from '../../snmp/codec/ber-writer.ts';
import { decodeOid, encodeOid } from '../../snmp/codec/oid-bytes.ts';
import type { VarbindList } from './protocol/varbind-list.ts';
import type { Recording } from './recording/recording.ts';
import { type ReplayValue, writeVarbind } from './recording/recording-builder.ts';
import type { Moment, ReplayKnobs, ValueFunction } from './replay-knobs.ts';

/** The time of a device when it receives a request. */
export interface DeviceTime {
  readonly nowMs: number;
  readonly elapsedMs: number;
  /** Whether the device was rebooted, so that no value continues from its recorded value. */
  readonly wasRebooted: boolean;
}

/** A recording with the effects of the knobs: absent rows, jumps, changing values. */
export class DeviceView {
  readonly recording: Recording;
  time: DeviceTime = { nowMs: 0, elapsedMs: 0, wasRebooted: false };
  readonly #jumps: ReadonlyMap<number, number>;
  readonly #rows: ReadonlyMap<number, (elapsedMs: number) => boolean>;
  readonly #values: ReadonlyMap<number, ValueFunction>;
  readonly #silent: readonly (readonly [first: number, end: number])[];
  /** Whether one of the values that were added since this was set to false leaves the request unanswered. */
  hangs = false;
  readonly #reader = new BerReader();
  readonly #writer = new BerWriter(256);

  constructor(recording: Recording, knobs: Pick<ReplayKnobs, 'jumps' | 'rows' | 'values' | 'silentUnder'>) {
    this.recording = recording;
    this.#jumps = new Map(
      knobs.jumps.map(({ after, to }) => [getPosition(recording, after), getPosition(recording, to)]),
    );
    this.#silent = knobs.silentUnder.map((oid) => recording.rangeUnder(getOctets(oid)));
    this.#rows = new Map(
      knobs.rows.flatMap(({ table, index, isPresent }) =>
        rowPositions(recording, getOctets(table), getOctets(`1.3.${index}`).subarray(1)).map(
          (position) => [position, isPresent] as const,
        ),
      ),
    );
    this.#values = new Map(
      knobs.values.flatMap(({ under, at }) => {
        const [first, end] = recording.rangeUnder(getOctets(under));
        return Array.from({ length: end - first }, (_, i) => [first + i, at] as const);
      }),
    );
  }

  /** The position of this OID. */
  find(bytes: Uint8Array, start: number, end: number): number | undefined {
    const position = this.recording.find(bytes, start, end);
    return position === undefined || this.#isAbsent(position) ? undefined : position;
  }

  /** The position that answers a GETNEXT of this OID; the size of the recording at its end. */
  after(bytes: Uint8Array, start: number, end: number): number {
    const position = this.recording.positionAfter(bytes, start, end);
    if (this.#jumps.size > 0) {
      const exact = this.recording.find(bytes, start, end);
      const target = exact === undefined ? undefined : this.#jumps.get(exact);
      if (target !== undefined) return target;
    }
    return this.#firstPresent(position);
  }

  /** The position that answers a GETNEXT of the OID at `position`. */
  following(position: number): number {
    const target = this.#jumps.get(position);
    if (target !== undefined) return target;
    const { recording } = this;
    const next = this.#firstPresent(position + 1);
    const isDuplicate =
      next < recording.size &&
      recording.entries.compare(
        recording.entries,
        recording.oidStartOf(position),
        recording.oidEndOf(position),
        recording.oidStartOf(next),
        recording.oidEndOf(next),
      ) === 0;
    return isDuplicate ? this.following(next) : next;
  }

  addTo(list: VarbindList, position: number): void {
    if (this.#silent.some(([first, end]) => position >= first && position < end)) this.hangs = true;
    const { recording } = this;
    const at = this.#values.get(position);
    if (at === undefined) {
      list.add(recording.entries, recording.startOf(position), recording.endOf(position));
      return;
    }
    const oid = recording.entries.subarray(recording.oidStartOf(position), recording.oidEndOf(position));
    const tag = this.tagOf(position);
    const value = at({ oid: decodeOid(oid) ?? '', ...this.time, start: this.#startOf(position, tag) });
    writeVarbind(this.#writer.reset(), oid, tag, fitToType(tag, value));
    list.add(this.#writer.view(), 0, this.#writer.size);
  }

  /** The tag of the recorded value. */
  tagOf(position: number): number {
    return this.recording.entries[this.recording.oidEndOf(position)]!;
  }

  #isAbsent(position: number): boolean {
    return this.#rows.get(position)?.(this.time.elapsedMs) === false;
  }

  #firstPresent(position: number): number {
    let next = position;
    if (this.#rows.size > 0) while (next < this.recording.size && this.#isAbsent(next)) next++;
    return next;
  }

  #startOf(position: number, tag: number): Moment['start'] {
    const { recording } = this;
    const reader = this.#reader.open(
      recording.entries,
      recording.oidEndOf(position),
      recording.endOf(position),
    );
    reader.readHeader();
    switch (tag) {
      case berTag.integer:
        return this.time.wasRebooted ? 0 : reader.readSignedContent();
      case berTag.counter32:
      case berTag.gauge32:
      case berTag.timeTicks:
      case berTag.uInteger32:
        return this.time.wasRebooted ? 0 : reader.readUnsigned32Content();
      case berTag.counter64:
        return this.time.wasRebooted ? 0n : reader.readUnsigned64Content();
      default:
        return reader.readOctetsContent();
    }
  }
}

function getOctets(oid: string): Buffer {
  const octets = encodeOid(oid);
  if (octets === undefined) throw new RangeError(`"${oid}" is not an OID; write it in decimal.`);
  return octets;
}

function getPosition(recording: Recording, oid: string): number {
  const position = recording.find(getOctets(oid));
  if (position === undefined) throw new RangeError(`${oid} is not in the recording ${recording.name}.`);
  return position;
}

function fitToType(tag: number, value: number | bigint | string | Uint8Array): ReplayValue {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'object') return value;
  const whole = typeof value === 'bigint' ? value : BigInt(Math.floor(value));
  switch (tag) {
    case berTag.counter64:
      return BigInt.asUintN(64, whole);
    case berTag.counter32:
    case berTag.timeTicks:
      return Number(BigInt.asUintN(32, whole));
    case berTag.integer:
      return Math.min(Math.max(Number(whole), -(2 ** 31)), 2 ** 31 - 1);
    default:
      return Math.min(Math.max(Number(whole), 0), 2 ** 32 - 1);
  }
}

/** The positions of one row: the varbinds of `index` (octets of its arcs) in every column below `table`. */
function rowPositions(recording: Recording, table: Buffer, index: Buffer): number[] {
  const positions: number[] = [];
  const [first, end] = recording.rangeUnder(table);
  for (let position = first; position < end; ) {
    const column = columnAt(recording, position, table.length);
    const [cellStart, cellEnd] = recording.rangeUnder(Buffer.concat([column, index]));
    for (let cell = cellStart; cell < cellEnd; cell++) positions.push(cell);
    position = Math.max(position + 1, recording.rangeUnder(column)[1]);
  }
  return positions;
}

/** The OID of the table and the arc after it. */
function columnAt(recording: Recording, position: number, tableLength: number): Buffer {
  const start = recording.oidStartOf(position);
  const oidEnd = recording.oidEndOf(position);
  let end = start + tableLength;
  while (end < oidEnd && recording.entries[end]! > 0x7f) end++;
  return recording.entries.subarray(start, Math.min(end + 1, oidEnd));
}
