import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shardCount, shardOf } from '../../../../src/sharding/index.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { AskedDevices } from './asked-devices.ts';
import { EtcdLink } from './etcd-link.ts';
import { EtcdServer } from './etcd-server.ts';
import { MemberChild } from './member-child.ts';
import { findOverlaps, MemberRun } from './ownership.ts';

export interface FaultyFleetOptions {
  readonly devices: number;
  readonly everyMs: number;
  readonly leaseSeconds?: number;
  readonly onOutage?: string;
  /** Whether each member has a wall clock of its own, which needs a file. True by default. */
  readonly hasOwnClocks?: boolean;
}

/** A machine of the fleet: its process may be dead at the moment. */
export interface FleetPlace {
  readonly name: string;
  readonly link: EtcdLink;
  readonly stateDirectory: string;
  readonly clockFile: string;
  run: MemberRun | undefined;
}

/** Processes that share devices through a real etcd, each with a connection to etcd and a wall clock of its own. */
export class FaultyFleet {
  readonly etcd: EtcdServer;
  readonly devices: AskedDevices;
  readonly places: FleetPlace[] = [];
  /** Also of processes that are dead. */
  readonly runs: MemberRun[] = [];
  readonly everyMs: number;
  readonly #test: TestContext;
  readonly #folder: DefinitionFolder;
  readonly #leaseSeconds: number;
  readonly #onOutage: string;
  readonly #hasOwnClocks: boolean;

  private constructor(
    test: TestContext,
    etcd: EtcdServer,
    devices: AskedDevices,
    { everyMs, leaseSeconds = 3, onOutage = 'stop', hasOwnClocks = true }: FaultyFleetOptions,
  ) {
    this.#test = test;
    this.etcd = etcd;
    this.devices = devices;
    this.everyMs = everyMs;
    this.#leaseSeconds = leaseSeconds;
    this.#onOutage = onOutage;
    this.#hasOwnClocks = hasOwnClocks;
    this.#folder = new DefinitionFolder(test, {
      'devices/all.yml': devices.toYaml('plain', { everyMs, timeoutMs: everyMs / 2 }),
    });
  }

  static async start(
    test: TestContext,
    names: readonly string[],
    options: FaultyFleetOptions,
  ): Promise<FaultyFleet> {
    const [etcd, devices] = await Promise.all([
      EtcdServer.start(test),
      AskedDevices.start(test, options.devices),
    ]);
    const fleet = new FaultyFleet(test, etcd, devices, options);
    for (const name of names) await fleet.add(name);
    return fleet;
  }

  get alive(): FleetPlace[] {
    return this.places.filter(({ run }) => run !== undefined);
  }

  async add(name: string): Promise<FleetPlace> {
    const folder = temporaryFolder(this.#test);
    const link = await EtcdLink.start(this.#test, this.etcd.url);
    const place = { name, link, stateDirectory: folder, clockFile: join(folder, 'clock'), run: undefined };
    this.setClock(place, 0);
    this.places.push(place);
    this.begin(place);
    return place;
  }

  /** Starts the process of a place. */
  begin(place: FleetPlace): void {
    const { name, link, stateDirectory, clockFile } = place;
    const child = new MemberChild(this.#test, {
      name,
      definitions: this.#folder.path,
      etcd: link.url,
      onOutage: this.#onOutage,
      leaseSeconds: this.#leaseSeconds,
      stateDirectory,
      env: this.#hasOwnClocks ? fakedTime(clockFile) : {},
    });
    place.run = new MemberRun(child, this.#leaseSeconds * 1000);
    this.runs.push(place.run);
  }

  async end(place: FleetPlace, signal: NodeJS.Signals): Promise<void> {
    const { run } = place;
    place.run = undefined;
    run!.expectEnd();
    await run!.member.end(signal);
    run!.end();
  }

  /** Sets the wall clock of a member to `aheadS` seconds after the true time, from the next second on. */
  setClock({ clockFile }: FleetPlace, aheadS: number): void {
    writeFileSync(clockFile, `${aheadS < 0 ? '' : '+'}${aheadS}\n`);
  }

  /** Slots without a poll that members have counted, also those that are dead. */
  missed(): number {
    return this.runs.reduce((sum, { member }) => sum + member.missed, 0);
  }

  owned(): number {
    return this.alive.reduce((sum, { run }) => sum + run!.member.owned, 0);
  }

  /** Every shard has an owner, and every device was polled again. */
  async isWhole(): Promise<void> {
    await this.waitFor(() => this.owned() === shardCount, 'all shards are owned');
    const sinceMs = performance.now();
    const wasPolled = (port: number) =>
      this.devices.asked.get(port)!.findLast(({ isPoll }) => isPoll)?.atMs ?? 0;
    await this.waitFor(
      () => this.devices.ports.every((port) => wasPolled(port) > sinceMs),
      'every device is polled',
    );
  }

  async waitFor(isTrue: () => boolean, what: string): Promise<void> {
    for (let turn = 0; !isTrue(); turn++) {
      const owned = this.alive.map(({ name, run }) => `${name} ${run!.member.owned}`).join(', ');
      assert.ok(turn < 1_200, `not within two minutes: ${what}. Shards: ${owned}`);
      await sleep(100);
    }
  }

  /** Shards that two processes owned at the same time, by their own reports. */
  findOverlaps(): string[] {
    const shards = new Set(this.devices.ports.map((port) => shardOf({ ip: '127.0.0.1', port })));
    return [...shards].flatMap((shard) => findOverlaps(this.runs, shard));
  }
}

/** With Debian's libfaketime the wall clock of a process is its own. The monotonic clock stays that of the machine. */
function fakedTime(clockFile: string): Record<string, string> {
  const libraries = readdirSync('/usr/lib').map((each) => `/usr/lib/${each}/faketime/libfaketimeMT.so.1`);
  return {
    LD_PRELOAD: libraries.find((each) => existsSync(each)) ?? '',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
  };
}
