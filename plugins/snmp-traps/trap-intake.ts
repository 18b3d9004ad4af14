import { monotonicFactory } from 'ulid';
import { type Batch, deviceKey, type EventBus, type Inventory, type Pipeline } from '../../src/index.ts';
import type { CompiledNotification, DefinitionSections } from '../../src/internal.ts';
import type { Verdict } from '../../src/snmp/index.ts';
import type { Device } from '../device-registry/service.ts';
import type {
  DecodedNotification,
  DeviceKnowledge,
  NotificationDecoder,
} from './decoding/notification-decoder.ts';
import type { TrapOptions } from './options.ts';
import type { ReceivedNotification } from './receiving/wire-form.ts';
import { TrapLog } from './record/trap-log.ts';
import { buildTrapBatch, summarizeTrap, type TrapSummary } from './record/trap-record.ts';
import type { DeviceFinder, IdentifiedDevice } from './senders/device-finder.ts';

export interface IntakeParts {
  readonly options: Pick<TrapOptions, 'outputs' | 'varbinds' | 'keep' | 'events_per_second' | 'overrides'>;
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
const isUnknown: DeviceKnowledge = { hasObject: () => false, findLabels: () => undefined };

/** Makes a record of each notification, and passes it on. */
export class TrapIntake {
  readonly log: TrapLog;
  readonly #parts: IntakeParts;
  readonly #nextId = monotonicFactory();
  readonly #outputs: ReadonlySet<string> | undefined;
  readonly #severities: Record<string, TrapSummary['severity'] | undefined> = {};
  readonly #muted = new Map<string, boolean>();
  /** Trap ids by the number of the inform. */
  readonly #retried = new Map<number, string>();
  #decoder: NotificationDecoder | undefined;
  /** Notifications that another one ends. */
  #endable: ReadonlySet<string> = new Set();
  #sequence = 0;
  #eventSecond = 0;
  #events = 0;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    const { outputs, keep, overrides } = parts.options;
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
    this.#endable = new Set([...notifications.values()].flatMap(({ clears }) => clears));
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
    const ends = endsOf(definition, decoded);
    const ended = ends.length === 0 ? undefined : this.log.findOpen(subject.ref, ends, summary.about);
    const batch: Batch = {
      ...buildTrapBatch(received, decoded, summary, subject, {
        generation: decoder.generation,
        sequence: this.#sequence++,
        timeMs: nowMs,
        clears: ended?.trapId,
        varbinds: options.varbinds,
      }),
      kind: 'event',
    };
    const isTaken = pipeline.push(batch, this.#outputs);
    if (isInform && !isTaken) {
      this.#rememberRetry(received.informId, trapId);
      return 'queue';
    }
    this.#retried.delete(received.informId);
    const { ref: device, identity } = subject;
    const logged = { ...summary, device, identity, received, clears: ended?.trapId, clearedBy: undefined };
    this.log.add(logged, { ends, canEnd: this.#endable.has(summary.name) && !ends.includes(summary.name) });
    this.#emit(summary, received, subject, nowMs);
    this.#parts.onAccepted({ summary, decoded, received, subject });
    return 'accepted';
  }

  #knowledgeOf(device: Device | undefined): DeviceKnowledge {
    if (device === undefined) return isUnknown;
    const { findInventory, findLabels } = this.#parts;
    return {
      hasObject: (id) => findInventory(device)?.objects.has(id) === true,
      findLabels: (table, instance) => findLabels(device, table, instance),
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

/** Counts of notifications by device, for outputs that keep latest numbers. */
export class TrapCounts {
  readonly #devices = new Map<
    string,
    { readonly subject: IdentifiedDevice; readonly counts: Map<string, number> }
  >();

  /** Only registered devices: a stranger must not make series. */
  add({ summary, decoded, subject }: AcceptedTrap): void {
    if (subject.device === undefined) return;
    const key = deviceKey(subject.ref);
    let known = this.#devices.get(key);
    if (known === undefined) {
      known = { subject, counts: new Map() };
      this.#devices.set(key, known);
    }
    const name = decoded.definition === undefined ? 'other' : summary.name;
    const series = `${name} ${summary.severity}`;
    known.counts.set(series, (known.counts.get(series) ?? 0) + 1);
  }

  forget(key: string): void {
    this.#devices.delete(key);
  }

  *list(): Generator<{
    readonly subject: IdentifiedDevice;
    readonly counts: readonly { readonly name: string; readonly severity: string; readonly count: number }[];
  }> {
    for (const { subject, counts } of this.#devices.values()) {
      yield {
        subject,
        counts: Array.from(counts, ([series, count]) => {
          const at = series.lastIndexOf(' ');
          return { name: series.slice(0, at), severity: series.slice(at + 1), count };
        }),
      };
    }
  }
}
