/** The bits of msgFlags (RFC 3412 §6.4). */
export const messageFlag = { auth: 1, priv: 2, reportable: 4 } as const;

/** The security levels as bits of msgFlags; privacy alone is not a level. */
export const securityLevel = {
  noAuthNoPriv: 0,
  authNoPriv: messageFlag.auth,
  authPriv: messageFlag.auth | messageFlag.priv,
} as const;
export type SecurityLevel = (typeof securityLevel)[keyof typeof securityLevel];

/** The level that a message claims; undefined for privacy without authentication (RFC 3412 §7.2). */
export function findLevel(flags: number): SecurityLevel | undefined {
  const bits = flags & securityLevel.authPriv;
  return bits === messageFlag.priv ? undefined : (bits as SecurityLevel);
}

export type SecurityLevelName = keyof typeof securityLevel;

export function nameLevel(level: SecurityLevel): SecurityLevelName {
  if (level === securityLevel.authPriv) return 'authPriv';
  return level === securityLevel.authNoPriv ? 'authNoPriv' : 'noAuthNoPriv';
}
