import { isMissing } from '../../../src/storage/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { ColumnValues } from '../chunk/block.ts';
import type { HistoryStore } from '../history-store.ts';
import { blockKey } from '../recent/recent-file.ts';
import type { HistoryAnswer, HistoryQuestion } from '../service.ts';
import type { StoredBlock, TierFile } from '../tiers/tier-file.ts';
import type { TierEntry } from '../tiers/tier-folder.ts';
import { hourSpanMs, minuteSpanMs, tierSpansMs } from '../tiers/tier-names.ts';
import { AnswerBuilder, rateLookBackMs } from './answer-builder.ts';
import { addBlock, type ReadBlock } from './read-block.ts';
import { RecentPolls } from './recent-polls.ts';
import { type Selection, Selections } from './selections.ts';

/** Answers one question from the files of a store, in turns with other work. */
export async function readHistory(
  store: HistoryStore,
  question: HistoryQuestion,
  signal: AbortSignal,
): Promise<HistoryAnswer> {
  for (;;) {
    const answer = await new HistoryReading(store, question, signal).run();
    if (answer !== undefined) return answer;
  }
}

/** So many files are read side by side. They are added in their order. */
const readsAtOnce = 8;
/** Each file is opened once, if a question reads no more files than these. */
const mostOpenFiles = 32;
/** The recent polls of so many devices are in memory at once. */
const devicesAtOnce = 32;
/** Blocks of so many files stay in memory between counting their values and reading them. */
const mostKept = 256;

interface FilePart {
  readonly entry: TierEntry;
  /** Later values come from another tier. */
  readonly untilMs: number;
}

/** A block of a file that has something of what is wanted. */
interface FoundBlock {
  readonly block: StoredBlock;
  readonly selection: Selection;
}

class HistoryReading {
  readonly #store: HistoryStore;
  readonly #turns: SliceTurns;
  readonly #question: HistoryQuestion;
  readonly #devices: readonly string[];
  readonly #signal: AbortSignal;
  readonly #answer: AnswerBuilder;
  readonly #selections: Selections;
  /** Files that stay open until the answer is complete. */
  readonly #opened = new Map<string, Promise<TierFile>>();
  /** By device and file. */
  readonly #found = new Map<string, readonly FoundBlock[]>();
  #keepsOpen = false;
  #isOutdated = false;

  constructor(store: HistoryStore, question: HistoryQuestion, signal: AbortSignal) {
    this.#store = store;
    this.#turns = store.turns;
    this.#devices = [...new Set(question.devices)];
    this.#question = { ...question, devices: this.#devices };
    this.#signal = signal;
    this.#answer = new AnswerBuilder(question, this.#turns);
    this.#selections = new Selections(question, this.#answer, this.#turns);
  }

  /** Undefined when files were merged or removed meanwhile, so that something may be missing. */
  async run(): Promise<HistoryAnswer | undefined> {
    const parts = this.#chooseParts();
    this.#keepsOpen = parts.length <= mostOpenFiles;
    const recent = new RecentPolls(this.#store, this.#question);
    try {
      await this.#count(parts, recent);
      for (let i = 0; i < this.#devices.length; i += devicesAtOnce)
        await this.#addDevices(this.#devices.slice(i, i + devicesAtOnce), parts, recent);
    } finally {
      recent.release();
      for (const opened of this.#opened.values()) (await opened.catch(() => undefined))?.close();
    }
    return this.#isOutdated ? undefined : await this.#answer.build();
  }

  /** Throws when the answer would become too large, before a value is read. With a step, the number of series decides. */
  async #count(parts: readonly FilePart[], recent: RecentPolls): Promise<void> {
    // The newest poll of each device first: they show how many series there are.
    for (const samples of [recent.newest(), recent.samples()]) {
      for (const { shape, timeMs } of samples) {
        this.#signal.throwIfAborted();
        const pause = this.#turns.rest();
        if (pause !== undefined) await pause;
        if (timeMs < this.#question.fromMs) continue;
        const known = this.#selections.of(shape, 0);
        const { rows } = known instanceof Promise ? await known : known;
        if (rows.length > 0) this.#answer.expectTimes([timeMs]);
      }
    }
    if (this.#question.stepMs !== undefined) return;
    const wanted = this.#devices.flatMap((device) => parts.map((part) => ({ device, part })));
    const found = inOrder(wanted, ({ part, device }) => this.#find(part, device), this.#signal);
    for await (const [{ device, part }, blocks] of found) {
      const kept = await this.#select(part, blocks);
      if (this.#found.size < mostKept) this.#found.set(foundKey(part, device), kept);
    }
  }

  async #addDevices(
    devices: readonly string[],
    parts: readonly FilePart[],
    polls: RecentPolls,
  ): Promise<void> {
    const recent = await polls.read(devices, this.#selections, this.#turns, this.#store, this.#signal);
    const wanted = devices.flatMap((device) => [...parts, undefined].map((part) => ({ device, part })));
    const read = inOrder(
      wanted,
      async ({ device, part }) =>
        part === undefined ? (recent.get(device) ?? []) : await this.#readFile(part, device),
      this.#signal,
    );
    for await (const [, blocks] of read) {
      for (const block of blocks) {
        this.#signal.throwIfAborted();
        await addBlock(block, this.#turns);
      }
    }
  }

  /**
   * The files to read, the oldest first. A step needs no finer tier than its own; what that tier does not have yet is in a finer
   * one, and what it does not have any more in a coarser one.
   */
  #chooseParts(): FilePart[] {
    const { stepMs = 0, fromMs, toMs } = this.#question;
    const store = this.#store;
    const minutes = store.entries('five_minutes');
    const unmerged = minutes.filter(({ first, last }) => first === last);
    const polledFromMs =
      stepMs < minuteSpanMs ? (store.tier('polled').fromMs ?? Number.POSITIVE_INFINITY) : 0;
    const always = Number.POSITIVE_INFINITY;
    const until = (entries: readonly TierEntry[], untilMs: number) =>
      entries.map((entry) => ({ entry, untilMs }));
    const parts = [];
    if (stepMs >= hourSpanMs) parts.push(...until([...store.entries('hours'), ...unmerged], always));
    else {
      const minutesFromMs = minutes[0]?.fromMs ?? Number.POSITIVE_INFINITY;
      const finerFromMs = stepMs >= minuteSpanMs ? minutesFromMs : Math.min(minutesFromMs, polledFromMs);
      parts.push(...until(store.entries('hours'), finerFromMs));
      parts.push(...until(minutes, stepMs >= minuteSpanMs ? always : polledFromMs));
      if (stepMs < minuteSpanMs) parts.push(...until(store.entries('polled'), always));
    }
    return parts.filter(
      ({ entry, untilMs }) =>
        entry.fromMs < Math.min(untilMs, toMs + 1) &&
        entry.toMs + tierSpansMs[entry.tier] >= fromMs - (entry.tier === 'polled' ? rateLookBackMs : 0),
    );
  }

  /** The blocks of a device in a file. None of a file that has been removed meanwhile. */
  async #find({ entry }: FilePart, device: string): Promise<readonly StoredBlock[]> {
    const key = blockKey(device, this.#question.record);
    const find = (file: TierFile) => this.#unlessDamaged(entry, file.find(key));
    return (await this.#withFile(entry, find)) ?? [];
  }

  /** What is wanted of the blocks. Throws when the answer would become too large. */
  async #select({ entry, untilMs }: FilePart, blocks: readonly StoredBlock[]): Promise<FoundBlock[]> {
    const spanMs = tierSpansMs[entry.tier];
    const found: FoundBlock[] = [];
    for (const block of blocks) {
      const selection = await this.#selections.of(block.head.shape, spanMs);
      if (selection.rows.length === 0) continue;
      this.#answer.expectTimes(block.head.times.filter((timeMs) => timeMs + spanMs <= untilMs));
      found.push({ block, selection });
    }
    return found;
  }

  /** Reads what is wanted of a file. */
  async #readFile(part: FilePart, device: string): Promise<readonly ReadBlock[]> {
    const { entry, untilMs } = part;
    const spanMs = tierSpansMs[entry.tier];
    const key = foundKey(part, device);
    const found = this.#found.get(key) ?? (await this.#select(part, await this.#find(part, device)));
    this.#found.delete(key);
    const read: ReadBlock[] = [];
    if (found.length === 0) return read;
    await this.#withFile(entry, async (file) => {
      for (const { block, selection } of found) {
        const { rows, markIndex } = selection;
        const columns: (ColumnValues | undefined)[] = [];
        const readColumn = (index: number) => this.#unlessDamaged(entry, file.column(block, index, rows));
        for (const { index } of selection.columns) {
          this.#signal.throwIfAborted();
          columns.push(await readColumn(index));
        }
        const marks = markIndex === undefined ? undefined : await readColumn(markIndex);
        read.push({ ...block.head, selection, columns, marks, spanMs, untilMs });
      }
    });
    return read;
  }

  async #withFile<Result>(
    entry: TierEntry,
    work: (file: TierFile) => Promise<Result>,
  ): Promise<Result | undefined> {
    const file = await this.#unlessDamaged(entry, this.#open(entry));
    if (file === undefined) return undefined;
    try {
      return await work(file);
    } finally {
      if (!this.#opened.has(entry.path)) file.close();
    }
  }

  #open(entry: TierEntry): Promise<TierFile> {
    const opened = this.#opened.get(entry.path) ?? this.#store.openFile(entry);
    if (this.#keepsOpen) this.#opened.set(entry.path, opened);
    return opened;
  }

  /** A file that cannot be read never costs the values of the others. */
  async #unlessDamaged<Part>(entry: TierEntry, part: Promise<Part>): Promise<Part | undefined> {
    try {
      return await part;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (isMissing(error)) {
        this.#store.forget(entry);
        this.#isOutdated = true;
      } else if (isShortage(error)) throw error;
      else this.#store.reportDamage(entry.path, error);
      return undefined;
    }
  }
}

/** Works on a few items side by side, and gives the results in the order of the items. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<readonly [Item, Result]> {
  const begun: Promise<Result>[] = [];
  try {
    for (const [i, item] of items.entries()) {
      for (const next of items.slice(i + begun.length, i + readsAtOnce)) {
        signal.throwIfAborted();
        const result = work(next);
        // It is awaited later.
        result.catch(() => {});
        begun.push(result);
      }
      yield [item, await begun[0]!];
      begun.shift();
    }
  } finally {
    await Promise.allSettled(begun);
  }
}

/** Whether the machine, and not the file, is the reason. */
function isShortage(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE', 'ENOMEM'].includes(String(error.code))
  );
}

function foundKey({ entry: { path } }: FilePart, device: string): string {
  return `${path}\n${device}`;
}
