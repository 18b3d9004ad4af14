import { cpuUsage, hrtime } from 'node:process';
import {
  compileTable,
  createPollColumns,
  type Dialect,
  type Manager,
  type PollColumns,
  type Session,
} from '../../src/snmp/index.ts';

/** The objects of all measurements: ifTable and ifXTable of 48 interfaces, and the 30 columns that a poller reads. */
export const rows = 48;
export const roots = ['1.3.6.1.2.1.2.2', '1.3.6.1.2.1.31.1.1'] as const;
export const columns = [
  ...[4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21].map((n) => `1.3.6.1.2.1.2.2.1.${n}`),
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15].map((n) => `1.3.6.1.2.1.31.1.1.1.${n}`),
] as const;

export interface Work {
  readonly varbinds: number;
  readonly packets: number;
}

export interface Cost extends Work {
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Loopback addresses, one per device. */
export function addressOf(device: number): string {
  return `127.${1 + (device >> 16)}.${(device >> 8) & 255}.${device & 255}`;
}

export async function measure(work: () => Promise<Work>): Promise<Cost> {
  const started = hrtime.bigint();
  const before = cpuUsage();
  const done = await work();
  const { user, system } = cpuUsage(before);
  return { ...done, cpuSeconds: (user + system) / 1e6, seconds: Number(hrtime.bigint() - started) / 1e9 };
}

export async function walkDevices(
  open: (device: number) => Session,
  devices: number,
  inFlight: number,
): Promise<Work> {
  const done = { varbinds: 0, packets: 0 };
  await visitAll(devices, inFlight, async (device) => {
    const session = open(device);
    for (const root of roots) {
      const walk = session.walk(root);
      for await (const varbinds of walk) done.varbinds += varbinds.length;
      done.packets += walk.outcome.requests;
    }
    session.close();
  });
  return done;
}

export async function pollDevices(
  open: (device: number) => Session,
  dialect: Dialect,
  devices: number,
  inFlight: number,
): Promise<Work> {
  const instances = Array.from({ length: rows }, (_, row) => String(row + 1));
  const requests = compileTable({ dialect, columns, instances, firstSlot: 0 });
  const done = { varbinds: 0, packets: 0 };
  const free: PollColumns[] = [];
  await visitAll(devices, inFlight, async (device) => {
    const session = open(device);
    const into = free.pop() ?? createPollColumns(columns.length * rows);
    const { values, replies } = await session.poll(requests, into);
    done.varbinds += values;
    done.packets += replies;
    free.push(into);
    session.close();
  });
  return done;
}

export function communityOpener(manager: Manager, port: number): (device: number) => Session {
  return (device) => manager.open({ address: addressOf(device), port, version: '2c', community: 'public' });
}

async function visitAll(
  devices: number,
  inFlight: number,
  visit: (device: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const visitor = async () => {
    while (next < devices) await visit(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, visitor));
}
