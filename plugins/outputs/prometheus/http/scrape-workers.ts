import { explainError, type Logger } from '../../../../src/index.ts';
import type { Member, Shards } from '../../../../src/internal.ts';
import { joinTexts } from './join-texts.ts';
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
  const ask = async (member: Member): Promise<Buffer> => {
    const answer = await shards.fleet!.requests!.ask(member, {
      method: 'GET',
      path: query.size === 0 ? path : `${path}?${query}`,
      headers: request.accept === undefined ? {} : { accept: request.accept },
      timeoutMs,
    });
    const text = await readAll(answer.body);
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    return text;
  };
  const workers = shards.workers?.() ?? [];
  const answers = await Promise.allSettled(workers.map(ask));
  const texts = [await readAll(own.chunks)];
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') texts.push(answer.value);
    else
      log.warn(
        { worker: workers[i]?.name, reason: explainError(answer.reason) },
        'A worker is missing in an answer to Prometheus.',
      );
  }
  // A device that moved meanwhile may be in the texts of both owners.
  const hasMoved = sumEpochs(shards) !== before;
  return { ...own, chunks: joinTexts(texts, hasMoved) };
}

/** Grows with each new owner of a shard. */
function sumEpochs({ fleet }: Shards): number {
  let sum = 0;
  for (const { epoch } of fleet?.claims.values() ?? []) sum += epoch;
  return sum;
}

/** The chunks of a text share their memory, so each is copied. */
async function readAll(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}
