import { monotonicFactory } from 'ulid';
import type { CompiledNotification, DefinitionSections } from '../../src/definitions/index.ts';
import { deviceKey, type EventBus, type Inventory, type Pipeline } from '../../src/index.ts';
import type { Verdict } from '../../src/snmp/index.ts';
import type { Device } from '../device-registry/service.ts';
import type {
  DecodedNotification,
  DeviceKnowledge,
  NotificationDecoder,
} from './decoding/notification-decoder.ts';
import type { TrapOptions } from './options.ts';
import type { ReceivedNotification } from './receiving/wire-form.ts';
import { RepeatWindows } from './record/repeat-windows.ts';
import { SharedColumns } from './record/shared-columns.ts';
import { openKey, TrapLog } from './record/trap-log.ts';
import { buildTrapBatch, summarizeTrap, type TrapSummary } from './record/trap-record.ts';
import type { DeviceFinder, IdentifiedDevice } from './senders/device-finder.ts';

export interface IntakeParts {
  readonly options: Pick<
    TrapOptions,
    'outputs' | 'varbinds' | 'keep' | 'events_per_second' | 'overrides' | 'informs' | 'repeats'
  >;
  readonly pipeline: Pick<Pipeline, 'push' | 'isPaused'>;
  readonly events: EventBus;
  readonly finder: DeviceFinder;
  findInventory(device: Device): Inventory | undefined;
  findLabels(device: Device, table: string, instance: string): Readonly<Record<string, string>> | undefined;
  onAccepted(trap: AcceptedTrap): void;
}

export interface AcceptedTrap {
  readonly summary: TrapSummary;
  readonly decoded: DecodedNotification;
  readonly received: ReceivedNotification;
  readonly subject: IdentifiedDevice;
}

/** Informs of which the next try must have the same trap id. */
const maxRetried = 10_000;
/** How long the labels of a row are kept for further notifications about it: to find them costs more than to decode a varbind. */
const labelsMs = 1_000;
/** Rows of one device with kept labels. */
const maxLabelled = 64;
const isUnknown: DeviceKnowledge = { hasObject: () => false, findLabels: () => undefined };

/** Makes a record of each notification, and passes it on. */
export class TrapIntake {
  readonly log: TrapLog;
  readonly #parts: IntakeParts;
  /** Ids are unique, not secret: the random octets of the system cost as much as all else of a record. */
  readonly #nextId = monotonicFactory(Math.random);
  readonly #outputs: ReadonlySet<string> | undefined;
  readonly #columns = new SharedColumns();
  readonly #severities: Record<string, TrapSummary['severity'] | undefined> = {};
  readonly #muted = new Map<string, boolean>();
  readonly #knowledge = new WeakMap<Device, DeviceKnowledge>();
  /** Trap ids by the number of the inform. */
  readonly #retried = new Map<number, string>();
  #decoder: NotificationDecoder | undefined;
  /** Notifications that others end, and which. */
  readonly #endedBy = new Map<string, readonly string[]>();
  readonly #repeats: RepeatWindows<AcceptedTrap>;
  #sequence = 0;
  #eventSecond = 0;
  #events = 0;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    const { outputs, keep, overrides, repeats } = parts.options;
    this.#repeats = new RepeatWindows(1000 * repeats.within_s, (last, count) => {
      const nowMs = Date.now();
      const summary = { ...last.summary, trapId: this.#nextId(nowMs) };
      this.#record({ ...last, summary }, this.#decoder?.generation ?? 0, nowMs, count);
    });
    this.log = new TrapLog(keep);
    this.#outputs = outputs.length === 0 ? undefined : new Set(outputs);
    for (const [id, { severity, muted }] of Object.entries(overrides)) {
      if (severity !== undefined) this.#severities[id] = severity;
      if (muted !== undefined) this.#muted.set(id, muted);
    }
  }

  /** The next notification is decoded by these definitions. Until the first call all are refused. */
  useDecoder(
    decoder: NotificationDecoder,
    { notifications }: Pick<DefinitionSections, 'notifications'>,
  ): void {
    this.#decoder = decoder;
    this.#endedBy.clear();
    for (const { id, clears } of notifications.values()) {
      for (const name of clears) this.#endedBy.set(name, [...(this.#endedBy.get(name) ?? []), id]);
    }
  }

  take(received: ReceivedNotification): Verdict {
    const decoder = this.#decoder;
    const { finder, pipeline, options } = this.#parts;
    if (decoder === undefined) return 'queue';
    const subject = finder.find(received);
    const decoded = decoder.decode(received, this.#knowledgeOf(subject.device));
    const { definition } = decoded;
    if (definition !== undefined && (this.#muted.get(definition.id) ?? definition.isMuted)) return 'muted';
    const isInform = received.informId !== 0;
    if (isInform && pipeline.isPaused) return 'queue';
    const nowMs = Date.now();
    const trapId = this.#retried.get(received.informId) ?? this.#nextId(nowMs);
    const summary = summarizeTrap(trapId, received, decoded, { severities: this.#severities });
    const trap: AcceptedTrap = { summary, decoded, received, subject };
    const findsRepeats = options.repeats.within_s > 0;
    const about = findsRepeats ? aboutOf(trap) : '';
    if (findsRepeats && this.#repeats.isRepeat(about, contentOf(received), trap, nowMs)) return 'repeat';
    const isTaken = this.#record(trap, decoder.generation, nowMs);
    if (isInform && !isTaken) {
      this.#repeats.forget(about);
      this.#rememberRetry(received.informId, trapId);
      return 'queue';
    }
    if (isInform && options.informs.acknowledge === 'synced') this.#rememberRetry(received.informId, trapId);
    else this.#retried.delete(received.informId);
    this.#parts.onAccepted(trap);
    return 'accepted';
  }

  /** What `take` accepted is on the disk: the informs get no other try. */
  forgetRetries(informIds: readonly number[]): void {
    for (const informId of informIds) this.#retried.delete(informId);
  }

  /** Records what has repeated until now, when its time is over. */
  endRepeats(nowMs = Number.POSITIVE_INFINITY): void {
    this.#repeats.endOld(nowMs);
  }

  /** Returns whether the outputs have it. An inform that they do not have leaves no trace. */
  #record(
    { summary, decoded, received, subject }: AcceptedTrap,
    generation: number,
    nowMs: number,
    repeats?: number,
  ): boolean {
    const { pipeline, options } = this.#parts;
    const ends = endsOf(decoded.definition, decoded);
    // States that follow each other are no repeats, and what has repeated before is recorded before.
    if (repeats === undefined) {
      for (const name of [...ends, ...(this.#endedBy.get(summary.name) ?? [])])
        if (name !== summary.name) this.#repeats.end(openKey(subject.ref, name, summary.about));
    }
    const ended = ends.length === 0 ? undefined : this.log.findOpen(subject.ref, ends, summary.about);
    const batch = buildTrapBatch(received, decoded, summary, subject, {
      generation,
      sequence: this.#sequence++,
      timeMs: nowMs,
      clears: ended?.trapId,
      repeats,
      varbinds: options.varbinds,
      columns: this.#columns,
    });
    const isTaken = pipeline.push(batch, this.#outputs);
    if (!isTaken && received.informId !== 0 && repeats === undefined) return false;
    const { ref: device, identity } = subject;
    const { trapId, name, oid, severity, category, message, about } = summary;
    const logged = {
      trapId,
      name,
      oid,
      severity,
      category,
      message,
      about,
      device,
      identity,
      received,
      clears: ended?.trapId,
      clearedBy: undefined,
      polls: [],
    };
    this.log.add(logged, {
      ends,
      canEnd: this.#endedBy.has(summary.name) && !ends.includes(summary.name),
      isAgain: this.#retried.has(received.informId),
    });
    this.#emit(summary, received, subject, nowMs);
    return isTaken;
  }

  #knowledgeOf(device: Device | undefined): DeviceKnowledge {
    if (device === undefined) return isUnknown;
    let known = this.#knowledge.get(device);
    if (known === undefined) {
      known = this.#createKnowledge(device);
      this.#knowledge.set(device, known);
    }
    return known;
  }

  #createKnowledge(device: Device): DeviceKnowledge {
    const { findInventory, findLabels } = this.#parts;
    const kept = new Map<
      string,
      { readonly table: string; readonly labels: Labels; readonly untilMs: number }
    >();
    return {
      hasObject: (id) => findInventory(device)?.objects.has(id) === true,
      findLabels(table, instance) {
        const nowMs = performance.now();
        const found = kept.get(instance);
        if (found?.table === table && nowMs < found.untilMs) return found.labels;
        const labels = findLabels(device, table, instance);
        if (kept.size >= maxLabelled) kept.clear();
        kept.set(instance, { table, labels, untilMs: nowMs + labelsMs });
        return labels;
      },
    };
  }

  #rememberRetry(informId: number, trapId: string): void {
    this.#retried.set(informId, trapId);
    if (this.#retried.size > maxRetried) this.#retried.delete(this.#retried.keys().next().value!);
  }

  #emit(
    { trapId, name, oid, severity, category, message }: TrapSummary,
    { source, version, kind, level }: ReceivedNotification,
    { ref }: IdentifiedDevice,
    nowMs: number,
  ): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#eventSecond) {
      this.#eventSecond = second;
      this.#events = 0;
    }
    if (this.#events++ >= this.#parts.options.events_per_second) return;
    const authenticated = level !== 'noAuthNoPriv';
    this.#parts.events.emit('trap.received', {
      device: ref,
      trapId,
      name,
      oid,
      severity,
      category,
      message,
      source,
      version,
      kind,
      authenticated,
    });
  }
}

type Labels = Readonly<Record<string, string>> | undefined;

/** What its repeats are found by. */
function aboutOf({ summary, decoded, received, subject }: AcceptedTrap): string {
  const about = decoded.definition === undefined ? contentOf(received) : summary.about;
  return openKey(subject.ref, summary.name, about);
}

/** What is equal in two notifications that differ only in their time. */
function contentOf({ oid, agentAddress, security, varbinds }: ReceivedNotification): string {
  const values = varbinds.map(({ oid: name, type, value }) =>
    type === 'TimeTicks' ? name : `${name} ${type} ${value}`,
  );
  return JSON.stringify([oid, agentAddress, security?.context, ...values]);
}

/** The names of the notifications that this one ends. */
function endsOf(
  definition: CompiledNotification | undefined,
  { rows }: DecodedNotification,
): readonly string[] {
  if (definition === undefined || definition.clears.length === 0) return [];
  const { clears, clearsWhen } = definition;
  if (clearsWhen === undefined) return clears;
  const value = rows[0]?.values[clearsWhen.field] ?? rows[0]?.labels[clearsWhen.field];
  return value !== undefined && clearsWhen.in.includes(String(value)) ? clears : [];
}

type Counted = Pick<IdentifiedDevice, 'ref' | 'tags'>;

/** All senders that are no registered devices. */
const others: Counted = { ref: { name: 'other', ip: '0.0.0.0', port: 0 }, tags: {} };

interface CountedDevice {
  subject: Counted;
  /** By name, and by severity. */
  readonly counts: Map<string, Map<string, number>>;
}

/** Counts of notifications by device, for outputs that keep latest numbers. */
export class TrapCounts {
  readonly #devices = new Map<string, CountedDevice>();
  /** The same, found without a key to build: that would cost as much as the count. */
  #known = new WeakMap<Device, CountedDevice>();

  /** Only registered devices have series of their own: a stranger must not make any. */
  add({ summary, decoded, subject }: AcceptedTrap): void {
    const { device } = subject;
    const { counts } = (device && this.#known.get(device)) ?? this.#find(subject);
    const name = decoded.definition === undefined ? 'other' : summary.name;
    let bySeverity = counts.get(name);
    if (bySeverity === undefined) {
      bySeverity = new Map();
      counts.set(name, bySeverity);
    }
    bySeverity.set(summary.severity, (bySeverity.get(summary.severity) ?? 0) + 1);
  }

  forget(key: string): void {
    this.#devices.delete(key);
    this.#known = new WeakMap();
  }

  *list(): Generator<{
    readonly subject: Counted;
    readonly counts: readonly { readonly name: string; readonly severity: string; readonly count: number }[];
  }> {
    for (const { subject, counts } of this.#devices.values()) {
      yield {
        subject,
        counts: Array.from(counts, ([name, bySeverity]) =>
          Array.from(bySeverity, ([severity, count]) => ({ name, severity, count })),
        ).flat(),
      };
    }
  }

  #find(subject: IdentifiedDevice): CountedDevice {
    const { device } = subject;
    const { ref, tags } = device === undefined ? others : subject;
    const key = deviceKey(ref);
    const counted = this.#devices.get(key) ?? { subject: { ref, tags }, counts: new Map() };
    // A device that has changed may have other tags.
    counted.subject = { ref, tags };
    this.#devices.set(key, counted);
    if (device !== undefined) this.#known.set(device, counted);
    return counted;
  }
}
