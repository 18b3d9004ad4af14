import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecordLog } from '../../src/storage/segments/record-log.ts';
import { MemoryFiles } from './support/memory-files.ts';
import { type Death, MortalFiles } from './support/mortal-files.ts';

/** What three processes in a row were given, and what they handed on. */
interface Life {
  readonly files: MemoryFiles;
  readonly accepted: string[];
  readonly groups: string[][];
  damaged: number;
  markers: number;
}

const never: Death = { atChange: Infinity, isTorn: false };

/** One process: takes records, three to a segment, and hands groups of two on; the last of a series all that is left. */
async function live(life: Life, death: Death, appends: number): Promise<{ readonly isDead: boolean }> {
  const files = new MortalFiles(life.files, death);
  const log = await RecordLog.open({
    directory: '/queue',
    segmentBytes: 256 + 3 * (32 + 8),
    syncEveryMs: 60_000,
    files,
    // Neither in the order of time nor against it.
    randomMarker: () => (++life.markers * 0x9e3779b1) % 0xffff_fffb,
    onError: (error) => assert.ok(files.isDead, String(error)),
  });
  const handOn = async () => {
    const { items, damaged } = await log.read({ records: 2, bytes: 1 << 20, notBeforeMs: 0 }, String);
    if (files.isDead) return;
    life.damaged += damaged;
    if (items.length > 0) life.groups.push([...items]);
    log.confirm();
  };
  for (let i = 0; i < appends && !files.isDead; i++) {
    const record = `record${String(life.accepted.length).padStart(2, '0')}`;
    try {
      log.append(Buffer.from(record), i);
      life.accepted.push(record);
    } catch (error) {
      assert.ok(files.isDead, String(error));
    }
    if (i % 3 === 2) await handOn();
  }
  while (death === never && log.size > 0) await handOn();
  return files;
}

async function assertNothingLost(deaths: readonly Death[]): Promise<boolean> {
  const life: Life = { files: new MemoryFiles(), accepted: [], groups: [], damaged: 0, markers: 0 };
  let areDead = true;
  for (const death of deaths) areDead = (await live(life, death, 7)).isDead && areDead;
  await live(life, never, 1);
  const story = JSON.stringify(deaths);
  const delivered = life.groups.flat();
  assert.deepEqual([...new Set(delivered)], life.accepted, story);
  assert.ok(delivered.length - life.accepted.length <= 2 * deaths.length, `${story}: ${delivered}`);
  const torn = deaths.filter(({ isTorn }) => isTorn).length;
  assert.ok(life.damaged <= torn, `${story}: ${life.damaged} of ${torn} torn records`);
  return areDead;
}

describe('a log whose process is killed at any change of its files', () => {
  for (const isTorn of [false, true]) {
    it(`and the next one too, loses nothing (${isTorn ? 'half' : 'nothing'} of the last write is there)`, async () => {
      let series = 0;
      for (let first = 0; ; first++) {
        let second = 0;
        while (
          await assertNothingLost([
            { atChange: first, isTorn },
            { atChange: second, isTorn },
          ])
        )
          second++;
        series += second;
        if (second === 0) break;
      }
      assert.ok(series > 500, `${series}`);
    });
  }
});
