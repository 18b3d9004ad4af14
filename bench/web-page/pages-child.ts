import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../../src/client/index.ts';

/** A request of an open page, and when the page sent it. */
export interface SeenRequest {
  readonly url: string;
  readonly atMs: number;
}

/**
 * usage: pages-child BASE_URL PAGES EVERY_MS REQUESTS. Does what so many open pages do, until it is killed: each follows the events and
 * repeats the requests that a page was seen to send within EVERY_MS.
 */
const [, , baseUrl = '', pages = '', every = '', seen = ''] = argv;
const everyMs = Number(every);
const requests = JSON.parse(seen) as readonly SeenRequest[];
await Promise.all(Array.from({ length: Number(pages) }, (_, page) => open((page * everyMs) / Number(pages))));

async function open(afterMs: number): Promise<void> {
  await sleep(afterMs);
  void follow();
  for (let begunMs = performance.now(); ; begunMs += everyMs) {
    for (const { url, atMs } of requests) {
      await sleep(Math.max(0, begunMs + atMs - performance.now()));
      const answer = await fetch(url);
      if (answer.status !== 200) throw new Error(`${answer.status} ${url}`);
      await answer.arrayBuffer();
    }
    await sleep(Math.max(0, begunMs + everyMs - performance.now()));
  }
}

async function follow(): Promise<void> {
  for await (const _ of new ApiClient({ baseUrl }).events());
}
