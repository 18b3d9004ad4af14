import type { EngineRecord } from './engine-clock.ts';

/** A fault of SNMPv3 engines that should be fixed on the devices. */
export interface EngineFinding {
  readonly code: 'engine-id-shared' | 'engine-boots-decreased' | 'engine-boots-stuck';
  readonly addresses: readonly string[];
  readonly engineId: string;
  readonly message: string;
}

/** Engine IDs that are in use at more than one address. */
export function findSharedIds(records: readonly EngineRecord[]): EngineFinding[] {
  const addressesById = new Map<string, string[]>();
  for (const { address, engineId } of records) {
    const id = engineId.toString('hex');
    const addresses = addressesById.get(id);
    if (addresses === undefined) addressesById.set(id, [address]);
    else addresses.push(address);
  }
  return [...addressesById]
    .filter(([, addresses]) => addresses.length > 1)
    .map(([engineId, addresses]) => ({
      code: 'engine-id-shared',
      addresses,
      engineId,
      message:
        `The engine ID ${engineId} is in use at ${addresses.length} addresses (${addresses.slice(0, 5).join(', ')}). ` +
        'If these are different devices, give each device a different engine ID.',
    }));
}

/** The faults that an engine's record shows. */
export function findClockFaults(record: EngineRecord): EngineFinding[] {
  const { address, clock, bootsDecreases, timeDecreases } = record;
  const engineId = record.engineId.toString('hex');
  const findings: EngineFinding[] = [];
  if (bootsDecreases > 0) {
    findings.push({
      code: 'engine-boots-decreased',
      addresses: [address],
      engineId,
      message:
        `snmpEngineBoots of ${address} decreased ${bootsDecreases} times and is now ${clock.boots}. ` +
        'Make the device keep snmpEngineBoots over restarts: replies from before a restart could be replayed.',
    });
  }
  if (clock.boots === 0 || timeDecreases > 0) {
    findings.push({
      code: 'engine-boots-stuck',
      addresses: [address],
      engineId,
      message:
        `snmpEngineBoots of ${address} stays at ${clock.boots}, even when the device restarts. ` +
        'Make the device count its restarts: replies from before a restart could be replayed.',
    });
  }
  return findings;
}
