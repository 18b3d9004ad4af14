import { decodeOid } from '../../src/snmp/codec/oid-bytes.ts';
import { loadRecording, type Recording } from '../../src/testing/index.ts';

export interface RecordedValue {
  /** The instance: what follows the OID of the column. */
  readonly arcs: readonly number[];
  /** The identifier octet of the value. */
  readonly tag: number;
}

/** What a device answered, by column, for the columns asked for. */
export async function readRecordedColumns(
  path: string,
  columns: ReadonlySet<string>,
): Promise<Map<string, RecordedValue[]>> {
  const recording = await loadRecording(path);
  const recorded = new Map<string, RecordedValue[]>();
  for (let position = 0; position < recording.size; position++) {
    const oid =
      decodeOid(recording.entries, recording.oidStartOf(position), recording.oidEndOf(position)) ?? '';
    const column = findColumn(oid, columns);
    if (column === undefined) continue;
    const value = {
      arcs: oid
        .slice(column.length + 1)
        .split('.')
        .map(Number),
      tag: tagOf(recording, position),
    };
    const values = recorded.get(column);
    if (values === undefined) recorded.set(column, [value]);
    else values.push(value);
  }
  return recorded;
}

function findColumn(oid: string, columns: ReadonlySet<string>): string | undefined {
  for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
    const column = oid.slice(0, end);
    if (columns.has(column)) return column;
  }
  return undefined;
}

/** The value follows the OID in its varbind. */
function tagOf(recording: Recording, position: number): number {
  return recording.entries[recording.oidEndOf(position)] ?? 0;
}
