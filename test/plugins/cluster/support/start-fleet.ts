import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import cluster from '../../../../plugins/cluster/index.ts';
import { deviceRegistryToken } from '../../../../plugins/device-registry/service.ts';
import httpApi from '../../../../plugins/http-api/index.ts';
import snmpApi from '../../../../plugins/snmp-api/index.ts';
import { shardOf, shardsToken } from '../../../../src/sharding/index.ts';
import { chooseOwners } from '../../../../src/sharding/shard.ts';
import type { TestPlugin } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { startPolling } from '../../snmp-poller/support/poller-stack.ts';
import { AskedDevices } from './asked-devices.ts';
import { EtcdServer } from './etcd-server.ts';

export const memberToken = 'a-token-of-members-0123456789';

export interface MemberOptions {
  /** The definition folder. */
  readonly folder: { readonly path: string };
  /** The members' token as this one knows it. */
  readonly token?: string;
  readonly cluster?: object;
  readonly poller?: object;
  readonly httpApi?: object;
  readonly more?: readonly TestPlugin[];
  readonly stateDirectory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What ends with a test, or after several tests that share it. */
export class Ending {
  readonly #runs: (() => unknown)[] = [];

  after(run: () => unknown): void {
    this.#runs.push(run);
  }

  async end(): Promise<void> {
    for (const run of this.#runs.reverse()) await run();
  }
}

/** Collectors with the plugins `cluster` and `http-api`, in one process. */
export class TestFleet {
  readonly etcd: EtcdServer;
  readonly devices: AskedDevices;
  readonly #ending: Ending;

  private constructor(ending: Ending, etcd: EtcdServer, devices: AskedDevices) {
    this.#ending = ending;
    this.etcd = etcd;
    this.devices = devices;
  }

  static async start(ending: Ending, count: number): Promise<TestFleet> {
    const [etcd, devices] = await Promise.all([EtcdServer.start(ending), AskedDevices.start(ending, count)]);
    await etcd.writeIdentity();
    return new TestFleet(ending, etcd, devices);
  }

  async add(name: string, { folder, token = memberToken, ...options }: MemberOptions) {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const clusterOptions = {
      name,
      advertise: url,
      token: '${env:CLUSTER_TOKEN}',
      etcd: { endpoints: [this.etcd.url] },
      moves_per_second: 1024,
      ...options.cluster,
    };
    const tokens = [{ name: 'none', role: 'read', sha256: '0'.repeat(64) }];
    const apiOptions = {
      port: Number(new URL(url).port),
      tokens,
      managed_devices: { networks: ['127.0.0.0/8'] },
      ...options.httpApi,
    };
    const { stateDirectory } = options;
    const member = await startPolling(this.#ending as unknown as TestContext, folder, {
      ...(stateDirectory === undefined ? {} : { stateDirectory }),
      client: { sockets: 1 },
      poller: options.poller ?? {},
      discovery: { starts_per_second: 1000 },
      env: { CLUSTER_TOKEN: token, ...options.env },
      more: [
        { plugin: cluster, options: clusterOptions },
        { plugin: snmpApi },
        { plugin: httpApi, options: apiOptions },
        ...(options.more ?? []),
      ],
    });
    const shards = member.collector.getService(shardsToken);
    const fleet = shards.fleet!;
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      });
    const post = (path: string, body?: object, method = 'POST') =>
      ask(path, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
    return {
      ...member,
      name,
      url,
      shards,
      fleet,
      ask,
      post,
      read: async <Answer>(path: string) => (await (await ask(path)).json()) as Answer,
      registry: member.collector.getService(deviceRegistryToken),
      owned: () => fleet.status().ownedShards,
      owns: (port: number) => shards.owns(shardOf({ ip: '127.0.0.1', port })),
    };
  }
}

export type FleetMember = Awaited<ReturnType<TestFleet['add']>>;

/** Every shard belongs to the member that the hash chooses, and all members know it: nothing moves any more. */
export async function allOwned(members: readonly FleetMember[]): Promise<void> {
  const isDone = () => {
    if (members.some(({ fleet }) => fleet.members.size !== members.length)) return false;
    const chosen = chooseOwners(members[0]!.fleet.members.values());
    return members.every(({ name, shards, fleet }) =>
      chosen.every(
        (owner, shard) =>
          shards.owns(shard) === (owner === name) && fleet.claims.get(shard)?.member === owner,
      ),
    );
  };
  for (let i = 0; !isDone(); i++) {
    if (i > 4_000) throw new Error('Not every shard has the owner that the hash chooses.');
    await sleep(5);
  }
}
