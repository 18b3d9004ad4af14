/** Large enough that a chunk costs a socket little; one is made within a millisecond, which holds nobody up. */
const fullBytes = 256 << 10;
/** Room for the line that makes a chunk full, and the one of a usual length behind it. */
const spareBytes = 4 << 10;

/** Text as the octets of a chunk for a socket. */
export class TextBuffer {
  /** Written up to `length`; another one after `reserve` and `take`. */
  bytes: Buffer = Buffer.alloc(0);
  length = 0;

  get isFull(): boolean {
    return this.length >= fullBytes;
  }

  /** Makes room for so many octets more. */
  reserve(octets: number): void {
    const wanted = this.length + octets;
    if (wanted <= this.bytes.length) return;
    const wider = Buffer.allocUnsafeSlow(Math.max(fullBytes + spareBytes, wanted));
    this.bytes.copy(wider, 0, 0, this.length);
    this.bytes = wider;
  }

  write(text: string): void {
    this.reserve(maxOctetsAUnit * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  copy(octets: Uint8Array): void {
    this.reserve(octets.length);
    this.bytes.set(octets, this.length);
    this.length += octets.length;
  }

  /** The chunk, which is the caller's from now on; the next one is empty. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return taken;
  }
}

/** UTF-8 has at most so many for a unit of UTF-16. */
const maxOctetsAUnit = 3;
