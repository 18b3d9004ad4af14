import { type RawColumn, rawTag } from '../../../src/definitions/index.ts';
import { encodeOid, type SnmpType } from '../../../src/snmp/index.ts';
import type { ReceivedVarbind } from '../receiving/wire-form.ts';

const tags: Partial<Record<SnmpType, number>> = {
  Integer32: rawTag.integer,
  OctetString: rawTag.octetString,
  ObjectIdentifier: rawTag.objectIdentifier,
  IpAddress: rawTag.ipAddress,
  Counter32: rawTag.counter32,
  Gauge32: rawTag.gauge32,
  TimeTicks: rawTag.timeTicks,
  Opaque: rawTag.opaque,
  NsapAddress: rawTag.nsapAddress,
  Counter64: rawTag.counter64,
  UInteger32: rawTag.uInteger32,
  OpaqueCounter64: rawTag.opaqueCounter64,
  OpaqueInt64: rawTag.int64,
  OpaqueUInt64: rawTag.uInt64,
};

/** Holds one value at a time in the form of a polled column of one row, so that the decoders of polls read it. */
export class RawValue {
  readonly #words = new Uint32Array(2);
  readonly #view = new DataView(this.#words.buffer);
  readonly #tags = new Uint8Array(1);

  /** What it returns is valid until the next call. Undefined for a varbind without a value. */
  hold({ type, value }: ReceivedVarbind): RawColumn | undefined {
    if (value === null) return undefined;
    if (type === 'OpaqueFloat') {
      this.#view.setFloat32(0, value as number, true);
      return this.#column(rawTag.float);
    }
    if (type === 'OpaqueDouble') {
      this.#view.setFloat64(0, value as number, true);
      return this.#column(rawTag.double);
    }
    const tag = tags[type];
    if (tag === undefined) return undefined;
    const words = this.#words;
    words.fill(0);
    let octets: RawColumn['octets'][number];
    if (typeof value === 'number') {
      words[0] = value;
      words[1] = value < 0 ? 0xffff_ffff : Math.floor(value / 0x1_0000_0000);
    } else if (typeof value === 'bigint') {
      words[0] = Number(BigInt.asUintN(32, value));
      words[1] = Number(BigInt.asUintN(32, value >> 32n));
    } else if (type === 'ObjectIdentifier') octets = encodeOid(value);
    else if (type === 'IpAddress') octets = Uint8Array.from(value.split('.'), Number);
    else octets = value;
    return this.#column(tag, octets);
  }

  #column(tag: number, octets?: RawColumn['octets'][number]): RawColumn {
    this.#tags[0] = tag;
    return { count: 1, words: this.#words, tags: this.#tags, octets: [octets] };
  }
}
