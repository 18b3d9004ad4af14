import type { ErrorTable } from '../../kernel/errors.ts';

/** Never with the value of an option: what stands behind the wrong letter may be a passphrase. */
export const snmpCommandErrors = {
  OPTION_INVALID: '{option} takes {expected}.',
  OPTION_MISSING: '{option} is missing: {reason}.',
  TARGET_INVALID:
    '"{target}" is no target. Write HOST, HOST:PORT or [IPV6]:PORT; udp: or udp6: may stand in front.',
  HOST_UNKNOWN: 'The host name {host} cannot be resolved ({reason}). Check its spelling, or give an address.',
  BULK_NEEDS_V2C: 'SNMPv1 has no GETBULK. Use -v 2c or -v 3, or walk, which works in every version.',
  RECORDING_NAME_INVALID:
    'The recording "{file}" has no ending that says its format. Write .snmprec or .snmprec.gz.',
  RECORDING_UNWRITABLE: 'The recording {file} cannot be written: {reason}. Name another place.',
  RECORDING_EMPTY: '{target} has nothing below {root}; no file was written.',
  ENGINE_FAILED: 'The engine {engine} could not read {target} to the end.',
} as const satisfies ErrorTable;
