import { BerReader } from '../../../snmp/codec/ber-reader.ts';
import { berTag, opaqueTag } from '../../../snmp/codec/ber-tag.ts';

/** The octets of a `long` in net-snmp's agent: lengths and integers may have as many. */
const longOctets = 8;
const maxSubidentifier = 0xffffffff;
const maxSubidentifiers = 128;
const bitString = 0x03;

/**
 * Reads requests as net-snmp's agent does: strict where that is strict (OIDs, values, empty integers), lenient where it is
 * lenient (long lengths, integers that are too large, octets after a PDU). A test sends the same malformed requests to both.
 */
export class RequestReader extends BerReader {
  /** Where the content of the OID that was read last starts and ends. */
  oidStart = 0;
  oidEnd = 0;
  override readonly ignoresRest = true;

  override readHeader(): number {
    const { bytes, end } = this;
    let at = this.position;
    if (end - at < 2) return this.#refuseHeader();
    const tag = bytes[at++]!;
    let length = bytes[at++]!;
    if (length > 0x7f) {
      let octets = length & 0x7f;
      if (octets === 0 || octets > longOctets || octets > end - at) return this.#refuseHeader();
      for (length = 0; octets > 0; octets--) length = length * 256 + bytes[at++]!;
    }
    if (length > end - at) return this.#refuseHeader();
    this.position = at;
    this.length = length;
    return tag;
  }

  /** Cuts a number beyond 32 bits as net-snmp does: the low 32 bits of its magnitude. */
  override readSignedContent(): number {
    const { bytes, length } = this;
    if (length === 0) this.fail('integer');
    const value = super.readSignedContent();
    if (this.fault !== undefined || (value >= -(2 ** 31) && value < 2 ** 31)) return value;
    let low = 0;
    for (let at = this.position - 4; at < this.position; at++) low = (low << 8) | bytes[at]!;
    if (value > 0) return low >>> 0;
    const magnitude = -low >>> 0;
    return magnitude < 2 ** 31 ? -magnitude : magnitude | 0;
  }

  readName(): void {
    this.expectHeader(berTag.objectIdentifier);
    this.#readOid();
  }

  /** Reads a value, which must be one of its type, and returns its tag. */
  readValue(): number {
    const tag = this.readHeader();
    switch (tag) {
      case berTag.integer:
        this.#skipInteger(1, longOctets);
        break;
      case berTag.counter32:
      case berTag.gauge32:
      case berTag.timeTicks:
      case berTag.uInteger32:
        this.#skipInteger(1, longOctets + 1);
        break;
      case berTag.counter64:
        this.#skipInteger(0, longOctets + 1);
        break;
      case berTag.objectIdentifier:
        this.#readOid();
        break;
      case berTag.ipAddress:
        if (this.length !== 4) this.fail('value');
        this.#skip();
        break;
      case berTag.opaque:
        if (!this.#isOpaque()) this.fail('value');
        this.#skip();
        break;
      case berTag.octetString:
      case bitString:
      case berTag.null:
      case berTag.nsapAddress:
      case berTag.noSuchObject:
      case berTag.noSuchInstance:
      case berTag.endOfMibView:
        this.#skip();
        break;
      default:
        this.fail('tag');
    }
    return tag;
  }

  /**
   * Removes padding in the datagram itself, so that the octets have the order of their OIDs. An OID of no octets is 0.0: its
   * length, which is 0, serves as its content.
   */
  #readOid(): void {
    const { bytes, position, length } = this;
    this.#skip();
    const end = position + length;
    let to = position;
    let subidentifier = 0;
    // The first one counts twice: it contains two arcs.
    let count = 1;
    for (let at = position; at < end; at++) {
      const octet = bytes[at]!;
      if (octet === 0x80 && subidentifier === 0) continue;
      subidentifier = subidentifier * 128 + (octet & 0x7f);
      if (subidentifier > maxSubidentifier) return void this.fail('oid');
      bytes[to++] = octet;
      if (octet > 0x7f) continue;
      subidentifier = 0;
      if (++count > maxSubidentifiers) return void this.fail('oid');
    }
    if (length > 0 && bytes[end - 1]! > 0x7f) return void this.fail('oid');
    this.oidStart = length === 0 ? position - 1 : position;
    this.oidEnd = to;
  }

  #skipInteger(minOctets: number, maxOctets: number): void {
    const { length } = this;
    const isTooLong = length > maxOctets || (length > longOctets && this.bytes[this.position] !== 0);
    if (length < minOctets || isTooLong) this.fail('integer');
    this.#skip();
  }

  /** Whether the content is not one of net-snmp's special types, or a correct one. */
  #isOpaque(): boolean {
    const { bytes, position, length } = this;
    if (length < 3 || bytes[position] !== opaqueTag.first) return true;
    const octets = bytes[position + 2]!;
    switch (bytes[position + 1]) {
      case opaqueTag.float:
        return length === 7 && octets === 4;
      case opaqueTag.double:
        return length === 11 && octets === 8;
      case opaqueTag.counter64:
      case opaqueTag.uInt64:
      case opaqueTag.int64:
        return octets === length - 3 && octets <= longOctets + 1;
      default:
        return true;
    }
  }

  #skip(): void {
    this.position += this.length;
  }

  #refuseHeader(): number {
    this.fail('length');
    return 0;
  }
}
