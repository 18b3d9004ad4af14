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
import { containsRange, parseAddress } from '../../src/model/index.ts';
import { type ShardPart, type Shards, shardOfTask } from '../../src/sharding/index.ts';
import type { Definitions } from '../definitions-loader/service.ts';
import { networkErrors } from './errors.ts';
import { type PlanLimits, planScan } from './plan-scan.ts';
import { Scan } from './scan.ts';
import type { ScanSchedule } from './scan-schedule.ts';
import { createScanSteps, resolveCredentials, type ScanParts } from './scan-steps.ts';

const failure = defineErrors(networkErrors);

export interface SchedulerParts extends ScanParts {
  readonly definitions: Definitions;
  readonly shards: Pick<Shards, 'owns' | 'join'>;
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

/** A scan of a network that has not begun yet, or that ended before its time. */
interface PendingScan {
  /** Undefined for a scan without earlier parts. */
  readonly id: string | undefined;
  readonly cause: ScanCause;
}

/** What the next owner of a network gets. */
interface NetworkState {
  readonly lastMs?: number;
  readonly pending?: PendingScan;
}

/**
 * Decides when networks are scanned: one scan at a time. Nothing but the methods below begins a scan. In a cluster each network is scanned
 * by the member that owns it.
 */
export class ScanScheduler {
  readonly #parts: SchedulerParts;
  #running: { readonly scan: Scan; readonly ended: Promise<void> } | undefined;
  #last: ScanReport | undefined;
  #isClosed = false;
  /** Whether networks that come later are scanned at once, as those that were there at the start. */
  #hasBegun = false;
  readonly #startedMs: number;
  /** When the last scan of each network began, however it ended. */
  readonly #attempts = new Map<string, number>();
  /** By network. */
  readonly #pending = new Map<string, PendingScan>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
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

  /** When the next scheduled scan begins, in milliseconds since 1970; undefined when there is no schedule or nothing to scan. */
  get nextMs(): number | undefined {
    const lasts = this.listOwn(this.#listNetworks()).map(
      (network) => this.#lastOf(network) ?? this.#startedMs,
    );
    return lasts.length === 0 ? undefined : this.#parts.schedule(Math.min(...lasts));
  }

  /** Returns a function that ends it. */
  listen(): () => void {
    const { events, memory, shards } = this.#parts;
    events.on('definitions.changed', (change) => this.#onDefinitions(change));
    events.on('device.removed', ({ device }) => memory.forget(device));
    return shards.join(this.#part);
  }

  checkSchedule(): void {
    const { nextMs } = this;
    if (nextMs === undefined || this.#parts.now() < nextMs) return;
    if (this.#running === undefined) this.#beginOwn('scheduled');
  }

  /** Begins the scan at the start of the collector, if there is a network to scan. */
  begin(): void {
    this.#hasBegun = true;
    if (this.#running === undefined) this.#beginOwn('initial');
  }

  #beginOwn(cause: ScanCause): void {
    const networks = this.listOwn(this.#listNetworks());
    if (networks.length > 0) this.#begin({ id: undefined, cause }, networks);
  }

  /** Those of the networks that this collector scans. */
  listOwn(networks: readonly string[]): string[] {
    return networks.filter((network) => this.#parts.shards.owns(shardOfNetwork(network)));
  }

  /** The networks that a person wants scanned. Throws SCAN_NO_NETWORKS, SCAN_NETWORK_UNKNOWN and SCAN_STOPPED. */
  listWanted(network?: string): readonly string[] {
    const networks = this.#listNetworks();
    if (this.#isClosed) throw failure('SCAN_STOPPED', {});
    if (networks.length === 0) throw failure('SCAN_NO_NETWORKS', {});
    if (network === undefined) return networks;
    if (networks.includes(network)) return [network];
    throw failure('SCAN_NETWORK_UNKNOWN', { network, suggestion: suggestName(network, networks) });
  }

  /** Begins a scan with this id of networks that this collector owns, or joins the current scan. */
  request(id: string, networks: readonly string[]): { readonly scan: Scan; readonly joined: boolean } {
    if (this.#running !== undefined) return { scan: this.#running.scan, joined: true };
    return { scan: this.#begin({ id, cause: 'requested' }, networks), joined: false };
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
    const left = this.listOwn(this.#listNetworks()).filter((id) => wanted.has(id));
    for (const network of networks.removed) {
      this.#attempts.delete(network);
      this.#pending.delete(network);
      this.#parts.memory.forgetNetwork(network);
    }
    before?.scan.abort.abort(failure('SCAN_SUPERSEDED', {}));
    if (left.length > 0) this.#begin({ id: undefined, cause: 'changed' }, left, before?.ended);
  }

  /** Networks move between the members of a cluster like devices. A scan that has begun goes on at the new owner, from its beginning. */
  readonly #part: ShardPart = {
    name: 'network-discovery',
    restore: (_, state) => {
      for (const [network, { lastMs, pending }] of Object.entries(state as Record<string, NetworkState>)) {
        if (lastMs !== undefined && lastMs > (this.#parts.memory.lastOf(network) ?? 0))
          this.#parts.memory.recordScan(network, lastMs);
        if (pending !== undefined) this.#pending.set(network, pending);
      }
    },
    gain: (shards) => {
      for (const network of this.#listIn(shards)) {
        const isNew = this.#hasBegun && this.#lastOf(network) === undefined && !this.#pending.has(network);
        if (isNew) this.#pending.set(network, { id: undefined, cause: 'initial' });
      }
      this.#beginPending();
    },
    lose: (shards) => this.#leave(this.#listIn(shards)),
    collect: (shard) => {
      const states: [string, NetworkState][] = this.#listIn(new Set([shard])).map((network) => {
        const lastMs = this.#parts.memory.lastOf(network);
        const pending = this.#pending.get(network) ?? this.#findRunning(network);
        return [
          network,
          { ...(lastMs === undefined ? {} : { lastMs }), ...(pending === undefined ? {} : { pending }) },
        ];
      });
      return Object.fromEntries(states.filter(([, state]) => Object.keys(state).length > 0));
    },
    forget: (shards) => {
      for (const network of this.#listIn(shards)) this.#pending.delete(network);
    },
  };

  /** Resolves when this collector asks no address of these networks any more. */
  async #leave(networks: readonly string[]): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const moved = networks.filter((network) => this.#findRunning(network) !== undefined);
    if (moved.length === 0) return;
    const { scan, ended } = running;
    for (const network of moved) this.#pending.set(network, { id: scan.id, cause: scan.cause });
    if (moved.length < scan.networks.length) return scan.drop(moved);
    scan.abort.abort(failure('SCAN_MOVED', {}));
    return ended;
  }

  /** Begins one of the scans that wait: that of its networks with the same id and cause. */
  #beginPending(): void {
    if (this.#running !== undefined || this.#isClosed) return;
    const networks = this.listOwn(this.#listNetworks()).filter((network) => this.#pending.has(network));
    const [first] = networks;
    if (first === undefined) return;
    const pending = this.#pending.get(first)!;
    const isSame = ({ id, cause }: PendingScan) => id === pending.id && cause === pending.cause;
    this.#begin(
      pending,
      networks.filter((network) => isSame(this.#pending.get(network)!)),
    );
  }

  #findRunning(network: string): PendingScan | undefined {
    const scan = this.#running?.scan;
    return scan?.networks.includes(network) ? { id: scan.id, cause: scan.cause } : undefined;
  }

  #listIn(shards: ReadonlySet<number>): string[] {
    return this.#listNetworks().filter((network) => shards.has(shardOfNetwork(network)));
  }

  #lastOf(network: string): number | undefined {
    const [attemptMs, lastMs] = [this.#attempts.get(network), this.#parts.memory.lastOf(network)];
    return attemptMs === undefined || lastMs === undefined
      ? (attemptMs ?? lastMs)
      : Math.max(attemptMs, lastMs);
  }

  #listNetworks(): string[] {
    return [...this.#parts.definitions.current.sections.networks.keys()];
  }

  #begin(
    { id = randomUUID(), cause }: PendingScan,
    networks: readonly string[],
    after?: Promise<void>,
  ): Scan {
    const { definitions, limits, now } = this.#parts;
    const { networks: entries } = definitions.current.sections;
    const plan = planScan(
      networks.map((network) => [network, entries.get(network)!] as const),
      limits,
    );
    const scan = new Scan({ id, cause, networks }, plan, now());
    for (const network of networks) {
      this.#attempts.set(network, scan.requestedMs);
      this.#pending.delete(network);
    }
    const ended = this.#execute(scan, after);
    this.#running = { scan, ended };
    return scan;
  }

  /** Emits `scan.started` and then `scan.completed` or `scan.failed`. Never rejects. */
  async #execute(scan: Scan, after: Promise<void> | undefined): Promise<void> {
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
      for (const network of scan.networks) memory.recordScan(network, beganMs);
      log.info(facts, 'Scan completed.');
      events.emit('scan.completed', facts);
    } else {
      log.warn({ ...facts, error: problem }, 'Scan ended early. The devices that it found stay.');
      events.emit('scan.failed', { ...facts, code: problem.code, message: problem.message });
    }
    this.#beginPending();
  }
}

/** Who owns this shard scans the network. */
export function shardOfNetwork(network: string): number {
  return shardOfTask(`scan ${network}`);
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
