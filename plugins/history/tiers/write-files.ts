import { TierFileWriter } from './tier-file.ts';
import type { TierFolder } from './tier-folder.ts';
import type { TierName } from './tier-names.ts';

/**
 * Writes files of tiers from the recent files with these numbers. The first of them gets its name last: when it is there, the others are.
 * `replace` removes in the same step what they hold, so that no question finds both.
 */
export async function writeFiles(
  folder: TierFolder,
  tiers: readonly TierName[],
  [first, last]: readonly [first: number, last: number],
  fill: (writers: readonly TierFileWriter[]) => Promise<void>,
  replace: () => void,
): Promise<void> {
  const { files } = folder;
  const paths = tiers.map((tier) => folder.unfinishedPath(tier, first));
  const writers: TierFileWriter[] = [];
  try {
    for (const path of paths) writers.push(new TierFileWriter(files, path));
    await fill(writers);
    for (const writer of writers) writer.finish();
  } catch (error) {
    for (const path of paths) files.remove(path);
    throw error;
  } finally {
    for (const writer of writers) writer.close();
  }
  for (const [i, { fromMs, toMs }] of [...writers.entries()].reverse()) {
    if (toMs === 0) files.remove(paths[i]!);
    else folder.add({ tier: tiers[i]!, first, last, fromMs, toMs }, paths[i]!);
  }
  replace();
}
