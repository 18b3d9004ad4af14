import { rawTag, type Scale } from '../../../src/definitions/index.ts';
import { gapCode } from '../../../src/index.ts';
import { gapsByStatus, uniformStatus } from '../status-gaps.ts';

/** Raw values of one poll. */
export interface CounterValues {
  readonly words: Uint32Array;
  readonly status: Uint8Array;
}

/** The slots of the rows: `slots[row]` with −1 for none, or consecutive slots when `slots` is undefined. */
export interface RowSlots {
  readonly firstSlot: number;
  readonly slots: Int32Array | undefined;
}

/**
 * For each row with a slot in `place`, writes the increase of its counter to `out`, or the reason why there is none to `gaps`. A row
 * without a slot in `placeBefore` has nothing to compare with.
 */
export type Subtraction = (
  now: CounterValues,
  place: RowSlots,
  before: CounterValues,
  placeBefore: RowSlots,
  out: Float64Array,
  gaps: Uint8Array,
) => void;

const two32 = 2 ** 32;
const two31 = 2 ** 31;

/**
 * A counter that decreased has wrapped if the increase would be less than half of its range; otherwise it was reset. With 32 bits, an
 * increase of 2^31 or more between two polls is ambiguous anyway, because the number of wraps is unknown.
 */
export function createSubtraction(): Subtraction {
  const gapOf = gapsByStatus();
  const unseeded = gapCode('unseeded');
  const reset = gapCode('reset');
  const undecodable = gapCode('decode');
  return (now, place, before, placeBefore, out, gaps) => {
    const { slots, firstSlot } = place;
    const { slots: slotsBefore, firstSlot: firstBefore } = placeBefore;
    for (let row = 0; row < out.length; row++) {
      const slot = slots === undefined ? firstSlot + row : slots[row]!;
      if (slot < 0) continue;
      const tag = now.status[slot]!;
      const wrap = wrapOf(tag);
      const earlier = slotsBefore === undefined ? firstBefore + row : slotsBefore[row]!;
      if (gapOf[tag] !== 0) gaps[row] = gapOf[tag]!;
      else if (wrap === undefined) gaps[row] = undecodable;
      else if (earlier < 0 || before.status[earlier] !== tag) gaps[row] = unseeded;
      else {
        let low = now.words[2 * slot]! - before.words[2 * earlier]!;
        let high = now.words[2 * slot + 1]! - before.words[2 * earlier + 1]!;
        let isBackwards = high < 0 || (high === 0 && low < 0);
        if (isBackwards && wrap === 64) high += two32;
        if (low < 0) {
          low += two32;
          if (wrap !== 32) high--;
        }
        if (isBackwards && wrap !== 0) isBackwards = wrap === 64 ? high >= two31 : low >= two31;
        gaps[row] = isBackwards ? reset : 0;
        out[row] = isBackwards ? 0 : high * two32 + low;
      }
    }
  };
}

/** The number of bits after which a value of this type wraps; 0 for never, undefined for a type that is not a counter. */
function wrapOf(tag: number): 0 | 32 | 64 | undefined {
  switch (tag) {
    case rawTag.counter32:
    case rawTag.gauge32:
    case rawTag.timeTicks:
    case rawTag.uInteger32:
      return 32;
    case rawTag.counter64:
      return 64;
    case rawTag.integer:
      return 0;
    default:
      return undefined;
  }
}

/**
 * The fast path for the usual poll: every row has a counter of the same type in both polls, in the same slots, and none was reset.
 * Writes the scaled increases. Returns false for everything else: use `Subtraction`, which overwrites `out`.
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
    // A 64-bit counter that decreased, and a 32-bit counter that increased too far, need `Subtraction`.
    if (moved < 0 || (!isWide && moved >= two31 && now.words[low]! < before.words[low]!)) return false;
    out[row] = isScaled ? (moved * times) / over : moved;
  }
  return true;
}
