import { cpuUsage } from 'node:process';
import { SeriesWalk } from '../../plugins/outputs/prometheus-remote-write/series/series-walk.ts';
import { WriteRequest1 } from '../../plugins/outputs/prometheus-remote-write/series/write-request-1.ts';
import { WriteRequest2 } from '../../plugins/outputs/prometheus-remote-write/series/write-request-2.ts';
import { FamilyTable } from '../../src/output-kit/naming/family-table.ts';
import { SeriesTracker } from '../../src/output-kit/series/series-tracker.ts';
import { createInterfaceBatches } from './interface-batches.ts';

const rounds = 5;
/** About the number of values in a request by default. */
const batchesARequest = 32;

/** From batches to compressed requests, for successive polls of the same rows. */
export default async function* remoteWriteFigures() {
  const walk = new SeriesWalk({ families: new FamilyTable('snmp_'), stateSets: new Set() });
  const lives = new SeriesTracker(({ kind }) => kind === 'text');
  const first = [...createInterfaceBatches(500)];
  const labelBytes = new WeakMap();
  for (const [name, create] of [
    ['1.0', () => new WriteRequest1(labelBytes)],
    ['2.0', () => new WriteRequest2()],
  ] as const) {
    let samples = 0;
    let bytes = 0;
    let plainBytes = 0;
    const encodePoll = () => {
      const polled = first.map((batch) => ({ ...batch, slotMs: batch.slotMs + 1 }));
      const entries = lives.track(polled).map(({ batch }) => batch);
      for (let at = 0; at < entries.length; at += batchesARequest) {
        const request = create();
        samples += walk.walk(entries.slice(at, at + batchesARequest), request);
        const part = request.finish();
        bytes += part.body.length;
        plainBytes += part.plainBytes;
      }
    };
    encodePoll();
    samples = bytes = plainBytes = 0;
    const begun = cpuUsage();
    for (let round = 0; round < rounds; round++) encodePoll();
    const { user, system } = cpuUsage(begun);
    yield [`remote write ${name}, encoded`, samples / ((user + system) / 1e6), 'samples/CPU s'] as const;
    yield [`remote write ${name}, bytes a sample`, bytes / samples, 'bytes'] as const;
    yield [`remote write ${name}, smaller than plain by`, plainBytes / bytes, 'times'] as const;
  }
}
