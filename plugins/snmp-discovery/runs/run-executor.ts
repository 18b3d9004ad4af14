import { type EventBus, explainError, type Inventory, type Logger } from '../../../src/index.ts';
import { compareInventories } from '../../../src/internal.ts';
import type { Definitions } from '../../definitions-loader/service.ts';
import type { InventoryStore } from '../inventory-store.ts';
import { type DiscoverTools, discoverDevice } from '../survey/discover-device.ts';
import type { QueuedRun } from './queued-run.ts';

export interface ExecutorParts extends Pick<DiscoverTools, 'registry' | 'open' | 'now'> {
  readonly definitions: Definitions;
  readonly store: InventoryStore;
  readonly events: EventBus;
  readonly log: Logger;
  /** Tells whether the device answered at all. */
  readonly onContact: (run: QueuedRun, failure: Failure | undefined) => void;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** How often a discovery tells how far it is. */
const tellEveryMs = 2_000;

/** Carries out one run from `discovery.started` to `discovery.completed` or `discovery.failed`. Never rejects. */
export async function executeRun(run: QueuedRun, parts: ExecutorParts): Promise<void> {
  const { definitions, store, events, log, now, registry, open } = parts;
  const { id, device, cause, subject } = run;
  const { signal } = run.abort;
  const begunMs = now();
  const before = store.find(subject);
  events.emit('discovery.started', { id, device, cause });
  let after: Inventory;
  let toldMs = begunMs;
  try {
    after = await discoverDevice(subject, before, {
      registry,
      open,
      now,
      generation: definitions.current,
      signal,
      onSilentContext: (context, error) =>
        log.warn({ device: device.name, context, error }, 'A context could not be discovered.'),
      onProgress: (progress) => {
        run.progress = progress;
        if (now() - toldMs < tellEveryMs) return;
        toldMs = now();
        events.emit('discovery.progressed', { id, device, cause, ...progress });
      },
    });
    signal.throwIfAborted();
  } catch (error) {
    const durationMs = now() - begunMs;
    if (signal.aborted) {
      const { code, message } = run.giveUp(String(signal.reason), now());
      events.emit('discovery.failed', { id, device, cause, code, message, durationMs });
      return;
    }
    const failure = { code: codeOf(error), message: explainError(error) };
    log.warn({ device: device.name, cause, error }, 'A discovery failed; what was known stays.');
    parts.onContact(run, failure);
    run.end({ ok: false, ...failure, durationMs }, now());
    events.emit('discovery.failed', { id, device, cause, ...failure, durationMs });
    return;
  }
  store.set(subject, after);
  const durationMs = now() - begunMs;
  const change = compareInventories(before, after);
  parts.onContact(run, undefined);
  run.end({ ok: true, change, durationMs }, now());
  log.debug({ device: device.name, cause, instances: change.instances, durationMs }, 'discovered');
  events.emit('discovery.completed', { id, device, cause, inventory: change, durationMs });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'DISCOVERY_FAILED';
}

/** Whether a failure means that the device said nothing, rather than something we cannot use. */
export function isSilence({ code }: Failure): boolean {
  return code === 'SNMP_TIMEOUT' || code === 'SNMP_UNREACHABLE' || code === 'DISCOVERY_BROKE_OFF';
}
