/** No number takes more bytes than this. */
export const maxNumberBytes = 32;

/** Writes all digits of an unsigned 64-bit value at `at` and returns where they end. The buffer must have room. */
export function writeCounter(bytes: Buffer, at: number, low: number, high: number): number {
  if (high < 0x200000) return writeInteger(bytes, at, high * 0x1_0000_0000 + low);
  return writeText(bytes, at, ((BigInt(high) << 32n) | BigInt(low)).toString());
}

/** Writes a number as JavaScript does, `NaN` and the infinities included, and returns where it ends. The buffer must have room. */
export function writeFloat(bytes: Buffer, at: number, value: number): number {
  const isInteger = value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value;
  return isInteger ? writeInteger(bytes, at, value) : writeText(bytes, at, `${value}`);
}

const digitZero = 0x30;

/** For short ASCII texts, where a call into the runtime would cost more than the loop. */
function writeText(bytes: Buffer, at: number, text: string): number {
  const { length } = text;
  for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + length;
}

/** For values from 0 to 2 ** 53. */
function writeInteger(bytes: Buffer, at: number, value: number): number {
  if (value < 1e8) return writeDigits(bytes, at, value, countDigits(value));
  const head = Math.floor(value / 1e8);
  const middle = writeDigits(bytes, at, head, countDigits(head));
  return writeDigits(bytes, middle, value - head * 1e8, 8);
}

/** For values below 1e8, so that the divisions are 32-bit. Pads with zeros up to `count` digits. */
function writeDigits(bytes: Buffer, at: number, value: number, count: number): number {
  let rest = value | 0;
  for (let i = at + count - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    bytes[i] = digitZero + rest - tenth * 10;
    rest = tenth;
  }
  return at + count;
}

function countDigits(value: number): number {
  if (value < 1e4) return value < 1e2 ? (value < 10 ? 1 : 2) : value < 1e3 ? 3 : 4;
  return value < 1e6 ? (value < 1e5 ? 5 : 6) : value < 1e7 ? 7 : 8;
}
