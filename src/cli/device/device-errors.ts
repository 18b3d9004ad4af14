import { defineErrors, type ErrorTable } from '../../kernel/errors.ts';

/** @public read by the generator of docs/errors.md */
export const deviceCommandErrors = {
  DEVICE_NAME_UNKNOWN: 'There is no device "{device}" in the definitions of {config}.{suggestion}',
  DEVICE_POLLER_MISSING:
    'The configuration {config} does not have the plugin snmp-poller. Add `snmp-poller:` to its plugins.',
  DEVICE_STATE_UNREADABLE:
    'The state file {file} cannot be read. Run the command as the user that runs the collector.',
  DEVICE_POLL_EMPTY: 'The poll of "{device}" brought no value: {reasons}.',
  DEVICE_INSTANCE_MISSING:
    'The object {object} has {count} instances on "{device}". Name one, such as {object}.{first}.',
  COMMAND_INTERRUPTED: 'The command was interrupted by {signal}.',
} as const satisfies ErrorTable;

export const deviceFailure = defineErrors(deviceCommandErrors);
