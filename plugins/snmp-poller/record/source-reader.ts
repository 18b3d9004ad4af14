import type { ColumnMemory, ColumnValues, NameTally, RawColumn } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { ColumnSource } from '../plan/poll-plan.ts';
import { bitsByStatus, gapsByStatus, statusBits } from './status-gaps.ts';

/** Rows that another source of the column writes; above every gap code. */
export const elsewhere = 255;

const noOctets: RawColumn['octets'] = [];

/** Reads what a source has for each row of a record. One for all devices: it keeps nothing between two calls. */
export class SourceReader {
  readonly #gapOf = gapsByStatus();
  readonly #bitsOf = bitsByStatus();

  /**
   * Decodes the source's rows. In `gaps` every row of the source gets its gap code or 0, every other one `elsewhere`.
   * Counters that leave as they came are a view of `poll.words`.
   */
  read(
    source: ColumnSource,
    poll: PollColumns,
    gaps: Uint8Array,
    tally: NameTally,
    memory: ColumnMemory | undefined,
  ): ColumnValues | undefined {
    const { slots, firstSlot } = source;
    const count = gaps.length;
    let bits = 0;
    for (let row = 0; row < count; row++) {
      const slot = slots === undefined ? firstSlot + row : slots[row]!;
      const status = slot < 0 ? 0 : poll.status[slot]!;
      bits |= this.#bitsOf[status]!;
      gaps[row] = slot < 0 ? elsewhere : this.#gapOf[status]!;
    }
    const isPlain = (bits & (statusBits.isOctets | statusBits.isSigned)) === 0;
    if (source.isUnscaledCounter && isPlain && slots === undefined) {
      return { kind: 'counter', words: poll.words.subarray(2 * firstSlot, 2 * (firstSlot + count)) };
    }
    const raw = rawColumnOf(source, poll, count, (bits & statusBits.isOctets) !== 0);
    return source.decoder.decode(raw, gaps, tally, memory);
  }
}

function rawColumnOf(
  { firstSlot, slots }: ColumnSource,
  poll: PollColumns,
  count: number,
  holdsOctets: boolean,
): RawColumn {
  const { words, status, texts } = poll;
  if (slots === undefined) {
    const end = firstSlot + count;
    return {
      count,
      words: words.subarray(2 * firstSlot, 2 * end),
      tags: status.subarray(firstSlot, end),
      octets: holdsOctets ? texts.slice(firstSlot, end) : noOctets,
    };
  }
  const raw = {
    count,
    words: new Uint32Array(2 * count),
    tags: new Uint8Array(count),
    octets: new Array<string | undefined>(holdsOctets ? count : 0).fill(undefined),
  };
  for (let row = 0; row < count; row++) {
    const slot = slots[row]!;
    if (slot < 0) continue;
    raw.words[2 * row] = words[2 * slot]!;
    raw.words[2 * row + 1] = words[2 * slot + 1]!;
    raw.tags[row] = status[slot]!;
    if (holdsOctets) raw.octets[row] = texts[slot];
  }
  return raw;
}
