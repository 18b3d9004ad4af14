import type { DecodeFault } from '../../codec/decode-fault.ts';

/** Why a v3 message was refused after its header could be read. Counted by cause; the request goes on waiting. */
export const securityFaults = [
  /** Not the User-based Security Model. */
  'securityModel',
  /** Lower or higher than the request's, or contradicting itself. */
  'securityLevel',
  'engineId',
  'userName',
  /** Authentication parameters that have not exactly the protocol's length. */
  'macLength',
  'digest',
  'timeWindow',
  'decryption',
  'contextEngineId',
  'contextName',
  /** Neither a Response nor a Report. */
  'pduType',
] as const;
export type SecurityFault = (typeof securityFaults)[number] | DecodeFault;
