import { randomUUID } from 'node:crypto';
import {
  defineErrors,
  type EventBus,
  type EventMap,
  explainError,
  type Logger,
  type ScanCause,
  suggestName,
  type WaywiserError,
} from '../../src/index.ts';
import { parseAddress } from '../../src/internal.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import { networkErrors } from './errors.ts';
import { type PlanLimits, planScan } from './plan/plan-scan.ts';
import { Scan } from './scan/scan.ts';
import type { ScanSchedule } from './scan/scan-schedule.ts';
import { createScanTools, openWays, type ScanParts } from './scan/scan-tools.ts';
import type { ScanReport } from './scan-report.ts';

const failure = defineErrors(networkErrors);

export interface KeeperParts extends ScanParts {
  readonly definitions: Definitions;
  readonly events: EventBus;
  readonly log: Logger;
  readonly limits: PlanLimits;
  readonly schedule: ScanSchedule;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How often a scan tells how far it is. */
const tellEveryMs = 10_000;

/** Decides when networks are scanned: one scan at a time. What is not listed here never causes one. */
export class ScanKeeper {
  readonly #parts: KeeperParts;
  #running: { readonly scan: Scan; readonly ended: Promise<void> } | undefined;
  #last: ScanReport | undefined;
  #isClosed = false;
  /** When the last scan of all networks was begun, however it ended, or the collector started. */
  #attemptMs: number;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#attemptMs = parts.memory.lastMs ?? parts.now();
  }

  /** The scan that runs. */
  get running(): Scan | undefined {
    return this.#running?.scan;
  }

  /** The one that ended last. */
  get last(): ScanReport | undefined {
    return this.#last;
  }

  /** When the next one is due, in milliseconds since 1970; undefined: never by itself. */
  get nextMs(): number | undefined {
    return this.#parts.schedule(this.#attemptMs);
  }

  listen(): void {
    const { events, memory } = this.#parts;
    events.on('definitions.changed', (change) => this.#onDefinitions(change));
    events.on('device.removed', ({ device }) => memory.forget(device));
  }

  checkSchedule(): void {
    const { nextMs } = this;
    if (nextMs === undefined || this.#parts.now() < nextMs) return;
    if (this.#running === undefined && this.#listNetworks().length > 0) this.#begin('scheduled');
  }

  /** The scan at the start, where there is something to scan. */
  begin(): void {
    if (this.#running === undefined && this.#listNetworks().length > 0) this.#begin('initial');
  }

  /**
   * Begins a scan of one network, or of all, or joins the one that runs. Throws SCAN_NO_NETWORKS, SCAN_NETWORK_UNKNOWN and
   * SCAN_STOPPED.
   */
  request(network?: string): { readonly scan: Scan; readonly joined: boolean } {
    const networks = this.#listNetworks();
    if (this.#isClosed) throw failure('SCAN_STOPPED', {});
    if (networks.length === 0) throw failure('SCAN_NO_NETWORKS', {});
    if (network !== undefined && !networks.includes(network)) {
      throw failure('SCAN_NETWORK_UNKNOWN', { network, suggestion: suggestName(network, networks) });
    }
    if (this.#running !== undefined) return { scan: this.#running.scan, joined: true };
    return { scan: this.#begin('requested', network === undefined ? networks : [network]), joined: false };
  }

  /** Forgets found devices that `exclude` names now. */
  dropExcluded(): void {
    const { registry, limits } = this.#parts;
    if (limits.exclude.length === 0) return;
    for (const { ref, source } of registry.devices()) {
      const address = source === 'networks' ? parseAddress(ref.ip) : undefined;
      if (address === undefined) continue;
      const isExcluded = limits.exclude.some(
        ({ family, first, last }) =>
          family === address.family && first <= address.first && address.first <= last,
      );
      if (isExcluded) registry.removeFound(ref.ip, ref.port, '`exclude` of network-discovery names it');
    }
  }

  /** Ends what runs, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.scan.abort.abort(failure('SCAN_STOPPED', {}));
    await this.#running?.ended;
  }

  /** A network that changed may not be asked as before for one packet more: what runs makes room for a scan of both. */
  #onDefinitions({ changes: { networks } }: EventMap['definitions.changed']): void {
    const isTouched = [networks.added, networks.changed, networks.removed].some(({ length }) => length > 0);
    if (!isTouched || this.#isClosed) return;
    const before = this.#running;
    const wanted = new Set([...(before?.scan.networks ?? []), ...networks.added, ...networks.changed]);
    const left = this.#listNetworks().filter((id) => wanted.has(id));
    before?.scan.abort.abort(failure('SCAN_SUPERSEDED', {}));
    if (left.length > 0) this.#begin('changed', left, before?.ended);
  }

  #listNetworks(): string[] {
    return [...this.#parts.definitions.current.sections.networks.keys()];
  }

  #begin(cause: ScanCause, networks = this.#listNetworks(), after?: Promise<void>): Scan {
    const { definitions, limits, now } = this.#parts;
    const { networks: entries } = definitions.current.sections;
    const plan = planScan(
      networks.map((id) => [id, entries.get(id)!] as const),
      limits,
    );
    const scan = new Scan({ id: randomUUID(), cause, networks }, plan, now());
    const isWhole = networks.length === entries.size;
    if (isWhole) this.#attemptMs = scan.requestedMs;
    const ended = this.#execute(scan, isWhole, after);
    this.#running = { scan, ended };
    return scan;
  }

  /** From `scan.started` to `scan.completed` or `scan.failed`. Never rejects. */
  async #execute(scan: Scan, isWhole: boolean, after: Promise<void> | undefined): Promise<void> {
    const { events, memory, log, now } = this.#parts;
    await after;
    const beganMs = now();
    let toldMs = beganMs;
    const tell = () => {
      if (now() - toldMs < tellEveryMs) return;
      toldMs = now();
      events.emit('scan.progressed', { ...scan.ref, ...scan.counts });
    };
    let problem: WaywiserError | undefined;
    try {
      scan.abort.signal.throwIfAborted();
      const { ways, problems } = await openWays(scan.networks, this.#parts);
      for (const { code, message } of [...scan.problems, ...problems]) log.warn({ code }, message);
      events.emit('scan.started', { ...scan.ref, addresses: scan.counts.addresses });
      await scan.run(createScanTools(ways, this.#parts), tell);
    } catch (error) {
      problem = scan.abort.signal.aborted
        ? (scan.abort.signal.reason as WaywiserError)
        : failure('SCAN_FAILED', { reason: explainError(error) }, error);
    }
    const durationMs = now() - beganMs;
    this.#last = { scan: scan.ref, counts: scan.counts, beganMs, durationMs, problem };
    if (this.#running?.scan === scan) this.#running = undefined;
    const facts = { ...scan.ref, ...scan.counts, durationMs };
    if (problem === undefined) {
      if (isWhole) memory.noteScan(beganMs);
      log.info(facts, 'Networks were scanned.');
      events.emit('scan.completed', facts);
    } else {
      log.warn({ ...facts, error: problem }, 'A scan of networks ended early; what it found stays.');
      events.emit('scan.failed', { ...facts, code: problem.code, message: problem.message });
    }
  }
}
