import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { GroupWriter } from '../../plugins/outputs/ndjson/file/group-writer.ts';
import { LineFile, type LineFileParts } from '../../plugins/outputs/ndjson/file/line-file.ts';
import { LineRenderer } from '../../src/output-kit/lines/line-renderer.ts';
import { createInterfaceBatches } from './interface-batches.ts';

const rounds = 8;

/** Rendering alone, then rendering, writing and syncing to a file. */
export default async function* ndjsonFigures() {
  const groups = [...createInterfaceBatches(500)];
  const values = groups.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0) * rounds;
  for (const nested of [false, true]) {
    const renderer = new LineRenderer({ nested, gaps: false });
    renderer.render(groups);
    const begun = cpuUsage();
    for (let round = 0; round < rounds; round++) renderer.render(groups);
    yield [
      `ndjson, ${nested ? 'nested' : 'flat'}, rendered`,
      values / cpuSeconds(begun),
      'values/CPU s',
    ] as const;
  }

  const folder = await mkdtemp(join(tmpdir(), 'waywiser-bench-'));
  try {
    const settings = {
      path: join(folder, 'records.ndjson'),
      fsync: true,
      rotation: { maxBytes: 0, maxAgeMs: 0, keep: 0, gzip: false },
    };
    const log = { warn() {} } as unknown as LineFileParts['log'];
    const file = await LineFile.open(settings, { log, now: Date.now });
    const renderer = new LineRenderer({ nested: false, gaps: false });
    const writer = new GroupWriter(file, (batches) => renderer.render(batches));
    const begun = cpuUsage();
    for (let round = 0; round < rounds; round++) await writer.write([...groups]);
    yield ['ndjson, flat, to a synced file', values / cpuSeconds(begun), 'values/CPU s'] as const;
    await file.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cpuSeconds(begun: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(begun);
  return (user + system) / 1e6;
}
