import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { pour } from './pour.ts';
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
    if (!isCompressed) return await pour(chunks, response);
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await Promise.all([pour(chunks, gzip), pipeline(gzip, response)]);
  } finally {
    clearTimeout(cut);
  }
}
