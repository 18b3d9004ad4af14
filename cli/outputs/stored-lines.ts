import { createReadStream, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Batch, Row } from '../../src/model/index.ts';
import { BatchDecoder } from '../../src/model/index.ts';
import { LineRenderer } from '../../src/output-kit/index.ts';
import { findStoredLog } from '../../src/storage/index.ts';

/** A part of the stored batches, as lines of NDJSON. */
export interface StoredLines {
  readonly text: Uint8Array;
  readonly batches: number;
  readonly rows: number;
  /** Batches that are damaged or missing. */
  readonly lost: number;
}

/** Undefined when the path holds no batches of Waywiser. Throws what the file system throws. */
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

/** The directory of an empty queue stays. */
function findEmptyQueue(path: string): AsyncIterable<StoredLines> | undefined {
  return readdirSync(path).length === 0 ? joinGroups((async function* () {})()) : undefined;
}

/** A rejected batch as a dead-letter file stores it. */
type Letter = Omit<Batch, 'rows' | 'columns'> & {
  readonly refusedAt: string;
  readonly why: string;
  readonly rows: readonly Row[];
};

/** The rows of rejected batches, each with `refused`: when and why. Undefined when the file is not a dead-letter file. */
async function readLetters(path: string): Promise<AsyncGenerator<StoredLines> | undefined> {
  return (await readStart(path)) === letterStart ? readLines(path) : undefined;
}

const letterStart = '{"refusedAt":';

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(letterStart.length), 0, letterStart.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* readLines(path: string): AsyncGenerator<StoredLines> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, from)) {
      yield readLetter(Buffer.concat([...rest, chunk.subarray(from, end)]).toString());
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
  const last = Buffer.concat(rest).toString();
  if (last !== '') yield readLetter(last);
}

/** Only the line feed ends a line: text from devices may contain other line terminators. */
const lineEnd = 0x0a;

/** A damaged line counts as a lost batch. */
function readLetter(line: string): StoredLines {
  try {
    const documents = listDocuments(JSON.parse(line) as Letter);
    const text = Buffer.from(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
    return { text, batches: 1, rows: documents.length, lost: 0 };
  } catch {
    return { text: Buffer.alloc(0), batches: 0, rows: 0, lost: 1 };
  }
}

function listDocuments({ refusedAt, why, slotMs, timeMs, rows, ...head }: Letter): object[] {
  const moments = { slot: new Date(slotMs).toISOString(), time: new Date(timeMs).toISOString() };
  return rows.map(({ key, labels, values }) => ({
    ...head,
    ...moments,
    key,
    labels,
    values,
    refused: { at: refusedAt, why },
  }));
}
