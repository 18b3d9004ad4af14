import { env } from 'node:process';
import {
  createDeviceCheck,
  findAffectedDevices,
  findAutoAffected,
  findRemappedDevices,
  isUnchanged,
  type SingleDeviceCheck,
} from '../../../src/definitions/index.ts';
import {
  type CollectorFacts,
  type DefinitionChanges,
  type DeviceRef,
  deviceKey,
  type EventBus,
  type Logger,
  type Problem,
} from '../../../src/index.ts';
import type { Fleet } from '../../../src/sharding/index.ts';
import { deviceRefOf } from '../device-ref.ts';
import { FleetDefinitions, type FleetSteps } from '../fleet/fleet-definitions.ts';
import { loaderFailure } from '../loader-errors.ts';
import type { DefinitionSources } from '../reading/definition-roots.ts';
import type { ApplyRequest, ApplyResult, Definitions, GenerationRecord, RejectedApply } from '../service.ts';
import { readSnapshotHeader, snapshotPath } from '../snapshot/snapshot-file.ts';
import { applyDelta } from '../worker/definition-delta.ts';
import type { DiscoveredDevices } from '../worker/discovered-devices.ts';
import { type DefinitionThread, WorkerClient } from '../worker/worker-client.ts';
import type { CandidateReport } from '../worker/worker-messages.ts';
import { ApplyQueue } from './apply-queue.ts';
import { Generation, type GroupedDevice } from './generation.ts';
import { packDiscovered } from './pack-discovered.ts';

export interface StoreOptions {
  readonly sources: DefinitionSources;
  readonly collector: Pick<CollectorFacts, 'stateDirectory' | 'secretsDirectory'>;
  readonly events: EventBus;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly startThread: () => DefinitionThread;
  /** How long the thread is kept without a request. */
  readonly idleMs?: number;
  /** The other members of a cluster. */
  readonly fleet?: Fleet | undefined;
}

/** Holds the running generation. Replaces it in one assignment. */
export class DefinitionStore implements Definitions {
  readonly #options: StoreOptions;
  readonly #client: WorkerClient;
  readonly #queue = new ApplyQueue();
  readonly #snapshot: string;
  readonly #checkDevice = createDeviceCheck();
  readonly #fleet: FleetDefinitions | undefined;
  /** The plain-text secrets of the accepted set: the snapshot on the disk never has them. */
  #secrets: Uint8Array | undefined;
  #current: Generation | undefined;
  #recent: readonly GenerationRecord[] = [];
  #degraded: readonly Problem[] | undefined;
  #saving: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #turns = 0;
  #listDevices: () => Iterable<GroupedDevice> = () => this.current.groupedDevices();

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#client = new WorkerClient(options.startThread, options.idleMs);
    this.#snapshot = snapshotPath(options.collector.stateDirectory);
    const { fleet, log } = options;
    this.#fleet = fleet && new FleetDefinitions(fleet, this.#fleetSteps(), log);
  }

  get current(): Generation {
    if (this.#current === undefined) throw new Error('The definitions are not loaded yet.');
    return this.#current;
  }

  get recent(): readonly GenerationRecord[] {
    return this.#recent;
  }

  get degraded(): readonly Problem[] | undefined {
    return this.#degraded;
  }

  /** Loads the first generation: from the files, or from the last good snapshot when the files have errors. */
  async load(): Promise<void> {
    const { log } = this.#options;
    const report = await this.#read();
    const saved = readSnapshotHeader(this.#snapshot);
    const errors = report.problems.filter(({ level }) => level === 'error');
    if (errors.length === 0) {
      const isSaved = saved?.fingerprint === report.fingerprint;
      await this.#swap(report, isSaved ? saved.generation : (saved?.generation ?? 0) + 1, 'start');
      // So that every later start has a snapshot to fall back to.
      if (saved === undefined) await this.#saving;
      return;
    }
    const restored = await this.#restore();
    if (restored === undefined) {
      throw loaderFailure('DEFINITIONS_INVALID', { count: errors.length, problems: listProblems(errors) });
    }
    this.#degraded = report.problems;
    log.error(
      { degraded: true, errors: errors.length, generation: saved?.generation },
      `The definition files have errors. The collector uses the last good definitions instead:\n${listProblems(errors)}`,
    );
    await this.#swap(restored, saved?.generation ?? 1, 'start from the last good snapshot');
  }

  apply(request: ApplyRequest): Promise<ApplyResult> {
    const { forceRediscovery = false, dryRun = false } = request;
    if (this.#fleet !== undefined && !dryRun) return this.#fleet.apply(request);
    return this.#queue.run(`${forceRediscovery} ${dryRun}`, () => this.#apply(request));
  }

  get difference(): string | undefined {
    return this.#fleet?.difference;
  }

  checkDevice(name: string, device: unknown): SingleDeviceCheck {
    const { secretsDirectory: directory } = this.#options.collector;
    return this.#checkDevice(name, device, this.current, { env, directory });
  }

  useDevices(list: () => Iterable<GroupedDevice>): void {
    this.#listDevices = list;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#fleet?.close();
    await this.#queue.idle();
    await this.#saving;
    await this.#client.close();
  }

  #fleetSteps(): FleetSteps {
    const { sources, collector } = this.#options;
    const unpack = async (packed: Uint8Array) => {
      const { secretsDirectory } = collector;
      if (!this.#client.isRunning) await this.#restoreWorker();
      return this.#client.ask({ type: 'unpack', packed, sources, secretsDirectory });
    };
    // Each has a key of its own: applies that wait are not shared.
    const inTurn = <Result>(task: () => Promise<Result>) => this.#queue.run(`fleet ${++this.#turns}`, task);
    return {
      pack: ({ requestedBy }) =>
        inTurn(async () => {
          const begun = performance.now();
          await this.#saving;
          if (!this.#client.isRunning) await this.#restoreWorker();
          const { problems } = await this.#read();
          if (problems.some(isError)) return this.#reject(problems, requestedBy, false, begun);
          return { packed: await this.#client.ask({ type: 'pack', isInUse: false }) };
        }),
      packInUse: () =>
        inTurn(async () => {
          await this.#saving;
          if (!this.#client.isRunning) await this.#restoreWorker();
          return this.#client.ask({ type: 'pack', isInUse: true });
        }),
      tryOut: (packed) =>
        inTurn(async () => {
          const [first] = (await unpack(packed)).problems.filter(isError);
          return first && `${first.file}:${first.line} ${first.rule} ${first.message}`;
        }),
      adopt: (packed, request) =>
        inTurn(async () => {
          let isLikeFiles = true;
          const result = await this.#apply(request, async () => {
            const report = await unpack(packed);
            ({ isLikeFiles } = report);
            return report;
          });
          return { result, isLikeFiles };
        }),
    };
  }

  #reject(problems: readonly Problem[], requestedBy: string, dryRun: boolean, begun: number): RejectedApply {
    const { events, log } = this.#options;
    if (!dryRun) {
      log.warn(
        { problems: problems.length, requestedBy },
        'The definition files have errors. The running definitions stay in use.',
      );
      events.emit('definitions.rejected', { problems, requestedBy });
    }
    const durationMs = Math.round(performance.now() - begun);
    return { accepted: false, generation: this.current.number, problems, durationMs };
  }

  async #apply(
    { forceRediscovery = false, dryRun = false, requestedBy }: ApplyRequest,
    read = async () => this.#read(dryRun ? await packDiscovered(this.#listDevices()) : undefined),
  ): Promise<ApplyResult> {
    if (this.#isClosed) throw loaderFailure('DEFINITIONS_STOPPED', {});
    const { events, log } = this.#options;
    const begun = performance.now();
    const previousGeneration = this.current.number;
    await this.#saving;
    if (!this.#client.isRunning) await this.#restoreWorker();
    const report = await read();
    const { problems, changes, changesDefaults, changesDescriptions, cost, differences } = report;
    const durationMs = () => Math.round(performance.now() - begun);

    if (problems.some(isError)) return this.#reject(problems, requestedBy, dryRun, begun);
    const changed = !isUnchanged(changes) || changesDefaults || changesDescriptions;
    const affected = this.#findAffected(report);
    const generation = changed && !dryRun ? previousGeneration + 1 : previousGeneration;
    if (!dryRun) {
      await this.#swap(report, generation, changed ? requestedBy : this.current.facts.requestedBy);
      this.#degraded = undefined;
    }
    const affectedDevices = dryRun ? affected : this.#renamed(affected, changes);
    if (changed && !dryRun) {
      log.info(
        { generation, requestedBy, affectedDevices: affectedDevices.length },
        'New definitions are in use.',
      );
      events.emit('definitions.changed', {
        generation,
        previousGeneration,
        changes,
        affectedDevices,
        forceRediscovery,
        requestedBy,
      });
    }
    return {
      accepted: true,
      generation,
      previousGeneration,
      changed,
      forceRediscovery,
      changes,
      affectedDevices,
      warnings: problems,
      durationMs: durationMs(),
      ...(cost === undefined ? {} : { cost }),
      ...(differences === undefined ? {} : { differences }),
    };
  }

  #read(found?: DiscoveredDevices): Promise<CandidateReport> {
    const { sources, collector } = this.#options;
    const { secretsDirectory } = collector;
    return this.#client.ask({ type: 'read', sources, secretsDirectory, found });
  }

  /**
   * Devices of which a group changed, which have objects that changed or may have new ones, whose sysObjectID now has another group, or which get other tags from the defaults, then
   * devices that are new or have other groups or tags in the files.
   */
  #findAffected({ changes, changesDefaultTags, changedDevices, newObjects }: CandidateReport): DeviceRef[] {
    const devices = [...this.#listDevices()];
    const changed = findAffectedDevices(changes, devices);
    const answering = findAutoAffected(changes, newObjects, this.current.sections, devices);
    const remapped = findRemappedDevices(changes, this.current.sections, devices);
    const retagged = changesDefaultTags ? devices.filter(({ inheritsTags }) => inheritsTags) : [];
    const affected = [...new Set([...changed, ...answering, ...remapped, ...retagged])].map(({ ref }) => ref);
    const isListed = new Set(affected.map(deviceKey));
    return [...affected, ...changedDevices.filter((ref) => !isListed.has(deviceKey(ref)))];
  }

  /** With current names: a device that was only renamed is identified by its address and port. */
  #renamed(affected: readonly DeviceRef[], { devices: { added } }: DefinitionChanges): readonly DeviceRef[] {
    const { devices } = this.current.sections;
    const refs = added.map((name) => deviceRefOf(name, devices.get(name)!.settings));
    const byKey = new Map(refs.map((ref) => [deviceKey(ref), ref]));
    return affected.map((ref) => byKey.get(deviceKey(ref)) ?? ref);
  }

  async #swap(report: CandidateReport, number: number, requestedBy: string): Promise<void> {
    const { now, log } = this.#options;
    const running = this.#current;
    const sections = await applyDelta(running?.sections, () => this.#client.ask({ type: 'next' }));
    const isNew = running?.number !== number;
    const appliedMs = isNew ? now() : running.facts.appliedMs;
    const facts = { number, appliedMs, requestedBy, counts: report.counts, warnings: report.problems };
    this.#current = new Generation(facts, sections);
    if (isNew) {
      const changes = running === undefined ? undefined : report.changes;
      this.#recent = [{ number, appliedMs, requestedBy, changes }, ...this.#recent].slice(0, maxRecent);
    }
    const [replaced] = report.replaced;
    if (isNew && replaced !== undefined) {
      const { path, file, replacedFile } = replaced;
      const about = { count: report.replaced.length, first: path.join(' '), file, replacedFile };
      log.info(about, 'Definitions replace others of the same name.');
    }
    this.#saving = this.#accept(number).catch((error: unknown) =>
      log.error({ error }, 'Saving the last good definitions to disk failed.'),
    );
  }

  /** What the thread holds beside the running generation is as large as that. It ends when the snapshot and these secrets can replace it. */
  async #accept(generation: number): Promise<void> {
    this.#client.mayEnd = false;
    this.#secrets = await this.#client.ask({ type: 'accept', generation, snapshot: this.#snapshot });
    this.#client.mayEnd = true;
  }

  #restore(): Promise<CandidateReport | undefined> {
    const { secretsDirectory } = this.#options.collector;
    const about = { snapshot: this.#snapshot, secretsDirectory, secrets: this.#secrets };
    return this.#client.ask({ type: 'restore', ...about });
  }

  /** Gives a new worker the running set, so that it compares with the right one. */
  async #restoreWorker(): Promise<void> {
    await this.#read();
    const restored = await this.#restore();
    if (restored === undefined) return;
    await this.#accept(this.current.number);
  }
}

const maxRecent = 50;

function isError({ level }: Problem): boolean {
  return level === 'error';
}

function listProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ file, line, column, rule, message }) => `  ${file}:${line}:${column}  ${rule}  ${message}`)
    .join('\n');
}
