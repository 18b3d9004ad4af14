/** The user of all SNMPv3 measurements: authPriv with SHA-256 and AES-128. */
export const benchUser = {
  name: 'bench',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup',
  privProtocol: 'aes',
  privPassphrase: 'maplesyrup',
} as const;
