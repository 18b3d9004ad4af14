import { recognizeInEveryCopy } from '../shared-class.ts';

/** Every code that an SnmpError can have, and its sentence. A `{word}` is replaced by one of the error's facts. */
export const snmpErrors = {
  SNMP_TIMEOUT: '{target} did not answer {attempts} requests within {elapsedMs} ms. {advice}',
  SNMP_NOT_SENT:
    'The request to {target} was not sent in time: other requests were waiting. Poll less often, or allow more requests at the same time.',
  SNMP_UNREACHABLE:
    '{target} cannot be reached: the system refused to send ({reason}). Check the routes and firewall rules.',
  SNMP_RETRY_BUDGET:
    '{target} did not answer, and the request was not repeated: too many requests to all devices are being repeated. Check the network.',
  SNMP_REPLY_BYTES:
    '{target} answers a poll with more octets than the poller accepts. Raise max_poll_bytes of snmp-poller if the device really has such long values.',
  SNMP_WRONG_ANSWER:
    '{target} answers with other varbinds than were requested. Its agent is faulty: request fewer OIDs at a time.',
  SNMP_NOT_INCREASING:
    '{target} answers with an OID that does not follow the requested one: its agent loops there.',
  SNMP_TOO_BIG:
    '{target} cannot fit one varbind into a reply. Increase the maximum message size (maxMessageBytes).',
  SNMP_NO_V1_FORM:
    'The notification {oid} cannot be sent as SNMPv1, which has no 64-bit counters. Send it as SNMPv2c or SNMPv3.',
  SNMP_AGENT_ERROR: '{target} answered with error-status {status}.',
  SNMP_WRONG_DIGEST:
    '{target} rejects the authentication of user {user}. Check the authentication passphrase and protocol.',
  SNMP_UNKNOWN_USER: '{target} does not know the user {user}. Check the user name.',
  SNMP_SECURITY_LEVEL:
    '{target} does not allow this security level for user {user}. Check the authentication and privacy protocols.',
  SNMP_DECRYPTION:
    '{target} cannot decrypt the messages of user {user}. Check the privacy passphrase and protocol.',
  SNMP_TIME_WINDOW:
    '{target} rejects requests as outside its time window, even after the time was corrected. Check its snmpEngineBoots.',
  SNMP_NO_ENGINE:
    '{target} did not report its engine ID. Check the address, the access list of the device, and that SNMPv3 is enabled on it.',
  SNMP_BAD_TARGET: 'The target {target} cannot be opened: {reason}.',
  SNMP_BAD_OID: '"{oid}" is not a valid OID. Write numbers separated by dots, such as 1.3.6.1.2.1.1.',
  SNMP_ABORTED: 'The request to {target} was aborted.',
  SNMP_CLOSED: 'The session to {target} was closed.',
} as const;

export type SnmpErrorCode = keyof typeof snmpErrors;

/** The facts that a sentence can mention. Never a secret, never packet bytes. */
export interface SnmpErrorFacts {
  readonly target?: string;
  readonly user?: string;
  readonly oid?: string;
  readonly status?: string;
  readonly reason?: string;
  /** What to check, when that depends on the credentials. */
  readonly advice?: string;
  readonly attempts?: number;
  readonly elapsedMs?: number;
}

/** Why a request or a call failed. The code is public API. */
export class SnmpError extends Error {
  static {
    recognizeInEveryCopy(SnmpError, 'SnmpError');
  }

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
