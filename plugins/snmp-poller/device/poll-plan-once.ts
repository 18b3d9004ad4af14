import { type Batch, type GapReason, gapReasons } from '../../../src/index.ts';
import { workInSlices } from '../../../src/internal.ts';
import { nameInContext, tagsOf } from '../reading/context-name.ts';
import { type ReadOutcome, readPlan } from '../reading/read-plan.ts';
import type { AssembledRecord, FinishedPoll } from '../record/record-assembler.ts';
import type { DueSlot } from '../schedule/slot-schedule.ts';
import { gapsOf } from '../tally/poll-tally.ts';
import type { DeviceTools } from './device-tools.ts';
import { noteMoves } from './note-moves.ts';
import { noteTime } from './note-time.ts';
import type { PlanMemory } from './plan-memory.ts';
import type { PolledDevice } from './polled-device.ts';
import { noteWay } from './way-notes.ts';

/** A poll ends when this share of its interval is over. */
const deadlineShare = 0.8;

/** One poll of one plan, from the request to the batches. Rejects only where no session can be opened. */
export async function pollPlan(
  subject: PolledDevice,
  memory: PlanMemory,
  slot: DueSlot,
  tools: DeviceTools,
): Promise<readonly Batch[]> {
  const { clock, events } = tools;
  const { plan } = memory;
  const { device, context } = subject;
  const { ref, settings } = device;
  // What holds at the beginning holds to the end, whatever is applied in between.
  const { generation } = subject;
  const withForeign = !memory.knowsForeign;
  const columns = memory.begin();
  const begunMs = clock.now();
  const withinMs = deadlineShare * plan.everyMs - slot.lateMs;
  const session = await subject.openSession();
  const askedMs = clock.now();
  const outcome = await readPlan(session, plan, columns, { withForeign, withinMs });
  const endedMs = clock.now();
  const durationMs = endedMs - begunMs;

  // Its clock was read with the first reply: the rest of a slow poll is no time that the device lacks.
  const at = memory.timeOf(columns, askedMs + (outcome.firstAfterMs ?? endedMs - askedMs));
  if (noteTime(subject, at, tools)) for (const each of [memory, ...subject.memories]) each.forgetForeign();
  const counts = new Uint32Array(gapReasons.length);
  const name = nameInContext(plan.name, context);
  const timeMs = Math.round(clock.wallNow());
  const names = { unnamed: 0 };
  const finished = { columns, names, readsForeign: withForeign, at };
  const assembled = await workInSlices(assembleAll(memory, finished, counts, tools), clock);
  const values = counts[0]!;
  if (values > 0) {
    if (withForeign && outcome.failure === undefined) memory.knowsForeign = true;
    memory.keep(columns, slot.slotMs);
  }
  tallyPoll(subject, counts, names.unnamed, durationMs, outcome, tools);
  noteWay(subject, session, outcome.failure, tools);
  reportContact(subject, outcome, tools);

  const batches: Batch[] = [];
  if (values > 0) {
    noteMoves(subject, memory, assembled, tools);
    const tags = tagsOf(settings, context);
    for (const [position, record] of memory.records.entries()) {
      const brought = assembled[position]!;
      // Spelled out, for an object that is made by spreading others has a hidden class of its own.
      const batch: Batch = {
        device: ref,
        tags,
        record: brought.record,
        plan: name,
        generation,
        sequence: tools.nextSequence(),
        slotMs: slot.slotMs,
        timeMs,
        rows: brought.rows,
        columns: brought.columns,
      };
      record.latest = batch;
      batches.push(batch);
      tools.push(batch);
    }
    const cause = subject.watched.compare(plan, columns);
    if (cause !== undefined) tools.requestDiscovery(device, cause);
  }
  const summary = {
    device: ref,
    plan: name,
    slotMs: slot.slotMs,
    durationMs,
    packets: outcome.replies,
    gaps: gapsOf(counts),
  };
  if (values > 0) events.emit('poll.completed', { ...summary, values });
  else events.emit('poll.failed', { ...summary, reason: mostFrequent(counts) });
  return batches;
}

function* assembleAll(
  memory: PlanMemory,
  poll: FinishedPoll,
  counts: Uint32Array,
  { assembler }: DeviceTools,
): Generator<void, AssembledRecord[]> {
  const assembled: AssembledRecord[] = [];
  for (const record of memory.records) {
    assembled.push(yield* assembler.assemble(record, poll, counts));
    yield;
  }
  return assembled;
}

function tallyPoll(
  subject: PolledDevice,
  counts: Uint32Array,
  unnamed: number,
  durationMs: number,
  { replies, varbinds }: ReadOutcome,
  tools: DeviceTools,
): void {
  for (const tally of [subject.tally, tools.tally]) {
    tally.polls++;
    if (counts[0] === 0) tally.failedPolls++;
    tally.packets += replies;
    tally.varbinds += varbinds;
    tally.unnamed += unnamed;
    tally.count(counts);
  }
  tools.durations.add(durationMs);
  subject.lastDurationMs = durationMs;
  subject.lastPollMs = tools.clock.wallNow();
}

/** Failures of ours, which say nothing of the device. */
const notAsked: ReadonlySet<string | undefined> = new Set(['SNMP_CLOSED', 'SNMP_ABORTED', 'SNMP_NOT_SENT']);

function reportContact(subject: PolledDevice, { replies, failure }: ReadOutcome, tools: DeviceTools): void {
  // Of a device that is suspect already only probes tell: polls of its other intervals may have begun before.
  if (replies === 0 && (notAsked.has(failure) || subject.isSilent)) return;
  tools.reportContact(
    subject.device,
    replies > 0 ? { answered: true } : { answered: false, why: `a poll brought no reply (${failure})` },
  );
}

function mostFrequent(counts: Uint32Array): GapReason {
  let most = 1;
  for (let code = 2; code < counts.length; code++) if (counts[code]! > counts[most]!) most = code;
  return gapReasons[most]!;
}
