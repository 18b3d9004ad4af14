/** Why a v3 message was refused after its header could be read. Counted by cause; the request goes on waiting. */
export const securityFaults = [
  /** Not the User-based Security Model. */
  'securityModel',
  /** Lower or higher than the request's, or contradicting itself. */
  'securityLevel',
  'engineId',
  'user',
  /** Authentication parameters that have not exactly the protocol's length. */
  'macLength',
  'mac',
  'timeWindow',
  'decryption',
  /** Another context name or context engine id than was asked in. */
  'context',
  /** Neither a Response nor a Report, or no PDU at all. */
  'pduType',
] as const;
export type SecurityFault = (typeof securityFaults)[number];
