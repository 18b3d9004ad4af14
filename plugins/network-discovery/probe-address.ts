import {
  type AgentIdentity,
  identifyAgent,
  SnmpError,
  type SnmpErrorCode,
  type SnmpSession,
  type Target,
} from '../../src/snmp/index.ts';
import type { SendPace } from '../../src/timing/index.ts';
import type { Candidate } from './address-segments.ts';

/** A credential of a network, with its secrets resolved. */
export interface NetworkCredential {
  readonly network: string;
  /** Its position in the network's list of credentials. */
  readonly position: number;
  /** What a request with this credential needs, except the address. */
  readonly target: Target;
}

export type ProbeResult =
  | {
      readonly answered: true;
      readonly credential: NetworkCredential;
      readonly identity: AgentIdentity;
    }
  | {
      readonly answered: false;
      /** An SNMPv3 agent is there, and accepts none of the credentials. */
      readonly refused: boolean;
      /** False when there was no credential to ask with. Such a result does not mean that the address is silent. */
      readonly asked: boolean;
    };

export interface ProbeTools {
  readonly pace: SendPace;
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Whether the address is still to be asked. */
  isWanted(): boolean;
  open(target: Target): Promise<SnmpSession>;
}

/** Asks one address with one credential after the other, until it answers. Rejects when the signal aborts. */
export async function probeAddress(
  { ip, port }: Candidate,
  credentials: readonly NetworkCredential[],
  { pace, retries, signal, isWanted, open }: ProbeTools,
): Promise<ProbeResult> {
  let refused = false;
  for (const credential of credentials) {
    const { target } = credential;
    for (let attempt = 0; attempt <= retries; attempt++) {
      await pace.take(signal);
      if (!isWanted()) return { answered: false, refused, asked: false };
      const result = await ask(target);
      if (typeof result === 'object') return { answered: true, credential, identity: result };
      if (target.version === '3' && !silences.has(result)) pace.charge(1);
      if (!refusals.has(result)) continue;
      refused = true;
      break;
    }
  }
  return { answered: false, refused, asked: credentials.length > 0 };

  async function ask(target: Target): Promise<AgentIdentity | SnmpErrorCode> {
    let session: SnmpSession | undefined;
    try {
      // Retries are packets too. They wait for their turn in the loop above, not in the engine.
      session = await open({ ...target, address: ip, port, retries: 0 });
      const identity = await identifyAgent(session, { signal });
      // The first packet to an SNMPv3 agent asks for its engine id.
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

/** No packet came back. */
const silences: ReadonlySet<SnmpErrorCode> = new Set([
  'SNMP_TIMEOUT',
  'SNMP_NO_ENGINE',
  'SNMP_UNREACHABLE',
  'SNMP_BAD_TARGET',
]);

/** An SNMPv3 agent refuses the credential. A retry would get the same answer. */
const refusals: ReadonlySet<SnmpErrorCode> = new Set([
  'SNMP_WRONG_DIGEST',
  'SNMP_UNKNOWN_USER',
  'SNMP_SECURITY_LEVEL',
  'SNMP_DECRYPTION',
  'SNMP_TIME_WINDOW',
]);
