import {
  type EventBus,
  explainError,
  type Inventory,
  type InventoryChange,
  type Logger,
} from '../../../src/index.ts';
import { compareInventories, explainCut, listPartial } from '../../../src/model/index.ts';
import type { Definitions } from '../../definitions-loader/service.ts';
import type { InventoryStore } from '../inventory-store.ts';
import { type DefinitionNews, type DiscoverTools, discoverDevice } from '../survey/discover-device.ts';
import { PacedSession } from './paced-session.ts';
import type { QueuedRun } from './queued-run.ts';

export interface ExecutorParts
  extends Pick<DiscoverTools, 'registry' | 'open' | 'now' | 'limits' | 'slices' | 'pollBudget'> {
  readonly definitions: Definitions;
  readonly store: InventoryStore;
  readonly events: EventBus;
  readonly log: Logger;
  /** Called with the outcome of each run, before the run ends. */
  readonly onContact: (run: QueuedRun, failure: Failure | undefined) => void;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** How often a discovery reports its progress. */
const reportEveryMs = 2_000;

/** A run that keeps a pace may take so many times as long: it waits more than it asks. */
const pacedSeconds = 10;

/** Executes one run, from `discovery.started` to `discovery.completed` or `discovery.failed`. Never rejects. */
export async function executeRun(run: QueuedRun, parts: ExecutorParts): Promise<void> {
  const { definitions, store, events, now, slices } = parts;
  const { id, device, cause, subject } = run;
  const { signal } = run.abort;
  const begunMs = now();
  const before = store.find(subject);
  const news = run.isOnlyForced && before?.auto !== undefined ? findNews(definitions, before) : undefined;
  run.isPartial = news !== undefined;
  events.emit('discovery.started', { id, device, cause });
  let after: Inventory;
  let change: InventoryChange;
  try {
    after = await discoverDevice(subject, before, toolsFor(run, parts, news));
    change = await slices.run(compareInventories(before, after));
    signal.throwIfAborted();
    await store.set(subject, after);
    signal.throwIfAborted();
  } catch (error) {
    endFailed(run, parts, { error, before, durationMs: now() - begunMs });
    return;
  }
  endCompleted(run, parts, { before, after, change, durationMs: now() - begunMs });
}

function toolsFor(run: QueuedRun, parts: ExecutorParts, news: DefinitionNews | undefined): DiscoverTools {
  const { definitions, store, events, log, now, registry, open, limits, slices, pollBudget } = parts;
  const { id, device, cause } = run;
  let reportedMs = now();
  return {
    registry,
    async open(target) {
      const session = await open(target);
      run.use(session);
      return run.pace === undefined ? session : new PacedSession(session, run);
    },
    now,
    limits: run.pace === undefined ? limits : { ...limits, maxSeconds: pacedSeconds * limits.maxSeconds },
    slices,
    memory: store.memory,
    pollBudget,
    news,
    generation: definitions.current,
    signal: run.abort.signal,
    onSilentContext: (context, error) =>
      log.warn(
        { device: device.name, context, error },
        'An SNMPv3 context could not be discovered. Its previous inventory stays in use.',
      ),
    onProgress: (progress) => {
      run.progress = progress;
      if (now() - reportedMs < reportEveryMs) return;
      reportedMs = now();
      events.emit('discovery.progressed', { id, device, cause, ...progress });
    },
  };
}

interface FailedEnd {
  readonly error: unknown;
  readonly before: Inventory | undefined;
  readonly durationMs: number;
}

function endFailed(run: QueuedRun, parts: ExecutorParts, { error, before, durationMs }: FailedEnd): void {
  const { events, log, now } = parts;
  const { id, device, cause, abort } = run;
  if (abort.signal.aborted) {
    const { code, message } = run.cancel(String(abort.signal.reason), now());
    events.emit('discovery.failed', { id, device, cause, code, message, durationMs });
    return;
  }
  const failure = { code: codeOf(error), message: explainError(error) };
  log.warn(
    { device: device.name, cause, error },
    before === undefined ? 'Discovery failed.' : 'Discovery failed. The previous inventory stays in use.',
  );
  parts.onContact(run, failure);
  run.end({ ok: false, ...failure, durationMs }, now());
  events.emit('discovery.failed', { id, device, cause, ...failure, durationMs });
}

interface CompletedEnd {
  readonly before: Inventory | undefined;
  readonly after: Inventory;
  readonly change: InventoryChange;
  readonly durationMs: number;
}

function endCompleted(run: QueuedRun, parts: ExecutorParts, end: CompletedEnd): void {
  const { events, log, now } = parts;
  const { id, device, cause } = run;
  const { before, after, change, durationMs } = end;
  const { cut } = after;
  warnOfCuts(device.name, log, before, after);
  parts.onContact(run, undefined);
  run.end({ ok: true, change, durationMs }, now());
  const earlier = listPartial(before);
  if (Object.keys(change.partial ?? {}).some((object) => earlier[object] === undefined)) {
    log.warn(
      { device: device.name, partial: change.partial },
      'Tables were not read to their end. Rows may be missing.',
    );
  }
  log.debug({ device: device.name, cause, instances: change.instances, durationMs }, 'Device discovered.');
  events.emit('discovery.completed', {
    id,
    device,
    cause,
    inventory: change,
    ...(cut === undefined ? {} : { cut }),
    durationMs,
  });
}

/** Says what is not collected. Each is said once, because what a device lacks it usually lacks at every discovery. */
function warnOfCuts(device: string, log: Logger, before: Inventory | undefined, after: Inventory): void {
  const tooMuch = listTooMuch(after);
  if (tooMuch.length > 0 && listTooMuch(before).join() !== tooMuch.join()) {
    log.warn(
      { device, objects: tooMuch },
      `${tooMuch.length} objects are not collected: polling them would exceed max_values_per_minute or max_packets_per_minute of snmp-discovery. Raise these, or name the objects in a device group.`,
    );
  }
  const { cut } = after;
  if (cut !== undefined && before?.cut?.limit !== cut.limit)
    log.warn({ device, ...cut }, `The inventory was ${explainCut(cut)}.`);
}

/** The objects that a device answers and that its budget does not allow. */
function listTooMuch(inventory: Inventory | undefined): string[] {
  const leftOut = Object.entries(inventory?.auto?.leftOut ?? {});
  return leftOut.flatMap(([id, why]) => (why === 'budget' ? [id] : []));
}

/** What is new or changed since an inventory; undefined when that is not known any more. */
function findNews(
  { current, recent }: Definitions,
  { generation, deviceGroups }: Inventory,
): DefinitionNews | undefined {
  const later = recent.filter(({ number }) => number > generation);
  if (later.length < current.number - generation) return undefined;
  const objects = new Set<string>();
  let hasOtherGroups = false;
  for (const { changes } of later) {
    if (changes === undefined) return undefined;
    for (const id of [...changes.objects.added, ...changes.objects.changed]) objects.add(id);
    const { added, changed } = changes.deviceGroups;
    hasOtherGroups ||= deviceGroups.some((id) => added.includes(id) || changed.includes(id));
  }
  return { objects, hasOtherGroups };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'DISCOVERY_FAILED';
}

/** Whether a failure means that the device did not answer, rather than that its answer cannot be used. */
export function isSilence({ code }: Failure): boolean {
  return code === 'SNMP_TIMEOUT' || code === 'SNMP_UNREACHABLE' || code === 'DISCOVERY_BROKE_OFF';
}
