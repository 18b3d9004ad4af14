import type { Oid } from '../../src/index.ts';

/** A root that recorded devices answer and of which nothing is collected. */
export interface UncollectedRoot {
  readonly root: Oid;
  /** How many of the recorded devices. */
  readonly devices: number;
  readonly what: string;
  /** Why no definition was written, or why those that exist find nothing. */
  readonly reason: string;
  /** Whether objects below it are collected of other devices. */
  readonly isDefined?: boolean;
}

/** Of so many recordings, with `waywiser coverage ../shared/recordings ../shared/parity/recordings`. */
export const recordedDevices = 500;

const configuration = 'configuration of the agent, which tells nothing about the health of the device';
const wanted =
  'worth a definition; the MIB was not at hand, and the recording does not say what its columns are';

/** The most frequent ones, then others whose values are worth having. A root leaves the page as soon as a definition collects it. */
export const uncollectedRoots: readonly UncollectedRoot[] = [
  {
    root: '1.3.6.1.2.1.16',
    devices: 60,
    what: 'RMON-MIB',
    reason:
      'statistics and history by port, in thousands of rows; IF-MIB and EtherLike-MIB have the same counters',
  },
  {
    root: '1.3.6.1.2.1.3',
    devices: 24,
    what: 'AT-MIB',
    reason: 'the ARP table in its form of 1988; IP-MIB has it',
  },
  {
    root: '1.3.6.1.6.3.1',
    devices: 24,
    what: 'SNMPv2-MIB, snmpSet',
    reason: 'a lock for managers that write',
  },
  { root: '1.3.6.1.2.1.55', devices: 21, what: 'IPV6-MIB', reason: 'obsolete; IP-MIB has the same' },
  { root: '1.3.6.1.6.3.12', devices: 16, what: 'SNMP-TARGET-MIB', reason: configuration },
  { root: '1.3.6.1.2.1.92', devices: 16, what: 'NOTIFICATION-LOG-MIB', reason: configuration },
  {
    root: '1.3.6.1.4.1.8072',
    isDefined: true,
    devices: 15,
    what: 'NET-SNMP',
    reason: 'these devices have no extends, only tables about the agent itself',
  },
  {
    root: '1.3.6.1.6.3.16',
    devices: 15,
    what: 'SNMP-VIEW-BASED-ACM-MIB',
    reason: 'who may read what: not to be stored elsewhere',
  },
  { root: '1.3.6.1.2.1.88', devices: 7, what: 'DISMAN-EVENT-MIB', reason: configuration },
  { root: '1.3.6.1.6.3.13', devices: 6, what: 'SNMP-NOTIFICATION-MIB', reason: configuration },
  {
    root: '1.3.6.1.4.1.674',
    isDefined: true,
    devices: 4,
    what: 'Dell',
    reason: 'only the model and the version of UPSes and switches; their sensors are in other MIBs',
  },
  { root: '1.3.6.1.2.1.23', devices: 5, what: 'RIPv2-MIB', reason: 'nobody has asked for it' },
  {
    root: '1.3.6.1.6.3.18',
    devices: 5,
    what: 'SNMP-COMMUNITY-MIB',
    reason: 'communities are secrets: not to be stored elsewhere',
  },
  {
    root: '1.3.6.1.2.1.80',
    devices: 5,
    what: 'DISMAN-PING-MIB',
    reason: 'has rows only where somebody configured measurements',
  },
  {
    root: '1.3.6.1.4.1.11',
    isDefined: true,
    devices: 5,
    what: 'HP, printers',
    reason: 'only the model; Printer-MIB has pages, supplies and alerts',
  },
  {
    root: '1.3.6.1.2.1.28',
    devices: 4,
    what: 'MTA-MIB',
    reason: 'queues of a mail server that net-snmp counts; nothing is in them on these devices',
  },
  { root: '1.3.6.1.2.1.67', devices: 4, what: 'RADIUS clients', reason: 'nobody has asked for it' },
  { root: '1.3.6.1.2.1.7', isDefined: true, devices: 5, what: 'UDP-MIB', reason: 'only the list of sockets' },
  { root: '1.3.6.1.4.1.13827', devices: 4, what: 'EndRun, time servers', reason: 'one or two values each' },
  {
    root: '1.3.6.1.3.94.3',
    devices: 3,
    what: 'FCMGMT-MIB, revision',
    reason: 'only the version of the MIB',
  },
  {
    root: '1.3.6.1.4.1.1166',
    devices: 2,
    what: 'Arris (General Instrument), video processors',
    reason: wanted,
  },
  {
    root: '1.3.6.1.4.1.2021',
    isDefined: true,
    devices: 1,
    what: 'UCD-SNMP-MIB',
    reason:
      'one value about the agent; other devices answer processor, memory and disks, which are collected',
  },
];
