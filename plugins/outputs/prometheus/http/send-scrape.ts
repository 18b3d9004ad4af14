import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { ScrapeAnswer } from './scrape.ts';

/** A client that takes nothing for so long, or takes so long for all, is cut off. */
const idleMs = 15_000;
const scrapeMs = 60_000;

/** Answers a scrape, to its end or that of the connection; rejects when it was cut. */
export async function sendScrape(
  { headers, chunks, isCompressed }: ScrapeAnswer,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, headers);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.setTimeout(idleMs, () => response.destroy());
  const cut = setTimeout(() => response.destroy(), scrapeMs);
  try {
    if (!isCompressed) return await writeChunks(chunks, response);
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await Promise.all([writeChunks(chunks, gzip), pipeline(gzip, response)]);
  } finally {
    clearTimeout(cut);
  }
}

/**
 * One chunk after another, each when the one before has gone out, so that all are made in the same memory: new memory for
 * each would cost as much again. A reader as fast as this process holds up nobody: others have their turn between two.
 */
export async function writeChunks(chunks: Iterable<Buffer>, target: Writable): Promise<void> {
  for (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      target.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    await nextTurn();
  }
  target.end();
}
