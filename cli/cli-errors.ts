import { defineErrors, type ErrorTable } from '../src/kernel/errors.ts';

/**
 * Wrong command lines: each ends the command with exit code 2. No sentence repeats the value of an option of the SNMP
 * commands, because a value after the wrong letter may be a passphrase.
 * @public read by the generator of docs/errors.md
 */
export const usageErrors = {
  NUMBER_OPTION_INVALID: '{option} takes a whole number {range}, but got "{received}".',
  FILE_KIND_UNKNOWN: 'There is no schema of "{kind}".{suggestion} Choose one of: {known}.',
  SHOWN_KIND_UNKNOWN: 'Cannot show "{kind}".{suggestion} Choose one of: {known}.',
  EXPLAIN_WORDS_WRONG:
    'Wrong number of arguments. Write `waywiser ctl explain DEVICE OBJECT[.INSTANCE] ATTRIBUTE`; DEVICE may also be an address and a port.',
  DEVICE_GROUP_UNKNOWN:
    'There is no device group "{group}".{suggestion} Without --group the sysObjectID decides.',
  OPTION_INVALID: '{option} takes {expected}.',
  OPTION_MISSING: '{option} is missing: {reason}.',
  TARGET_INVALID:
    '"{target}" is not a valid target. Write HOST, HOST:PORT or [IPV6]:PORT, with udp: or udp6: in front if needed.',
  TRAP_NAME_INVALID:
    'No definition that ships has "{name}".{suggestion} Write an OID such as 1.3.6.1.6.3.1.1.5.3, a name such as IF-MIB::linkDown, or name MIB files with --mibs.',
  OID_NAME_UNKNOWN:
    'No definition that ships has "{name}".{suggestion} Write an OID such as 1.3.6.1.2.1.1, or name MIB files with --mibs.',
  TRAP_VARBIND_INVALID:
    'The varbind "{word}" cannot be sent: {reason}. Write OID=LETTER:VALUE, such as 1.3.6.1.2.1.2.2.1.1.7=i:7.',
  TRAP_INFORM_NEEDS_V2C: 'SNMPv1 has no informs. Use -v 2c or -v 3, or leave out --inform.',
  BULK_NEEDS_V2C:
    'SNMPv1 has no GETBULK. Use -v 2c or -v 3, or use `waywiser walk`, which works with every version.',
  RECORDING_NAME_INVALID:
    'The file name "{file}" does not say the format of the recording. End it with .snmprec or .snmprec.gz.',
  INIT_TARGET_MISSING:
    'Without a terminal, `waywiser init` cannot ask questions. Name a device or a range, such as: waywiser init 192.0.2.0/24 -v2c -c public.',
  INIT_PLUGIN_WITHOUT_ADD:
    '--plugin extends a configuration that exists, so it needs --add. Run `waywiser init` first, then again with --add.',
  INIT_PLUGIN_INVALID:
    'A --plugin cannot be read as YAML. Write a name, such as ndjson, or what you would write below `plugins:`, such as {example}.',
  INIT_RANGE_INVALID:
    '"{range}" is not a valid address range. Write 192.0.2.0/24 or 192.0.2.10-20, followed by :PORT if the port is not 161.',
  INIT_RANGE_TOO_LARGE:
    '"{range}" contains {count} addresses; at most {max} are allowed. Use a smaller range.',
} as const satisfies ErrorTable;

/**
 * Everything else that a command can fail with: exit code 1. No sentence repeats what a token file or a variable holds.
 * @public read by the generator of docs/errors.md
 */
export const cliErrors = {
  COMMAND_INTERRUPTED: 'The command was interrupted by {signal}.',
  DEVICE_NAME_UNKNOWN: 'There is no device "{device}" in the definitions of {config}.{suggestion}',
  DEVICE_POLLER_MISSING:
    'The configuration {config} does not have the plugin snmp-poller. Add `snmp-poller:` to its plugins.',
  DEVICE_STATE_UNREADABLE:
    'The state file {file} cannot be read. Run the command as the user that runs the collector.',
  DEVICE_POLL_EMPTY: 'The poll of "{device}" returned no value: {reasons}.',
  DEVICE_INSTANCE_MISSING:
    'The object {object} has {count} instances on "{device}". Name one, such as {object}.{first}.',
  CTL_URL_INVALID: '"{url}" is not the URL of an HTTP API. Write it as in http://127.0.0.1:8080.',
  CTL_PORT_UNKNOWN:
    'The HTTP API of {file} takes another port at each start. Name its URL with --url; the log of the collector has it.',
  CTL_HOST_ELSEWHERE:
    '"{file}" has an HTTP API at "{host}", which is no address of this machine. Name the collector with --url or WAYWISER_URL.',
  CTL_TOKEN_UNREADABLE:
    'The token file {file} cannot be read: {reason}. Name a file that has the token in its first line.',
  CTL_TOKEN_EMPTY:
    'The first line of {file} is empty. Write the token there; `waywiser token new` creates one.',
  CTL_SCAN_UNAVAILABLE:
    'The collector cannot scan networks. Add the plugin network-discovery to its configuration.',
  DEFINITIONS_DIRECTORY_MISSING:
    'There is no directory {directory}. Name one that has objects/, devices/ and so on, or a configuration with --config.',
  DEFINITION_NOT_THERE: 'There is no {kind} "{id}" in {place}.{suggestion}',
  TEMPLATE_UNKNOWN: 'There is no kind of package "{template}".{suggestion} Choose one of: {known}.',
  FILE_UNUSABLE: '{path} cannot be used: {reason}. Correct that, or name another file or directory.',
  DIRECTORY_NOT_EMPTY: 'The directory {directory} is not empty. Name a new one.',
  PACKAGE_UNWRITABLE: 'The package cannot be written to {directory}: {reason}. Name another directory.',
  PACKAGE_NAME_INVALID:
    '"{name}" cannot be the name of a package. Name the directory with lower-case letters, digits and hyphens, starting with a letter.',
  INIT_WOULD_OVERWRITE:
    '{directory} already contains: {files}. Use --add to add devices to the configuration there, or name another directory with --into.',
  INIT_UNWRITABLE:
    'The configuration cannot be written to {directory}: {reason}. Name another directory with --into.',
  INIT_NOTHING_THERE:
    'There is no {file}, so nothing can be added to it. Run the command without --add to write a new configuration, or name its directory with --into.',
  INIT_DEFINITIONS_BROKEN:
    'The definitions of {config} have errors ({count}), such as: {first} Correct them first; `waywiser check` lists them. Nothing was written.',
  INIT_CANNOT_EXTEND:
    '{file} cannot be extended, because {reason}. Write {map} with each name on a line of its own, without braces around all of them and without aliases, and run the command again. Nothing was written.',
  INIT_NO_DEVICE_FILES:
    'The plugin definitions-loader of {config} has no directory for files of devices. Give it `directories` with one of your own. Nothing was written.',
  INIT_NO_SECRETS_DIRECTORY:
    '{config} has no `secrets_directory`, where the new secrets could be written. Add that key, or give the secrets as environment variables, such as {example}. Nothing was written.',
  INIT_PLUGIN_REFUSED:
    'Nothing was written, because the collector would not start with {plugins}. Correct the name or the options. {reason}',
  INIT_NO_ANSWER: 'No device answered. Addresses asked: {count} ({reasons}). {hints} Nothing was written.',
  OUTPUT_NOT_CONFIGURED:
    'The configuration has no output "{output}".{suggestion} The plugins in it are: {known}.',
  PLUGIN_IS_NO_OUTPUT: '"{output}" is a plugin of kind {kind}, not an output.',
  STORED_PATH_UNREADABLE:
    '{path} cannot be read to the end: {reason}. If a running collector deletes these files, read a copy.',
  STORED_PATH_MISSING:
    'There is no file or directory {path}. A queue is queues/OUTPUT in the state directory.',
  STORED_PATH_UNKNOWN:
    '{path} contains no batches. Name the directory of a disk queue or of batch-files, a segment file (such as 0000000000000001-1a2b3c4d.segment), or a dead-letter file (….ndjson).',
  STORED_BATCHES_LOST:
    '{lost} of {path} cannot be read because bytes are damaged or missing. All others were printed.',
  TARGET_UNKNOWN:
    '"{target}" is neither a device of {config} nor a host name that resolves.{suggestion} Name a device, or write an address.',
  DEVICE_CREDENTIALS_MISSING:
    'The device "{device}" has no credentials for its SNMP version. Give them to the device, or with options such as -c.',
  HOST_UNKNOWN: 'The host name {host} cannot be resolved: {reason}. An address needs no name server.',
  RECORDING_MISSING: 'There is no file {file}. Name a recording, or a device by its name or address.',
  RECORDING_UNWRITABLE: 'The recording {file} cannot be written: {reason}. Choose another place.',
  RECORDING_EMPTY: '{target} has nothing below {root}. No file was written.',
  MIB_DIRECTORY_MISSING:
    'No directory with MIB files is named, and none of {defaults} exists. Name one with --mibs DIR.',
  MIB_PATH_UNREADABLE:
    'The MIB path {path} cannot be read: {reason}. Name a file or a directory with MIB files.',
  MIB_MODULES_MISSING: 'No MIB module is in {paths}. Name files or directories with MIB files.',
  MIB_NAME_UNKNOWN: 'No MIB in {paths} defines "{name}".{suggestion}',
  MIB_OID_UNKNOWN: 'No MIB in {paths} defines {oid} or an OID above it.',
  MIB_NAME_AMBIGUOUS: '"{name}" has different OIDs in several modules. Write one of: {choices}.',
  TRAP_ADDRESS_UNUSABLE: 'Cannot listen on {address}: {reason}. Choose an address of this machine.',
  TRAP_INPUT_UNREADABLE:
    '{input} cannot be read: {reason}. Give the octets of one datagram in hexadecimal, or a file of tcpdump or Wireshark (.pcap, .pcapng).',
  ENGINE_FAILED: 'The engine {engine} could not read {target} to the end.',
} as const satisfies ErrorTable;

export const usageFailure = defineErrors(usageErrors);
export const cliFailure = defineErrors(cliErrors);

export function isUsageCode(code: string): boolean {
  return Object.hasOwn(usageErrors, code);
}
