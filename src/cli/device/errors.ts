import type { ErrorTable } from '../../kernel/errors.ts';

export const deviceCommandErrors = {
  DEVICE_NAME_UNKNOWN: 'There is no device "{device}" in the definitions of {config}.{suggestion}',
  DEVICE_POLLER_MISSING:
    'The configuration {config} has no snmp-poller, so nothing is polled by it. Add `snmp-poller:` to its plugins.',
  DEVICE_STATE_UNREADABLE:
    'What the collector keeps in {file} cannot be read. Run the command as the user of the collector.',
  DEVICE_POLL_EMPTY: 'The device "{device}" brought no value: {reasons}.',
  DEVICE_INSTANCE_MISSING:
    'The object {object} has {count} instances on "{device}": say which, as in {object}.{first}',
  COMMAND_INTERRUPTED: 'Interrupted by {signal}.',
} as const satisfies ErrorTable;
