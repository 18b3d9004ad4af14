import type { SendPace } from '../../../src/internal.ts';
import {
  type AgentIdentity,
  identifyAgent,
  SnmpError,
  type SnmpErrorCode,
  type SnmpSession,
  type Target,
} from '../../../src/snmp/index.ts';
import type { Candidate } from '../plan/segments.ts';

/** How the networks that hold an address ask it. */
export interface Way {
  readonly network: string;
  /** The position among the network's credentials. */
  readonly credential: number;
  readonly target: Target;
}

export type ProbeResult =
  | { readonly answered: true; readonly way: Way; readonly identity: AgentIdentity }
  | {
      readonly answered: false;
      readonly refused: boolean;
      /** False where there is no way to ask: that says nothing of who is there. */
      readonly asked: boolean;
    };

export interface ProbeTools {
  readonly pace: SendPace;
  readonly retries: number;
  readonly signal: AbortSignal;
  open(target: Target): Promise<SnmpSession>;
}

/** Asks one address in these ways, one after the other, until it answers. Rejects when the signal aborts. */
export async function probeAddress(
  { ip, port }: Candidate,
  ways: readonly Way[],
  { pace, retries, signal, open }: ProbeTools,
): Promise<ProbeResult> {
  let refused = false;
  for (const way of ways) {
    for (let attempt = 0; attempt <= retries; attempt++) {
      await pace.take(signal);
      const result = await ask(way.target);
      if (typeof result === 'object') return { answered: true, way, identity: result };
      if (way.target.version === '3' && !silences.has(result)) pace.charge(1);
      if (!refusals.has(result)) continue;
      refused = true;
      break;
    }
  }
  return { answered: false, refused, asked: ways.length > 0 };

  async function ask(target: Target): Promise<AgentIdentity | SnmpErrorCode> {
    let session: SnmpSession | undefined;
    try {
      // Repeats are packets too: they wait for their turn here, not in the engine.
      session = await open({ ...target, address: ip, port, retries: 0 });
      const identity = await identifyAgent(session, { signal });
      // An SNMPv3 engine is asked for its id before it is asked for anything else.
      if (target.version === '3') pace.charge(1);
      return identity;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SnmpError)) throw error;
      return error.code;
    } finally {
      session?.close();
    }
  }
}

/** Nothing came back. */
const silences: ReadonlySet<SnmpErrorCode> = new Set([
  'SNMP_TIMEOUT',
  'SNMP_NO_ENGINE',
  'SNMP_UNREACHABLE',
  'SNMP_BAD_TARGET',
]);

/** An SNMPv3 engine says no; to ask the same once more would change nothing. */
const refusals: ReadonlySet<SnmpErrorCode> = new Set([
  'SNMP_WRONG_DIGEST',
  'SNMP_UNKNOWN_USER',
  'SNMP_SECURITY_LEVEL',
  'SNMP_DECRYPTION',
  'SNMP_TIME_WINDOW',
]);
