import { type RawColumn, rawTag } from '../../src/definitions/syntax/decode/raw-column.ts';
import { decodeOid } from '../../src/snmp/codec/oid-bytes.ts';
import { loadRecording, type Recording } from '../../src/testing/index.ts';

export interface RecordedColumn {
  /** The arcs after the OID of the column, one entry per row. */
  readonly instances: readonly (readonly number[])[];
  readonly raw: RawColumn;
}

/** What a device answered, by column, for the columns asked for. */
export async function readRecordedColumns(
  path: string,
  columns: ReadonlySet<string>,
): Promise<Map<string, RecordedColumn>> {
  const recording = await loadRecording(path, () => {});
  const positions = new Map<string, number[]>();
  for (let position = 0; position < recording.size; position++) {
    const column = findColumn(oidAt(recording, position), columns);
    if (column === undefined) continue;
    const list = positions.get(column);
    if (list === undefined) positions.set(column, [position]);
    else list.push(position);
  }
  return new Map([...positions].map(([column, list]) => [column, readColumn(recording, column, list)]));
}

function findColumn(oid: string, columns: ReadonlySet<string>): string | undefined {
  for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
    const column = oid.slice(0, end);
    if (columns.has(column)) return column;
  }
  return undefined;
}

function readColumn(recording: Recording, column: string, positions: readonly number[]): RecordedColumn {
  const count = positions.length;
  const words = new Uint32Array(2 * count);
  const tags = new Uint8Array(count);
  const octets: (Uint8Array | undefined)[] = [];
  positions.forEach((position, row) => {
    const tagAt = recording.oidEndOf(position);
    const tag = recording.entries[tagAt]!;
    const content = contentFrom(recording.entries.subarray(tagAt + 1, recording.endOf(position)));
    tags[row] = tag;
    if (octetTags.has(tag)) octets[row] = content;
    else {
      const isNegative = tag === rawTag.integer && content[0]! > 0x7f;
      const number = content.reduce((sum, octet) => (sum << 8n) | BigInt(octet), isNegative ? -1n : 0n);
      words[2 * row] = Number(BigInt.asUintN(32, number));
      words[2 * row + 1] = Number(BigInt.asUintN(32, number >> 32n));
    }
  });
  const instances = positions.map((position) =>
    oidAt(recording, position)
      .slice(column.length + 1)
      .split('.')
      .map(Number),
  );
  return { instances, raw: { count, words, tags, octets } };
}

const octetTags = new Set<number>([
  rawTag.octetString,
  rawTag.objectIdentifier,
  rawTag.ipAddress,
  rawTag.opaque,
]);

/** What follows the length, in its short or its long form. */
function contentFrom(bytes: Buffer): Buffer {
  const first = bytes[0]!;
  return bytes.subarray(first < 0x80 ? 1 : 1 + (first & 0x7f));
}

function oidAt(recording: Recording, position: number): string {
  return decodeOid(recording.entries, recording.oidStartOf(position), recording.oidEndOf(position)) ?? '';
}
