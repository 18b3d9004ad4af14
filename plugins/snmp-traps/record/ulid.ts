import { randomBytes } from 'node:crypto';

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes ULIDs: 26 characters that sort by time, and within a millisecond in the order in which they were made. */
export class UlidSource {
  #timeMs = -1;
  #head = '';
  #random: number[] = [];

  next(nowMs: number): string {
    if (nowMs <= this.#timeMs) {
      this.#increase();
      return this.#head + this.#text();
    }
    this.#timeMs = nowMs;
    this.#head = timeText(nowMs);
    this.#random = Array.from(randomBytes(16), (octet) => octet % 32);
    // So that it does not overflow within a millisecond.
    this.#random[0]! %= 16;
    return this.#head + this.#text();
  }

  #increase(): void {
    for (let at = this.#random.length - 1; at >= 0; at--) {
      const digit = this.#random[at]! + 1;
      this.#random[at] = digit % 32;
      if (digit < 32) return;
    }
  }

  #text(): string {
    let text = '';
    for (const digit of this.#random) text += digits[digit];
    return text;
  }
}

function timeText(timeMs: number): string {
  let text = '';
  for (let left = Math.floor(timeMs), i = 0; i < 10; i++) {
    text = digits[left % 32] + text;
    left = Math.floor(left / 32);
  }
  return text;
}
