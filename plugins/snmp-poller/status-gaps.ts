import { rawTag } from '../../src/definitions/index.ts';
import { type GapReason, gapCode } from '../../src/index.ts';
import { berTag, holdsValue, slotStatus } from '../../src/snmp/index.ts';

/** What the status alone says about a value, as bits that can be combined over a column. */
export const statusBits = { isMissing: 1, isOctets: 2, isSigned: 4 } as const;

/** The gap code for each status; 0 for a status with a value. */
export function gapsByStatus(): Uint8Array {
  const gaps = new Uint8Array(256);
  for (let status = 0; status < 256; status++) {
    if (!holdsValue(status)) gaps[status] = gapCode(reasons.get(status) ?? 'timeout');
  }
  return gaps;
}

/** The `statusBits` for each status. */
export function bitsByStatus(): Uint8Array {
  const unsigned = new Set<number>([
    rawTag.counter32,
    rawTag.gauge32,
    rawTag.timeTicks,
    rawTag.uInteger32,
    rawTag.counter64,
  ]);
  return Uint8Array.from({ length: 256 }, (_, status) => {
    if (!holdsValue(status)) return statusBits.isMissing;
    if (unsigned.has(status)) return 0;
    return status === rawTag.integer ? statusBits.isSigned : statusBits.isOctets;
  });
}

/** The status that all of these slots have; `slotStatus.pending` when they differ or there are no slots. */
export function uniformStatus(status: Uint8Array, firstSlot: number, count: number): number {
  const first = count === 0 ? slotStatus.pending : status[firstSlot]!;
  for (let slot = firstSlot + 1; slot < firstSlot + count; slot++) {
    if (status[slot] !== first) return slotStatus.pending;
  }
  return first;
}

const reasons = new Map<number, GapReason>([
  [berTag.noSuchObject, 'noSuchObject'],
  [berTag.noSuchInstance, 'noSuchInstance'],
  [berTag.endOfMibView, 'noSuchInstance'],
  [slotStatus.timeout, 'timeout'],
  [slotStatus.authentication, 'authentication'],
  [slotStatus.budget, 'budget'],
  [slotStatus.aborted, 'budget'],
  [slotStatus.genErr, 'refused'],
  [slotStatus.tooBig, 'refused'],
  [slotStatus.wrongAnswer, 'refused'],
]);
