import { type Batch, type GapReason, gapReasons, type MibNames } from '../../../src/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import type { DeviceTime } from '../counter/device-time.ts';
import { slotOf } from '../plan/poll-plan.ts';
import { gapsOf } from '../poll-tally.ts';
import type { AssembledRecord, FinishedPoll } from '../record/assembled-record.ts';
import { mergeRecords, mergeRows } from '../record/merge-records.ts';
import type { DueSlot } from '../slot-schedule.ts';
import { nameInContext, tagsOf } from './context-name.ts';
import { type DeviceState, detectRestart, recordPathStats } from './device-state.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PlanMemory } from './plan-memory.ts';
import { joinOutcomes, type ReadOutcome, readPlan } from './read-plan.ts';
import { reportRenumbering } from './row-renumbering.ts';

/** A poll ends when this share of its interval is over. */
const deadlineShare = 0.8;

/** Runs one plan for one device, from the first request to the batches. Rejects only when no session can be opened. */
export function runPoll(
  state: DeviceState,
  memory: PlanMemory,
  slot: DueSlot,
  tools: DeviceTools,
): Promise<readonly Batch[]> {
  return new DevicePoll(state, memory, slot, tools).run();
}

/** One run of one plan for one device: its requests, its values and gaps, its batches, and its outcome. */
class DevicePoll {
  readonly #state: DeviceState;
  readonly #memory: PlanMemory;
  readonly #slot: DueSlot;
  readonly #tools: DeviceTools;
  /** Settings and definitions that change during the poll take effect with the next one. */
  readonly #generation: number;
  readonly #tags: Readonly<Record<string, string>>;
  readonly #name: string;
  /** Of the claim with which the device was asked. */
  readonly #epoch: number | undefined;
  /** Whether this poll reads the labels that other plans poll. */
  #withForeign: boolean;
  readonly #columns: PollColumns;
  /** Missing values by gap code. Index 0 counts the values that were read. */
  readonly #counts = new Uint32Array(gapReasons.length);
  #durationMs = 0;
  /** Whether the poll returned a value or a label. */
  #hasContent = false;

  constructor(state: DeviceState, memory: PlanMemory, slot: DueSlot, tools: DeviceTools) {
    this.#state = state;
    this.#memory = memory;
    this.#slot = slot;
    this.#tools = tools;
    this.#generation = state.generation;
    this.#tags = tagsOf(state.device.settings, state.context);
    this.#name = nameInContext(memory.plan.name, state.context);
    this.#epoch = tools.shards.epochOf(state.shard);
    this.#withForeign = !memory.knowsForeign;
    this.#columns = memory.begin();
  }

  async run(): Promise<readonly Batch[]> {
    const { clock } = this.#tools;
    const { plan } = this.#memory;
    const begunMs = clock.now();
    const withinMs = deadlineShare * plan.everyMs - this.#slot.lateMs;
    const session = await this.#state.session.get();
    const askedMs = clock.now();
    const { maxPollBytes: maxBytes } = this.#tools;
    const part = this.#withForeign ? 'all' : 'values';
    const isEndless = this.#state.inventory?.cut !== undefined;
    const { absent } = this.#memory;
    const asked = {
      requests: absent.begin(this.#state.device.ref.name, begunMs),
      isLeftOut: (slot: number) => absent.isLeftOut(slot),
      maxBytes,
      isEndless,
    };
    let outcome = await readPlan(session, plan, this.#columns, { ...asked, part, withinMs });
    absent.end(this.#columns, outcome);
    // The first reply has the device's clock. The rest of a slow poll must not count as time that the device lost.
    const readMs = outcome.firstAfterMs === undefined ? clock.now() : askedMs + outcome.firstAfterMs;
    const at = this.#memory.timeOf(this.#columns, readMs);
    this.#checkForRestart(at);
    if (!this.#withForeign && !this.#memory.knowsForeign) {
      // They were forgotten meanwhile, by this poll or another one of the device.
      this.#withForeign = true;
      const leftMs = Math.max(0, withinMs - (clock.now() - askedMs));
      const rest = { ...asked, part: 'labels', withinMs: leftMs } as const;
      outcome = joinOutcomes(outcome, await readPlan(session, plan, this.#columns, rest));
    }
    this.#durationMs = clock.now() - begunMs;
    const timeMs = Math.round(clock.wallNow());
    const names = { unnamed: 0 };
    const finished = { columns: this.#columns, names, readsForeign: this.#withForeign, at };
    const work = assembleAll(this.#memory, finished, this.#counts, this.#tools);
    const assembled = await this.#tools.slices.run(work);
    this.#hasContent = this.#counts[0]! > 0 || holdsLabel(this.#memory, this.#columns);
    this.#keepValues(outcome);
    this.#count(names.unnamed, outcome);
    recordPathStats(this.#state, session, outcome.failure, this.#tools);
    this.#reportLongReplies(outcome);
    this.#reportMisordered(outcome);
    this.#reportContact(outcome);
    const batches = this.#hasContent ? this.#publish(assembled, timeMs) : [];
    this.#emitOutcome(outcome);
    return batches;
  }

  /** After a restart, instances may belong to other rows than the ones that labels were read for. */
  #checkForRestart(at: DeviceTime): void {
    if (!detectRestart(this.#state, at, this.#tools)) return;
    this.#memory.forgetForeign();
    for (const memory of this.#state.memories.values()) memory.forgetForeign();
  }

  #keepValues({ failure }: ReadOutcome): void {
    if (!this.#hasContent) return;
    if (this.#withForeign && failure === undefined) this.#memory.knowsForeign = true;
    this.#memory.keep(this.#columns, this.#slot.slotMs, this.#tools.assembler.holdsBatches);
  }

  #count(unnamed: number, { replies, varbinds }: ReadOutcome): void {
    const state = this.#state;
    const tools = this.#tools;
    for (const tally of [state.tally, tools.tally]) {
      tally.polls++;
      if (!this.#hasContent) tally.failedPolls++;
      tally.packets += replies;
      tally.varbinds += varbinds;
      tally.unnamed += unnamed;
      tally.addCounts(this.#counts);
    }
    tools.durations.add(this.#durationMs);
    state.lastDurationMs = this.#durationMs;
    this.#memory.lastDurationMs = this.#durationMs;
    state.lastPollMs = tools.clock.wallNow();
    if (this.#counts[0]! > 0) state.lastSuccessMs = state.lastPollMs;
  }

  /** Said once per device: it would be said at every poll. */
  #reportLongReplies({ failure }: ReadOutcome): void {
    const { path, device } = this.#state;
    if (failure !== 'SNMP_REPLY_BYTES' || path.hasLongReplies) return;
    path.hasLongReplies = true;
    this.#tools.log.warn(
      { device: device.ref.name, maxBytes: this.#tools.maxPollBytes },
      'The replies to a poll exceed max_poll_bytes of snmp-poller. The values behind them have the gap "budget".',
    );
  }

  #reportMisordered({ misordered }: ReadOutcome): void {
    const { path, device } = this.#state;
    const { log, events } = this.#tools;
    for (const table of misordered) {
      if (path.misordered.has(table)) continue;
      path.misordered.add(table);
      log.warn(
        { device: device.ref.name, table },
        'The OIDs in replies to GETBULK do not increase. The table is polled by GET.',
      );
      events.emit('device.misordered', { device: device.ref, table });
    }
  }

  #reportContact({ replies, failure }: ReadOutcome): void {
    // Once a device is suspect only probes count, because polls of its other intervals may have begun earlier.
    if (replies === 0 && (notAsked.has(failure) || this.#state.isSilent)) return;
    this.#tools.reportContact(
      this.#state.device,
      replies > 0 ? { answered: true } : { answered: false, why: `a poll got no reply (${failure})` },
    );
  }

  /** Sends one batch per record down the pipeline. */
  #publish({ records, sensors }: AssembledPoll, timeMs: number): readonly Batch[] {
    const state = this.#state;
    const memory = this.#memory;
    const tools = this.#tools;
    reportRenumbering(state, memory, records, tools);
    const epoch = this.#epoch;
    const batches: Batch[] = [];
    const add = (read: AssembledRecord, mib: MibNames | undefined): Batch => {
      // Spelled out, because an object that is made by spreading others has a hidden class of its own.
      const batch: Batch = {
        device: state.device.ref,
        tags: this.#tags,
        record: read.record,
        plan: this.#name,
        generation: this.#generation,
        sequence: tools.nextSequence(),
        slotMs: this.#slot.slotMs,
        timeMs,
        intervalMs: this.#memory.plan.everyMs,
        startedMs: state.startedMs,
        shard: epoch === undefined ? undefined : state.shard,
        epoch,
        mib,
        rows: read.rows,
        columns: read.columns,
      };
      batches.push(batch);
      tools.push(batch);
      return batch;
    };
    for (const positions of memory.plan.batches) {
      const [first = 0] = positions;
      const record = memory.records[first]!;
      if (positions.length === 1) {
        const batch = add(records[first]!, record.plan.mib);
        record.latest = tools.assembler.keep(batch, record.plan, memory.last!);
        continue;
      }
      const parts = positions.map((position) => records[position]!);
      const name = record.plan.record;
      const merged = mergeRows(
        parts.map(({ rows }) => rows),
        memory.merged.get(name),
      );
      memory.merged.set(name, merged);
      const batch = add(mergeRecords(parts, merged.rows), undefined);
      const latest = tools.assembler.keepWhole(batch);
      for (const position of positions) memory.records[position]!.latest = latest;
    }
    if (sensors !== undefined) {
      const batch = add(sensors, undefined);
      memory.sensors.latest = tools.assembler.keepWhole(batch);
    }
    const cause = state.watched.compare(memory.plan, this.#columns);
    if (cause !== undefined) tools.requestDiscovery(state.device, cause);
    return batches;
  }

  #emitOutcome({ replies }: ReadOutcome): void {
    const { events } = this.#tools;
    const values = this.#counts[0]!;
    const summary = {
      device: this.#state.device.ref,
      plan: this.#name,
      slotMs: this.#slot.slotMs,
      durationMs: this.#durationMs,
      packets: replies,
      gaps: gapsOf(this.#counts),
    };
    if (this.#hasContent) events.emit('poll.completed', { ...summary, values });
    else events.emit('poll.failed', { ...summary, reason: mostFrequent(this.#counts) });
  }
}

/** Whether the poll returned a label: what has only labels to read is not a failure. */
function holdsLabel({ plan }: PlanMemory, { status }: PollColumns): boolean {
  return plan.records.some(({ labels, instances }) =>
    labels.some(({ sources }) =>
      sources.some((source) =>
        instances.some((_, row) => {
          const slot = slotOf(source, row);
          return slot >= 0 && holdsValue(status[slot]!);
        }),
      ),
    ),
  );
}

function* assembleAll(
  memory: PlanMemory,
  poll: FinishedPoll,
  counts: Uint32Array,
  { assembler }: DeviceTools,
): Generator<void, AssembledPoll> {
  const records: AssembledRecord[] = [];
  for (const record of memory.records) {
    records.push(yield* assembler.assemble(record, poll, counts));
    yield;
  }
  if (memory.sensors.sections.length === 0) return { records, sensors: undefined };
  return { records, sensors: yield* assembler.assembleSensors(memory.sensors, poll, counts) };
}

/** The records of one poll, those of `PollPlan.records` first. */
interface AssembledPoll {
  readonly records: readonly AssembledRecord[];
  readonly sensors: AssembledRecord | undefined;
}

/** Failures on Waywiser's side, which say nothing about the device. */
const notAsked: ReadonlySet<string | undefined> = new Set(['SNMP_CLOSED', 'SNMP_ABORTED', 'SNMP_NOT_SENT']);

function mostFrequent(counts: Uint32Array): GapReason {
  let most = 1;
  for (let code = 2; code < counts.length; code++) if (counts[code]! > counts[most]!) most = code;
  return gapReasons[most]!;
}
