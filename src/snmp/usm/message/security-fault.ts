/** Why a v3 message with a readable header was refused. Counted by cause; the request continues to wait. */
export const securityFaults = [
  /** Not the User-based Security Model. */
  'securityModel',
  /** Lower or higher than the request's, or contradictory. */
  'securityLevel',
  'engineId',
  'user',
  /** Authentication parameters that do not have exactly the protocol's length. */
  'macLength',
  'mac',
  'timeWindow',
  'decryption',
  /** Another context name or context engine ID than the request's. */
  'context',
  /** Neither a Response nor a Report, or no PDU at all. */
  'pduType',
] as const;
export type SecurityFault = (typeof securityFaults)[number];
