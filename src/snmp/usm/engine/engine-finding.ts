import type { EngineRecord } from './engine-clock.ts';

/** Something wrong with SNMPv3 engines that a person should mend on the devices. */
export interface EngineFinding {
  readonly code: 'engine-id-shared' | 'engine-boots-decreased' | 'engine-boots-stuck';
  readonly addresses: readonly string[];
  readonly engineId: string;
  readonly message: string;
}

/** Engine ids that answer at more than one address. */
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
        `Engine id ${engineId} answers at ${addresses.length} addresses (${addresses.slice(0, 5).join(', ')}). ` +
        'If these are different devices, give each an engine id of its own.',
    }));
}

/** What an engine's own record says against it. */
export function judgeRecord(record: EngineRecord): EngineFinding[] {
  const { address, clock, bootsDecreases, timeDecreases } = record;
  const engineId = record.engineId.toString('hex');
  const findings: EngineFinding[] = [];
  if (bootsDecreases > 0) {
    findings.push({
      code: 'engine-boots-decreased',
      addresses: [address],
      engineId,
      message:
        `snmpEngineBoots of ${address} went down ${bootsDecreases} times, to ${clock.boots}. ` +
        'Let the device keep it over restarts: replies from before a restart could be replayed.',
    });
  }
  if (clock.boots === 0 || timeDecreases > 0) {
    findings.push({
      code: 'engine-boots-stuck',
      addresses: [address],
      engineId,
      message:
        `snmpEngineBoots of ${address} stays at ${clock.boots}, also when the device restarts. ` +
        'Let the device count its boots: replies from before a restart could be replayed.',
    });
  }
  return findings;
}
