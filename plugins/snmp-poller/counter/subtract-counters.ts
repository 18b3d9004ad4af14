import { gapCode } from '../../../src/index.ts';
import { rawTag, type Scale } from '../../../src/internal.ts';
import { gapsByStatus, uniformStatus } from '../record/status-gaps.ts';

/** Raw values of one poll. */
export interface CounterValues {
  readonly words: Uint32Array;
  readonly status: Uint8Array;
}

/** The slots of the rows: `slots[row]`, −1 for none, or where there are no `slots`, one behind the other. */
export interface RowSlots {
  readonly firstSlot: number;
  readonly slots: Int32Array | undefined;
}

/**
 * Writes how far the counter of each row that has a slot in `place` went, or why that cannot be said: without a place
 * before there is nothing to compare with.
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
 * A counter that went backwards wrapped where that means less than half its range, else it was set back: nobody counts 2^31
 * of something between two polls with 32 bits and could tell how often they wrapped.
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

/** After how many bits a value of this type begins anew; 0 for one that never does, undefined for what does not count. */
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
