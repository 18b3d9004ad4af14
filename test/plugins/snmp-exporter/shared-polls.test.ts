import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Device } from '../../../plugins/device-registry/service.ts';
import { type Scrape, SharedPolls } from '../../../plugins/snmp-exporter/shared-polls.ts';
import type { Batch } from '../../../src/index.ts';

const device = { settings: {} } as Device;
const everyMs = 300_000;
const nothing: Scrape = { batches: [], packets: 1, retries: 0 };
const values: Scrape = { batches: [{} as Batch], packets: 1, retries: 0 };

/** Scrapes one module at the times that it is told. */
function startPolls(outcomes: readonly (Scrape | Error)[]) {
  let nowMs = 0;
  let begun = 0;
  const polls = new SharedPolls(() => nowMs);
  const scrapeAt = async (ms: number) => {
    nowMs = ms;
    await polls
      .find(device, 1, new Map([['plain', everyMs]]), async () => {
        const outcome = outcomes[Math.min(begun++, outcomes.length - 1)]!;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      })
      .catch(() => {});
    return begun;
  };
  return scrapeAt;
}

describe('polls that scrapes share', () => {
  it('are repeated after an interval', async () => {
    const scrapeAt = startPolls([values]);
    const counts: number[] = [];
    for (const ms of [0, 5_000, 200_000, 299_000]) counts.push(await scrapeAt(ms));
    assert.deepEqual(counts, [1, 1, 1, 2]);
  });

  for (const [what, failed] of [
    ['without an answer', nothing],
    ['that rejects', new Error('The device does not answer.')],
  ] as const) {
    it(`do not hide for an interval that the device is back, after one ${what}`, async () => {
      const scrapeAt = startPolls([failed, values]);
      const counts: number[] = [];
      for (const ms of [0, 1_000, 6_000, 20_000, 250_000]) counts.push(await scrapeAt(ms));
      assert.deepEqual(counts, [1, 1, 2, 2, 2]);
    });
  }
});
