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
  /** Between the starts of two probes: bounds the rate, whatever answers. */
  readonly everyMs: number;
}

/** More would only wait: at the highest rate an answer may take four seconds before one waits for its turn. */
const maxInFlight = 4_096;

/** Asks every address for its name and its kind, at a steady pace. Found devices keep the order of the addresses. */
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
