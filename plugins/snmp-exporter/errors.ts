import type { ErrorTable } from '../../src/index.ts';

export const exporterErrors = {
  PROBE_MODULE_UNKNOWN:
    'There is no module "{module}": modules are the device groups of the definitions.{suggestion} `waywiser import snmp-exporter` writes one for each module of snmp.yml.',
  PROBE_AUTH_UNKNOWN:
    'There is no auth "{auth}": auths are the networks of autodiscover/networks.yml.{suggestion} Add it with its credentials and its networks.',
  PROBE_AUTH_PLAIN:
    'The auth "{auth}" has a secret in plain text. Targets of scrapes are kept on the disk: use a reference to the environment or to the secrets directory in autodiscover/networks.yml.',
  PROBE_TARGET_INVALID:
    'The target "{target}" is neither a device of this collector nor an IP address, with or without a port.',
  PROBE_TARGET_REFUSED:
    'The target {target} is not in a network of "{auth}". Add its network to autodiscover/networks.yml, or add the device.',
  PROBE_PORT_REFUSED:
    'The target {target} is refused: the network "{auth}" names port {port}. Scrape that port, change `port` of the network in autodiscover/networks.yml, or add the device.',
  PROBE_ROLE_TOO_LOW:
    'This scrape {change} {target}, which needs the role operate. Give the token of Prometheus this role, or add the device.',
  PROBE_TOO_MANY_TARGETS:
    'The target {target} is refused: {max} targets that are no devices of the definitions were scraped already. Raise `max_targets` of snmp-exporter.',
  PROBE_NOT_COLLECTED:
    'Nothing of the module {modules} is collected from {device}. Add it to `device_groups` of the device.',
  PROBE_NOT_OWNED:
    'No member of the cluster polls {target} at this moment. Its devices are being taken over: scrape again in some seconds.',
  PROBE_NO_ANSWER: '{device} did not answer: no value was read.',
  PROBE_TOO_SLOW:
    '{device} was not read within {waitMs} ms. Raise scrape_timeout in Prometheus. The poll continues, and the next scrape may find its values.',
  PROBE_STOPPING: 'The collector is stopping.',
} as const satisfies ErrorTable;
