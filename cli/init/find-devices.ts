import { setTimeout as wait } from 'node:timers/promises';
import type { CompiledDefinitions } from '../../src/definitions/index.ts';
import { findDeviceGroup } from '../../src/definitions/index.ts';
import { toSafeName } from '../../src/model/safe-name.ts';
import { createManager } from '../../src/snmp/index.ts';
import { cliFailure, usageFailure } from '../cli-errors.ts';
import { type Candidate, describeCandidate } from '../snmp/options/candidates.ts';
import { parseTiming, type RequestOptions } from '../snmp/options/request-options.ts';
import { counted } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import type { AddressList } from './address-range.ts';
import type { NamedDevice } from './configuration-text.ts';
import { type FoundDevice, type Probes, probeAddresses } from './probe-addresses.ts';

/** Some firewalls take a higher rate for an attack. */
const maxRate = 1_000;

/** The time between two probes, of the option --rate. */
export function parseRate(text: string): number {
  const rate = /^\d+$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > maxRate) {
    throw usageFailure('OPTION_INVALID', {
      option: '--rate',
      expected: `1 to ${maxRate} addresses per second`,
    });
  }
  return 1000 / rate;
}

/** What a command line, or the answers to the questions, ask for. */
export interface Wishes {
  /** The options for timing, and the version. */
  readonly options: RequestOptions;
  readonly everyMs: number;
  readonly directory: string;
  /** What to try on each address, in this order. Empty when no credentials were given. */
  readonly credentials: readonly RequestOptions[];
}

export interface Search extends AddressList {
  /** What to try on each address, in this order. */
  readonly candidates: readonly Candidate[];
  /** The options for timing. */
  readonly options: RequestOptions;
  readonly everyMs: number;
}

/** Asks every address, and says so. */
export async function findDevices({
  addresses,
  port,
  candidates,
  options,
  everyMs,
}: Search): Promise<Probes> {
  console.log(`Probing ${counted(addresses.length, 'address', 'addresses')} on port ${port}…`);
  const timing = parseTiming({ ...options, r: options.r ?? '1' });
  const engine = createManager({ sockets: 1 });
  try {
    const targets = candidates.map(({ credentials }) => ({ ...credentials, ...timing }));
    const open = (address: string, candidate: number) =>
      engine.open({ ...targets[candidate]!, address, port });
    const now = () => performance.now();
    return await probeAddresses(addresses, { candidates: candidates.length, open, everyMs, now, wait });
  } finally {
    engine.close();
  }
}

export function noAnswer({ addresses }: AddressList, { failures, hints }: Probes): Error {
  const reasons = [...failures].map(([code, count]) => `${count} × ${code}`).join(', ');
  return cliFailure('INIT_NO_ANSWER', { count: addresses.length, reasons, hints: hints.join(' ') });
}

interface Surroundings {
  readonly port: number;
  readonly candidates: readonly Candidate[];
  readonly groups: Pick<CompiledDefinitions, 'deviceGroups' | 'deviceGroupsBySysObjectId'>;
  /** Names of other devices. */
  readonly taken?: Iterable<string>;
}

/**
 * Names each device after its sysName, or its address if it has none. Where the definitions have no group `auto`, finds the device
 * group for its sysObjectID.
 */
export function nameDevices(
  found: readonly FoundDevice[],
  { port, candidates, groups, taken = [] }: Surroundings,
): NamedDevice[] {
  const names = new Set(taken);
  return found.map((device) => {
    const address = toSafeName(device.address);
    const wished = toSafeName(device.name ?? '') || address;
    const id = firstFree([wished, `${wished}-${address}`, `${wished}-${address}-${port}`], names);
    names.add(id);
    const { sysObjectId } = device;
    const isAuto = groups.deviceGroups.has('auto');
    const deviceGroup =
      sysObjectId === undefined || isAuto ? undefined : findDeviceGroup(groups, sysObjectId);
    return { ...device, id, port, deviceGroup, version: candidates[device.candidate]!.credentials.version };
  });
}

function firstFree(wishes: readonly string[], taken: ReadonlySet<string>): string {
  const free = wishes.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const last = wishes.at(-1)!;
  let number = 2;
  while (taken.has(`${last}-${number}`)) number++;
  return `${last}-${number}`;
}

/** Prints the devices, and which credentials no device answered. */
export function printDevices(devices: readonly NamedDevice[], candidates: readonly Candidate[]): void {
  const rows = devices.map(({ address, id, deviceGroup = 'auto', description = '' }) => [
    address,
    id,
    deviceGroup,
    description,
  ]);
  console.log(formatTable(['address', 'device', 'group', 'description'], rows));
  const answered = new Set(devices.map(({ candidate }) => candidate));
  const unused = candidates.flatMap((candidate, i) =>
    answered.has(i) ? [] : [describeCandidate(candidate, i)],
  );
  if (unused.length > 0) console.log(`\nLeft out, because no device needs it: ${unused.join(', ')}.`);
}
