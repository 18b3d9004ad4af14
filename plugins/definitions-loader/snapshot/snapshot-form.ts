import type { CheckedFile, DefinitionKind, ReadFiles } from '../../../src/definitions/index.ts';
import { kindsWithSecrets, removeSecrets } from './plain-secrets.ts';

/** The last set without errors, as it is saved on disk: a header line, a line per file, an end line. */
export interface Snapshot extends Pick<ReadFiles, 'files' | 'fingerprint'> {
  readonly generation: number;
}

export interface SnapshotHeader {
  readonly format: 1;
  readonly generation: number;
  readonly fingerprint: string;
  readonly files: number;
}

type FileLine = readonly [
  kind: DefinitionKind,
  name: string,
  rootIndex: number,
  entries: readonly (readonly [id: string, line: number, entry: unknown])[],
];

export function* linesOf(header: SnapshotHeader, files: Snapshot['files']): Generator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const file of files) yield `${JSON.stringify(toLine(file))}\n`;
  yield '{"end":true}\n';
}

/** Undefined when the text is incomplete. */
export function parseSnapshot(text: string): Snapshot | undefined {
  const lines = text.split('\n');
  const header = JSON.parse(lines[0] ?? '') as SnapshotHeader;
  if (header.format !== 1 || lines[header.files + 1] !== '{"end":true}') return undefined;
  const files = lines.slice(1, header.files + 1).map((line) => fromLine(JSON.parse(line) as FileLine));
  return { generation: header.generation, fingerprint: header.fingerprint, files };
}

function toLine({ name, rootIndex, content }: CheckedFile): FileLine {
  const { kind, entries, lines } = content;
  const hasSecrets = kindsWithSecrets.has(kind);
  const list = [...entries].map(
    ([id, entry]) => [id, lines.get(id) ?? 1, hasSecrets ? removeSecrets(entry) : entry] as const,
  );
  return [kind, name, rootIndex, list];
}

function fromLine([kind, name, rootIndex, list]: FileLine): CheckedFile {
  const entries = new Map(list.map(([id, , entry]) => [id, entry]));
  const lines = new Map(list.map(([id, line]) => [id, line]));
  return { name, rootIndex, content: { kind, text: '', entries, lines, problems: [] } };
}
