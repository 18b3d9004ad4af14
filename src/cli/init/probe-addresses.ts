import { type AgentIdentity, identifyAgent, SnmpError, type SnmpSession } from '../../snmp/index.ts';
import { type PaceTools, SendPace } from '../../timing/pace.ts';
import { runInWindow } from '../../timing/run-in-window.ts';

export interface FoundDevice extends AgentIdentity {
  readonly address: string;
}

export interface Probes {
  readonly found: readonly FoundDevice[];
  /** How many addresses failed, by error code. */
  readonly failures: ReadonlyMap<string, number>;
}

export interface ProbeTools extends PaceTools {
  open(address: string): SnmpSession;
  /** Time between the starts of two probes, which limits the rate whether devices answer or not. */
  readonly everyMs: number;
}

/** At the highest rate, an answer may take four seconds before a probe has to wait for a free place. */
const maxInFlight = 4_096;

/** Asks every address for its sysName and sysObjectID, at a steady rate. Found devices are in the order of the addresses. */
export async function probeAddresses(addresses: readonly string[], tools: ProbeTools): Promise<Probes> {
  const failures = new Map<string, number>();
  const found: (FoundDevice | undefined)[] = [];
  const pace = new SendPace(tools.everyMs, tools);
  await runInWindow(addresses.entries(), maxInFlight, async ([position, address]) => {
    await pace.take();
    const session = tools.open(address);
    try {
      found[position] = { address, ...(await identifyAgent(session)) };
    } catch (error) {
      if (!(error instanceof SnmpError)) throw error;
      failures.set(error.code, (failures.get(error.code) ?? 0) + 1);
    } finally {
      session.close();
    }
  });
  return { found: found.filter((device) => device !== undefined), failures };
}
