import { randomUUID } from 'node:crypto';
import {
  defineErrors,
  type EventBus,
  type EventMap,
  explainError,
  type Logger,
  type ScanCause,
  type ScanCounts,
  type ScanRef,
  suggestName,
  type WaywiserError,
} from '../../src/index.ts';
import { containsRange, parseAddress, type Shards, shardOfTask } from '../../src/internal.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import { networkErrors } from './errors.ts';
import { type PlanLimits, planScan } from './plan-scan.ts';
import { Scan } from './scan.ts';
import type { ScanSchedule } from './scan-schedule.ts';
import { createScanSteps, resolveCredentials, type ScanParts } from './scan-steps.ts';

const failure = defineErrors(networkErrors);

export interface SchedulerParts extends ScanParts {
  readonly definitions: Definitions;
  readonly shards: Pick<Shards, 'owns'>;
  readonly events: EventBus;
  readonly log: Logger;
  readonly limits: PlanLimits;
  readonly schedule: ScanSchedule;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A network that can be scanned, and where it is defined. */
export interface ScannedNetwork {
  readonly id: string;
  /** In CIDR notation. */
  readonly ranges: readonly string[];
  readonly port: number;
  readonly file: string;
  readonly line: number;
}

const defaultPort = 161;
/** How often a scan emits its progress. */
const progressEveryMs = 10_000;

/** Decides when networks are scanned: one scan at a time. Nothing but the methods below begins a scan. */
export class ScanScheduler {
  readonly #parts: SchedulerParts;
  #running: { readonly scan: Scan; readonly ended: Promise<void> } | undefined;
  #last: ScanReport | undefined;
  #isClosed = false;
  /** When the last scan of all networks began, however it ended; when the collector started, if there was none. */
  #attemptMs: number;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#attemptMs = parts.memory.lastMs ?? parts.now();
  }

  /** The networks of autodiscover/networks.yml, whether they were scanned or not. */
  get networks(): readonly ScannedNetwork[] {
    const { networks, networkOrigins } = this.#parts.definitions.current.sections;
    return [...networks].map(([id, { networks: ranges, port = defaultPort }]) => ({
      id,
      ranges,
      port,
      ...(networkOrigins.get(id) ?? { file: '', line: 1 }),
    }));
  }

  /** The current scan. */
  get running(): Scan | undefined {
    return this.#running?.scan;
  }

  /** The scan that ended last. */
  get last(): ScanReport | undefined {
    return this.#last;
  }

  /** When the next scheduled scan begins, in milliseconds since 1970; undefined when there is no schedule. */
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
    if (this.#running === undefined) this.#beginOwn('scheduled');
  }

  /** Begins the scan at the start of the collector, if there is a network to scan. */
  begin(): void {
    if (this.#running === undefined) this.#beginOwn('initial');
  }

  /** Each network is scanned by one member of a cluster. A person may have it scanned by any. */
  #beginOwn(cause: ScanCause): void {
    const networks = this.#listOwn(this.#listNetworks());
    if (networks.length > 0) this.#begin(cause, networks);
  }

  #listOwn(networks: readonly string[]): string[] {
    return networks.filter((id) => this.#parts.shards.owns(shardOfTask(`scan ${id}`)));
  }

  /**
   * Begins a scan of one network or of all networks, or joins the current scan. Throws SCAN_NO_NETWORKS,
   * SCAN_NETWORK_UNKNOWN and SCAN_STOPPED.
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

  /** Removes found devices whose address `exclude` contains now. */
  dropExcluded(): void {
    const { registry, limits } = this.#parts;
    if (limits.exclude.length === 0) return;
    for (const { ref, source } of registry.devices()) {
      const address = source === 'networks' ? parseAddress(ref.ip) : undefined;
      if (address === undefined) continue;
      const isExcluded = limits.exclude.some((range) => containsRange(range, address));
      if (isExcluded)
        registry.removeFound(ref.ip, ref.port, 'its address is in `exclude` of network-discovery');
    }
  }

  /** Ends the current scan, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.scan.abort.abort(failure('SCAN_STOPPED', {}));
    await this.#running?.ended;
  }

  /**
   * No packet may go to a network by its old definition. So the current scan ends, and a new scan covers its networks and
   * those that changed.
   */
  #onDefinitions({ changes: { networks } }: EventMap['definitions.changed']): void {
    const isTouched = [networks.added, networks.changed, networks.removed].some(({ length }) => length > 0);
    if (!isTouched || this.#isClosed) return;
    const before = this.#running;
    const wanted = new Set([...(before?.scan.networks ?? []), ...networks.added, ...networks.changed]);
    const left = this.#listOwn(this.#listNetworks()).filter((id) => wanted.has(id));
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

  /** Emits `scan.started` and then `scan.completed` or `scan.failed`. Never rejects. */
  async #execute(scan: Scan, isWhole: boolean, after: Promise<void> | undefined): Promise<void> {
    const { events, memory, log, now } = this.#parts;
    await after;
    const beganMs = now();
    let reportedMs = beganMs;
    const reportProgress = () => {
      if (now() - reportedMs < progressEveryMs) return;
      reportedMs = now();
      events.emit('scan.progressed', { ...scan.ref, ...scan.counts });
    };
    let problem: WaywiserError | undefined;
    try {
      scan.abort.signal.throwIfAborted();
      const { credentials, problems } = await resolveCredentials(scan.networks, this.#parts);
      for (const { code, message } of [...scan.problems, ...problems]) log.warn({ code }, message);
      events.emit('scan.started', { ...scan.ref, addresses: scan.counts.addresses });
      await scan.run(createScanSteps(credentials, this.#parts), reportProgress);
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
      if (isWhole) memory.recordScan(beganMs);
      log.info(facts, 'Scan completed.');
      events.emit('scan.completed', facts);
    } else {
      log.warn({ ...facts, error: problem }, 'Scan ended early. The devices that it found stay.');
      events.emit('scan.failed', { ...facts, code: problem.code, message: problem.message });
    }
  }
}

/** A scan that has ended. */
export interface ScanReport {
  readonly scan: ScanRef;
  readonly counts: ScanCounts;
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  readonly durationMs: number;
  /** Why it ended early. */
  readonly problem: WaywiserError | undefined;
}
