import type { SliceTurns } from '../../../src/timing/index.ts';
import type { HistoryStore } from '../history-store.ts';
import { blockKey, type RecentFile } from '../recent/recent-file.ts';
import type { Sample } from '../recent/sample-form.ts';
import type { HistoryQuestion } from '../service.ts';
import { rateLookBackMs } from './answer-builder.ts';
import type { ReadBlock } from './read-block.ts';
import type { Selections } from './selections.ts';

interface HeldFile {
  readonly file: RecentFile;
  readonly release: () => void;
  /** By device. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/**
 * The recent polls that a question is about, as they are at this moment: later they may be in another file. Their files can be read until
 * `release`.
 */
export class RecentPolls {
  readonly #held: readonly HeldFile[];

  constructor(store: HistoryStore, { devices, record, fromMs, toMs }: HistoryQuestion) {
    this.#held = store.recentFiles().map((file) => {
      const samples = new Map(
        devices.map((device) => [
          device,
          file
            .samplesOf(blockKey(device, record))
            .filter(({ timeMs }) => timeMs >= fromMs - rateLookBackMs && timeMs <= toMs),
        ]),
      );
      return { file, samples, release: file.hold() };
    });
  }

  *samples(): Generator<Sample> {
    for (const { samples } of this.#held) for (const list of samples.values()) yield* list;
  }

  /** One poll of each device, as far as the newest file has it. */
  *newest(): Generator<Sample> {
    for (const samples of this.#held.at(-1)?.samples.values() ?? []) yield* samples.slice(-1);
  }

  /** By device, in the order of their times. */
  async read(
    devices: readonly string[],
    selections: Selections,
    turns: SliceTurns,
    { reportDamage }: Pick<HistoryStore, 'reportDamage'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ReadBlock[]>> {
    const blocks = new Map(devices.map((device): [string, ReadBlock[]] => [device, []]));
    for (const { file, samples } of this.#held) {
      const wanted = devices.flatMap((device) => samples.get(device) ?? []);
      for await (const { sample, read } of file.readMany(wanted)) {
        signal.throwIfAborted();
        const pause = turns.rest();
        if (pause !== undefined) await pause;
        const { shape, timeMs } = sample;
        const known = selections.of(shape, 0);
        const selection = known instanceof Promise ? await known : known;
        const { rows, columns, markIndex = [] } = selection;
        if (rows.length === 0) continue;
        const isAll = rows.length === shape.keys.length;
        const values = read(columns.map(({ index }) => index).concat(markIndex), isAll ? undefined : rows);
        if (values === undefined) {
          reportDamage(file.path);
          continue;
        }
        blocks.get(shape.device)!.push({
          shape,
          times: [timeMs],
          started: [values.startedMs],
          selection,
          columns: columns.map(({ index }) => values.columns[index]),
          marks: values.columns[selection.markIndex ?? -1],
          spanMs: 0,
          untilMs: Number.POSITIVE_INFINITY,
        });
      }
    }
    for (const list of blocks.values()) list.sort((a, b) => a.times[0]! - b.times[0]!);
    return blocks;
  }

  release(): void {
    for (const { release } of this.#held) release();
  }
}
