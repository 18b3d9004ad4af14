import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Batch, Row } from '../../../model/batch.ts';
import type { StoredLines } from './stored-lines.ts';

/** A refused batch as its file has it. */
type Letter = Omit<Batch, 'rows' | 'columns'> & {
  readonly refusedAt: string;
  readonly why: string;
  readonly rows: readonly Row[];
};

/** The rows of refused batches, each with `refused`: when and why. Undefined where the file does not begin like one of those. */
export async function readLetters(path: string): Promise<AsyncGenerator<StoredLines> | undefined> {
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

/** Alone: texts of devices may have what else counts as the end of a line somewhere. */
const lineEnd = 0x0a;

/** A line that a crash or somebody else broke is a lost batch. */
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
