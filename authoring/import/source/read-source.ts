import { readFileSync, statSync } from 'node:fs';
import type { PositionNode } from '../../../src/definitions/index.ts';
import { LineIndex, parseYaml } from '../../../src/definitions/index.ts';
import { systemReasonOf } from '../../../src/kernel/system-reason.ts';
import { importFailure } from '../import-errors.ts';
import { SourceFile } from './source-node.ts';

/** A whole snmp.yml has some megabytes. */
const maxFileBytes = 16 * 1024 * 1024;
const maxLines = 500_000;

/** A file that could not be read as what it should be. */
export interface UnreadableSource {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** Reads a YAML file with the place of each value. A repeated key has its last value, and is a problem. */
export function readYamlSource(path: string): {
  readonly source?: SourceFile;
  readonly problems: UnreadableSource[];
} {
  const text = readText(path);
  const document = parseYaml(text, 'typed', maxLines);
  const lines = new LineIndex(text);
  const problems = document.problems.map(({ message, offset }) => ({
    file: path,
    ...lines.at(offset),
    reason: message,
  }));
  if (document.value === undefined) return { problems };
  const children = new Map<string, PositionNode>();
  for (const key of document.keys()) {
    const node = document.entryAt(key);
    if (node !== undefined) children.set(key, node);
  }
  return {
    source: new SourceFile(path, text, document.value, { keyOffset: -1, offset: 0, children }),
    problems,
  };
}

/** UTF-8 without a byte order mark. Throws IMPORT_UNREADABLE, IMPORT_TOO_LARGE. */
export function readText(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > maxFileBytes) {
      throw importFailure('IMPORT_TOO_LARGE', { file: path, bytes: size, max: maxFileBytes });
    }
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw importFailure('IMPORT_UNREADABLE', { file: path, reason: systemReasonOf(error) }, error);
    }
    throw error;
  }
}
