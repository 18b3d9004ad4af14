/** Every code an SnmpError can have, and its sentence. A `{word}` is filled from the error's facts. */
export const snmpErrors = {
  SNMP_TIMEOUT:
    '{target} did not answer {attempts} requests within {elapsedMs} ms. Check address, community and reachability.',
  SNMP_NOT_SENT:
    '{target} was not asked in time: other requests to it or to all devices were in front. Poll less often, or allow more at once.',
  SNMP_UNREACHABLE:
    '{target} cannot be reached: the system refused to send ({reason}). Check routes and firewall rules.',
  SNMP_RETRY_BUDGET:
    '{target} did not answer and was not asked again: too many requests to all devices are being repeated. Check the network.',
  SNMP_WRONG_ANSWER:
    '{target} answers, but with other varbinds than were asked for. Its agent is faulty; ask for fewer objects at once.',
  SNMP_NOT_INCREASING:
    '{target} answers with an OID that does not follow the one asked for. Its agent loops there.',
  SNMP_TOO_BIG: '{target} cannot fit one varbind into a reply. Raise maxMessageBytes.',
  SNMP_AGENT_ERROR: '{target} answered with error-status {status}.',
  SNMP_WRONG_DIGEST:
    '{target} refuses the authentication of user {user}. Check authPassphrase and authProtocol.',
  SNMP_UNKNOWN_USER: '{target} does not know the user {user}. Check the user name.',
  SNMP_SECURITY_LEVEL:
    '{target} does not offer user {user} this security level. Check authProtocol and privProtocol.',
  SNMP_DECRYPTION: '{target} cannot decrypt what user {user} sends. Check privPassphrase and privProtocol.',
  SNMP_TIME_WINDOW:
    '{target} does not accept our idea of its clock, even after one correction. Look at its engineBoots.',
  SNMP_NO_ENGINE: '{target} did not tell its engine id. Check that SNMPv3 is enabled there.',
  SNMP_BAD_TARGET: 'The target {target} cannot be opened: {reason}.',
  SNMP_BAD_OID:
    '"{oid}" is no OID that can be asked for. Write numbers with dots between them, such as 1.3.6.1.2.1.1.',
  SNMP_ABORTED: 'The request to {target} was aborted.',
  SNMP_CLOSED: 'The session to {target} was closed.',
} as const;

export type SnmpErrorCode = keyof typeof snmpErrors;

/** What fills the words of a sentence. Never a secret, never packet bytes. */
export interface SnmpErrorFacts {
  readonly target?: string;
  readonly user?: string;
  readonly oid?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly attempts?: number;
  readonly elapsedMs?: number;
}

/** Why a request, or a call, failed. The code is public API. */
export class SnmpError extends Error {
  override readonly name = 'SnmpError';
  readonly code: SnmpErrorCode;
  readonly facts: SnmpErrorFacts;

  constructor(code: SnmpErrorCode, facts: SnmpErrorFacts, cause?: unknown) {
    super(
      snmpErrors[code].replace(/\{(\w+)\}/g, (_, word: keyof SnmpErrorFacts) =>
        String(facts[word] ?? 'unknown'),
      ),
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.facts = facts;
  }
}
