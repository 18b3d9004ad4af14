import { type AgentIdentity, identifyAgent, SnmpError, type SnmpSession } from '../../src/snmp/index.ts';
import { type PaceTools, SendPace } from '../../src/timing/pace.ts';
import { runInWindow } from '../../src/timing/run-in-window.ts';

export interface FoundDevice extends AgentIdentity {
  readonly address: string;
  /** The position of the credentials that it answered. */
  readonly candidate: number;
}

export interface Probes {
  readonly found: readonly FoundDevice[];
  /** How many addresses failed, by error code. With several credentials, an address can count for several codes. */
  readonly failures: ReadonlyMap<string, number>;
  /** What the errors advise, each sentence once. */
  readonly hints: readonly string[];
}

export interface ProbeTools extends PaceTools {
  /** How many credentials there are to try. */
  readonly candidates: number;
  open(address: string, candidate: number): SnmpSession;
  /** Time between the starts of two probes, which limits the rate whether devices answer or not. */
  readonly everyMs: number;
}

/** At the highest rate, an answer may take four seconds before a probe has to wait for a free place. */
const maxInFlight = 4_096;

/**
 * Asks every address for its sysName and sysObjectID, at a steady rate, with one credential after the other until it answers. Found
 * devices are in the order of the addresses.
 */
export async function probeAddresses(addresses: readonly string[], tools: ProbeTools): Promise<Probes> {
  const failures = new Map<string, number>();
  const hints = new Map<string, string>();
  const found: (FoundDevice | undefined)[] = [];
  const pace = new SendPace(tools.everyMs, tools);
  await runInWindow(addresses.entries(), maxInFlight, async ([position, address]) => {
    const codes = new Set<string>();
    for (let candidate = 0; candidate < tools.candidates; candidate++) {
      await pace.take();
      const session = tools.open(address, candidate);
      try {
        found[position] = { address, candidate, ...(await identifyAgent(session)) };
        return;
      } catch (error) {
        if (!(error instanceof SnmpError)) throw error;
        codes.add(error.code);
        // Other sentences name the address: one for each kind of failure is enough.
        const advice = error.code === 'SNMP_TIMEOUT' ? error.facts.advice : undefined;
        const key = advice ?? `${error.code} ${candidate}`;
        if (!hints.has(key)) hints.set(key, advice ?? error.message);
      } finally {
        session.close();
      }
    }
    for (const code of codes) failures.set(code, (failures.get(code) ?? 0) + 1);
  });
  return { found: found.filter((device) => device !== undefined), failures, hints: [...hints.values()] };
}
