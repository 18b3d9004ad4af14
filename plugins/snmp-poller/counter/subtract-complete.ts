import { rawTag, type Scale } from '../../../src/internal.ts';
import { uniformStatus } from '../record/status-gaps.ts';
import type { CounterValues } from './subtract-counters.ts';

const two32 = 2 ** 32;
const two31 = 2 ** 31;

/**
 * The usual poll, made quick: every row has a counter of one type, now and before, in the same slots, and none was reset.
 * Writes how far each went, scaled. False for everything else, whatever `out` holds then: `Subtraction` can do it.
 */
export function subtractComplete(
  now: CounterValues,
  before: CounterValues,
  firstSlot: number,
  { times, over }: Scale,
  out: Float64Array,
): boolean {
  const tag = uniformStatus(now.status, firstSlot, out.length);
  if (tag !== rawTag.counter32 && tag !== rawTag.counter64 && tag !== rawTag.gauge32) return false;
  if (uniformStatus(before.status, firstSlot, out.length) !== tag) return false;
  const isWide = tag === rawTag.counter64;
  const isScaled = times !== over;
  for (let row = 0, low = 2 * firstSlot; row < out.length; row++, low += 2) {
    let moved = now.words[low]! - before.words[low]!;
    if (isWide) moved += (now.words[low + 1]! - before.words[low + 1]!) * two32;
    else if (moved < 0) moved += two32;
    // A wide counter that went backwards, and a narrow one that went too far forwards, take a second look.
    if (moved < 0 || (!isWide && moved >= two31 && now.words[low]! < before.words[low]!)) return false;
    out[row] = isScaled ? (moved * times) / over : moved;
  }
  return true;
}
