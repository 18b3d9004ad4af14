import { defineErrors, type ErrorTable } from '../../src/index.ts';

/** @public read by the generator of docs/errors.md */
export const trapErrors = {
  TRAP_PORT_PRIVILEGED:
    'Notifications cannot be received on {address} port {port}: this user may not open ports below 1024. Use another one such as 1162, give the service CAP_NET_BIND_SERVICE, or set net.ipv4.ip_unprivileged_port_start. docs/traps.md has the commands.',
  TRAP_PORT_TAKEN:
    'Notifications cannot be received on {address} port {port}: another process has the port. `ss -lunp sport = :{port}` names it; it may be snmptrapd.',
  TRAP_LISTEN_FAILED: 'Notifications cannot be received on {address} port {port}: {reason}.',
  TRAP_LISTENER_INVALID:
    'An entry of listen of {plugin} names no address of this host: {given}. Write an address such as 0.0.0.0 and a port, or the name of a socket alone.',
  TRAP_SOCKET_MISSING:
    'The socket "{socket}" of {plugin} was not passed to this process: {reason}. Name it with FileDescriptorName in a socket unit that starts this service. docs/traps.md has one.',
  TRAP_USER_INVALID: 'The SNMPv3 user "{user}" of {plugin} cannot be used: {reason}.',
  TRAP_NETWORK_INVALID:
    'The option {option} of {plugin} contains "{given}", which is not a network. Write it as 10.0.0.0/8.',
  TRAP_ENGINE_STATE:
    '{path} cannot be used: {reason}. Senders know this engine by its ID and its boots, so it is not replaced. Restore the file from a backup, or remove it: then the engine gets a new ID.',
  TRAP_OUTPUT_UNKNOWN:
    'The option outputs of {plugin} names "{output}", which is not an output of this configuration. Outputs are: {known}.',
  TRAP_OUTPUT_WITHOUT_EVENTS:
    'The option outputs of {plugin} names "{output}", which receives no notifications: it keeps latest numbers, or is not configured for events. Outputs that receive them are: {known}. All outputs receive the counts of notifications.',
  TRAP_OUTPUT_UNDECLARED:
    'The plugin of the output "{output}" does not say whether it takes notifications, so {plugin} sends it all of them. Its author says so with events: true or events: false. Name other outputs in the option outputs of {plugin} if it should receive none.',
  TRAP_FORWARD_LOOP:
    'The target "{name}" of {plugin} cannot be {to}: that is a listener of this collector, {listener}. Notifications would come back without end.',
  TRAP_FORWARD_INVALID: 'The target "{name}" of {plugin} cannot be used: {reason}.',
  TRAP_UNKNOWN:
    'There is no notification {id} among the last ones. snmp-traps keeps as many as its option keep says; outputs have all of them.',
} as const satisfies ErrorTable;

export const trapFailure = defineErrors(trapErrors);
