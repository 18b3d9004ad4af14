import { SnmpError, type SnmpSession, type Varbind } from '../../snmp/index.ts';

/** What an agent says of itself; any of it may be missing, and none of it is to be trusted. */
export interface FoundDevice {
  readonly address: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly sysObjectId: string | undefined;
}

export interface Probes {
  readonly found: readonly FoundDevice[];
  /** How many addresses failed, by error code. */
  readonly failures: ReadonlyMap<string, number>;
}

export interface ProbeTools {
  open(address: string): SnmpSession;
  /** Between the starts of two probes: bounds the rate, whatever answers. */
  readonly everyMs: number;
  wait(ms: number): Promise<unknown>;
}

/** Asks every address for its name and its kind, at a steady pace. Found devices keep the order of the addresses. */
export async function probeAddresses(addresses: readonly string[], tools: ProbeTools): Promise<Probes> {
  const failures = new Map<string, number>();
  const faults: unknown[] = [];
  const probes: Promise<FoundDevice | undefined>[] = [];
  for (const [position, address] of addresses.entries()) {
    if (position > 0) await tools.wait(tools.everyMs);
    probes.push(
      probe(tools.open(address), address).catch((error: unknown) => {
        if (error instanceof SnmpError) failures.set(error.code, (failures.get(error.code) ?? 0) + 1);
        else faults.push(error);
        return undefined;
      }),
    );
  }
  const found = (await Promise.all(probes)).filter((device) => device !== undefined);
  if (faults.length > 0) throw faults[0];
  return { found, failures };
}

const oids = {
  sysDescr: '1.3.6.1.2.1.1.1.0',
  sysObjectId: '1.3.6.1.2.1.1.2.0',
  sysName: '1.3.6.1.2.1.1.5.0',
};

async function probe(session: SnmpSession, address: string): Promise<FoundDevice> {
  try {
    const [description, sysObjectId, name] = await session.get(Object.values(oids));
    return {
      address,
      name: textOf(name),
      description: textOf(description),
      sysObjectId: sysObjectId?.type === 'ObjectIdentifier' ? String(sysObjectId.value) : undefined,
    };
  } catch (error) {
    // An SNMPv1 agent refuses the whole question when it lacks one of them: it is there all the same.
    if (!(error instanceof SnmpError) || error.code !== 'SNMP_AGENT_ERROR') throw error;
    return { address, name: undefined, description: undefined, sysObjectId: undefined };
  } finally {
    session.close();
  }
}

/** One line of printable text: whatever a device says ends up in a comment and on a terminal. */
function textOf(varbind: Varbind | undefined): string | undefined {
  if (!Buffer.isBuffer(varbind?.value)) return undefined;
  const text = varbind.value
    .toString()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, maxText);
}

const maxText = 80;
