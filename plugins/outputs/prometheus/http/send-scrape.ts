import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { ScrapeAnswer } from './scrape.ts';

/** A client that reads nothing for the first time, or needs the second time for everything, is disconnected. */
const idleMs = 15_000;
const scrapeMs = 60_000;

/** Large pieces and tables take a tenth less CPU time for rendering and compressing together. */
const gzipOptions = {
  level: constants.Z_BEST_SPEED,
  memLevel: constants.Z_MAX_MEMLEVEL,
  chunkSize: 256 << 10,
};

/** Sends the answer of a scrape. Rejects when the client was disconnected. */
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
    if (!isCompressed) return await Promise.race([writeChunks(chunks, response), closed(response)]);
    const gzip = createGzip(gzipOptions);
    await Promise.all([writeChunks(chunks, gzip), pipeline(gzip, response)]);
  } finally {
    clearTimeout(cut);
  }
}

/** Rejects when the response closes before its end. */
async function closed(response: ServerResponse): Promise<never> {
  await once(response, 'close');
  throw new Error('The client was disconnected.');
}

/**
 * Writes one chunk after another, each when the one before is sent, so that all use the same memory: new memory for each would double the
 * cost. Between two chunks the event loop runs, so that a fast reader does not block other work.
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
