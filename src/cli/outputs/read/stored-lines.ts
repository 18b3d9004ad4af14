import { readdirSync, statSync } from 'node:fs';
import { BatchDecoder } from '../../../model/batch-form/batch-decoder.ts';
import { LineRenderer } from '../../../output-kit/lines/line-renderer.ts';
import { findStoredLog } from '../../../storage/segments/stored-log.ts';
import { readLetters } from './dead-letters.ts';

/** Some of what is stored at a path, as lines of NDJSON. */
export interface StoredLines {
  readonly text: Uint8Array;
  readonly batches: number;
  readonly rows: number;
  /** Batches that should have been there. */
  readonly lost: number;
}

/** Undefined where there is nothing of ours. Throws what the file system throws. */
export async function findStoredLines(
  path: string,
  { gaps }: { readonly gaps: boolean },
): Promise<AsyncIterable<StoredLines> | undefined> {
  const decoder = new BatchDecoder();
  const renderer = new LineRenderer({ nested: false, gaps });
  const render = (record: Buffer) => {
    const batch = decoder.decode(record);
    return { text: Buffer.concat(renderer.render([batch])), rows: batch.rows.count };
  };
  const log = await findStoredLog(path, render);
  if (log !== undefined) return joinGroups(log);
  return statSync(path).isDirectory() ? findEmptyQueue(path) : readLetters(path);
}

async function* joinGroups(
  groups: AsyncIterable<{
    readonly items: readonly { readonly text: Uint8Array; readonly rows: number }[];
    readonly damaged: number;
  }>,
): AsyncGenerator<StoredLines> {
  for await (const { items, damaged } of groups) {
    yield {
      text: Buffer.concat(items.map(({ text }) => text)),
      batches: items.length,
      rows: items.reduce((sum, { rows }) => sum + rows, 0),
      lost: damaged,
    };
  }
}

/** A queue that was read to its end leaves its directory. */
function findEmptyQueue(path: string): AsyncIterable<StoredLines> | undefined {
  return readdirSync(path).length === 0 ? joinGroups((async function* () {})()) : undefined;
}
