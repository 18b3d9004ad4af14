import { joinExpositions } from '../../../../src/http/index.ts';
import { explainError, type Logger } from '../../../../src/index.ts';
import { askWorkers, type Shards } from '../../../../src/sharding/index.ts';
import type { ScrapeAnswer, ScrapeRequest } from './scrape.ts';

interface WorkerScrape {
  readonly shards: Shards;
  /** Where the workers serve this output. */
  readonly path: string;
  readonly log: Logger;
}

/** A worker that answers nothing for this time is left out: Prometheus itself waits for ten seconds by default. */
const timeoutMs = 8_000;

/** Joins what this process serves with what its workers serve. */
export async function scrapeWorkers(
  request: ScrapeRequest,
  own: ScrapeAnswer,
  { shards, path, log }: WorkerScrape,
): Promise<ScrapeAnswer> {
  const before = sumEpochs(shards);
  const query = new URLSearchParams();
  for (const device of request.devices) query.append('device', device);
  for (const object of request.objects) query.append('object', object);
  const headers = request.accept === undefined ? {} : { accept: request.accept };
  const answers = await askWorkers(shards, query.size === 0 ? path : `${path}?${query}`, {
    headers,
    timeoutMs,
  });
  // The chunks of a text share their memory, so each is copied.
  const texts: Buffer[] = [Buffer.concat(Array.from(own.chunks, (chunk) => Buffer.from(chunk)))];
  for (const { worker, text, error } of answers) {
    if (text !== undefined) texts.push(text);
    else log.warn({ worker, reason: explainError(error) }, 'A worker is missing in an answer to Prometheus.');
  }
  // A device that moved meanwhile may be in the texts of both owners.
  const hasMoved = sumEpochs(shards) !== before;
  return { ...own, chunks: joinExpositions(texts, hasMoved) };
}

/** Grows with each new owner of a shard. */
function sumEpochs({ fleet }: Shards): number {
  let sum = 0;
  for (const { epoch } of fleet?.claims.values() ?? []) sum += epoch;
  return sum;
}
