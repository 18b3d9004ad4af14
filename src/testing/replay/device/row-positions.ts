import type { Recording } from '../recording/recording.ts';

/** Where a recording holds one row: the varbinds of `index` (octets of its arcs) in every column below `table`. */
export function rowPositions(recording: Recording, table: Buffer, index: Buffer): number[] {
  const positions: number[] = [];
  const [first, end] = recording.rangeUnder(table);
  for (let position = first; position < end; ) {
    const column = columnAt(recording, position, table.length);
    const [cellStart, cellEnd] = recording.rangeUnder(Buffer.concat([column, index]));
    for (let cell = cellStart; cell < cellEnd; cell++) positions.push(cell);
    position = Math.max(position + 1, recording.rangeUnder(column)[1]);
  }
  return positions;
}

/** The table's OID and the one arc behind it. */
function columnAt(recording: Recording, position: number, tableLength: number): Buffer {
  const start = recording.oidStartOf(position);
  const oidEnd = recording.oidEndOf(position);
  let end = start + tableLength;
  while (end < oidEnd && recording.entries[end]! > 0x7f) end++;
  return recording.entries.subarray(start, Math.min(end + 1, oidEnd));
}
