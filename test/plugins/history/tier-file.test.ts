import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TierFile, TierFileWriter, type TierIndex } from '../../../plugins/history/tiers/tier-file.ts';
import { SliceTurns } from '../../../src/timing/slices.ts';
import { MemoryFiles } from '../../storage/support/memory-files.ts';

const path = '/polled';
const record = 'TEST-MIB::testEntry';

class CountingFiles extends MemoryFiles {
  reads = 0;

  override async read(...place: Parameters<MemoryFiles['read']>): Promise<Buffer> {
    this.reads++;
    return super.read(...place);
  }
}

/** A file with one value of each of so many devices: the number of the device. */
function writeFile(devices: number): CountingFiles {
  const files = new CountingFiles();
  const writer = new TierFileWriter(files, path);
  for (let i = 0; i < devices; i++) {
    const shape = { device: `d${i}`, record, plan: 'p', intervalMs: 1, keys: ['a'], labels: {} };
    const head = { shape: { ...shape, columns: [{ field: 'x' }] }, times: Float64Array.of(1) };
    const column = { streams: [Float64Array.of(i)], gaps: undefined };
    writer.add(`d${i}\n${record}`, { ...head, started: Float64Array.of(0) }, [column]);
  }
  writer.finish();
  writer.close();
  return files;
}

describe('a file of a tier', () => {
  it('finds each device among few and among thousands, with two reads at most', async () => {
    for (const devices of [1, 3, 200, 5_000]) {
      const files = writeFile(devices);
      const indexes = new Map<string, TierIndex>();
      const access = { files, streams: 1, indexes, turns: new SliceTurns(), onDamage: assert.fail };
      (await TierFile.open(path, access)).close();
      files.reads = 0;
      const file = await TierFile.open(path, access);
      const step = Math.ceil(devices / 500);
      let asked = 0;
      for (let i = 0; i < devices; i += step, asked++) {
        const [block, ...others] = await file.find(`d${i}\n${record}`);
        assert.deepEqual((await file.column(block!, 0)).streams, [Float64Array.of(i)]);
        assert.deepEqual(others, []);
      }
      assert.equal(files.reads, asked * (devices > 256 ? 2 : 1), `${devices} devices`);
      assert.deepEqual(await file.find(`none\n${record}`), []);
      file.close();
    }
  });
});
