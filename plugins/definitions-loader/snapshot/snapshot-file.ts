import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type CheckedFile, type DefinitionKind, type ReadFiles, replaceFile } from '../../../src/internal.ts';
import { removeSecrets, restoreSecrets } from './plain-secrets.ts';

/** The last set without errors, as it is saved on disk: a header line, a line per file, an end line. */
export interface Snapshot extends Pick<ReadFiles, 'files' | 'fingerprint'> {
  readonly generation: number;
}

interface SnapshotHeader {
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

/** The path of the snapshot in a state directory. */
export function snapshotPath(stateDirectory: string): string {
  return join(stateDirectory, 'definitions', 'last-good.ndjson');
}

/** Replaces the file in one step: a reader finds the complete old or new file, also after a crash. */
export function writeSnapshot(path: string, { generation, fingerprint, files }: Snapshot): void {
  replaceFile(path, linesOf({ format: 1, generation, fingerprint, files: files.length }, files));
}

function* linesOf(header: SnapshotHeader, files: Snapshot['files']): Generator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const file of files) yield `${JSON.stringify(toLine(file))}\n`;
  yield '{"end":true}\n';
}

/** The header of the snapshot at `path`, without reading the rest; undefined when there is none. */
export function readSnapshotHeader(path: string): Pick<Snapshot, 'generation' | 'fingerprint'> | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const start = Buffer.alloc(maxHeaderBytes);
    const text = start.toString('utf8', 0, readSync(descriptor, start));
    const { generation, fingerprint } = JSON.parse(text.slice(0, text.indexOf('\n'))) as SnapshotHeader;
    return { generation, fingerprint };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const maxHeaderBytes = 512;

/** The snapshot at `path`; undefined when there is none, or when it is incomplete. */
export function readSnapshot(path: string): Snapshot | undefined {
  try {
    return parseSnapshot(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function parseSnapshot(text: string): Snapshot | undefined {
  const lines = text.split('\n');
  const header = JSON.parse(lines[0] ?? '') as SnapshotHeader;
  if (header.format !== 1 || lines[header.files + 1] !== '{"end":true}') return undefined;
  const files = lines.slice(1, header.files + 1).map((line) => fromLine(JSON.parse(line) as FileLine));
  return { generation: header.generation, fingerprint: header.fingerprint, files };
}

/** A snapshot for other collectors: compressed, and equal for equal files. */
export function packSnapshot({ generation, fingerprint, files }: Snapshot): Uint8Array {
  const header = { format: 1, generation, fingerprint, files: files.length } as const;
  return gzipSync([...linesOf(header, files)].join(''));
}

export function unpackSnapshot(packed: Uint8Array): Snapshot {
  const snapshot = parseSnapshot(gunzipSync(packed, { maxOutputLength: maxUnpackedBytes }).toString('utf8'));
  if (snapshot === undefined) throw new Error('the definitions of the cluster are incomplete');
  return snapshot;
}

const maxUnpackedBytes = 256 << 20;

/** The files of a snapshot, with plain-text secrets taken from the current files. */
export function fillSecrets(files: readonly CheckedFile[], now: readonly CheckedFile[]): CheckedFile[] {
  const current = new Map(now.flatMap(({ content }) => entriesWithSecrets(content)));
  return files.map((file) => {
    const { kind, entries } = file.content;
    if (!kindsWithSecrets.has(kind)) return file;
    const filled = [...entries].map(
      ([id, entry]) => [id, restoreSecrets(entry, current.get(`${kind} ${id}`))] as const,
    );
    return { ...file, content: { ...file.content, entries: new Map(filled) } };
  });
}

const kindsWithSecrets: ReadonlySet<DefinitionKind> = new Set(['devices', 'deviceDefaults', 'networks']);

function entriesWithSecrets({ kind, entries }: CheckedFile['content']): [string, unknown][] {
  return kindsWithSecrets.has(kind) ? [...entries].map(([id, entry]) => [`${kind} ${id}`, entry]) : [];
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
