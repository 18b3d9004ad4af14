import type { NamedNumbers, RangeSyntax } from '../syntax/syntax-tree.ts';
import type { BaseType } from './base-types.ts';

/** Modules that define the languages. Their macros and base types are known without them, so nobody needs their files. */
export const languageModules: ReadonlySet<string> = new Set([
  'SNMPv2-SMI',
  'SNMPv2-SMI-v1',
  'SNMPv2-TC',
  'SNMPv2-TC-v1',
  'SNMPv2-CONF',
  'RFC1065-SMI',
  'RFC1155-SMI',
  'RFC-1212',
  'RFC1212',
  'RFC-1215',
  'RFC1215',
  'RFC1442-SMI',
  'RFC1443-TC',
]);

/** The names that every module may use without their modules being there. */
export const wellKnownOids: ReadonlyMap<string, string> = new Map([
  ['ccitt', '0'],
  ['zeroDotZero', '0.0'],
  ['iso', '1'],
  ['joint-iso-ccitt', '2'],
  ['org', '1.3'],
  ['dod', '1.3.6'],
  ['internet', '1.3.6.1'],
  ['directory', '1.3.6.1.1'],
  ['mgmt', '1.3.6.1.2'],
  ['mib-2', '1.3.6.1.2.1'],
  ['mib', '1.3.6.1.2.1'],
  ['system', '1.3.6.1.2.1.1'],
  ['interfaces', '1.3.6.1.2.1.2'],
  ['at', '1.3.6.1.2.1.3'],
  ['ip', '1.3.6.1.2.1.4'],
  ['icmp', '1.3.6.1.2.1.5'],
  ['tcp', '1.3.6.1.2.1.6'],
  ['udp', '1.3.6.1.2.1.7'],
  ['egp', '1.3.6.1.2.1.8'],
  ['transmission', '1.3.6.1.2.1.10'],
  ['snmp', '1.3.6.1.2.1.11'],
  ['experimental', '1.3.6.1.3'],
  ['private', '1.3.6.1.4'],
  ['enterprises', '1.3.6.1.4.1'],
  ['security', '1.3.6.1.5'],
  ['snmpV2', '1.3.6.1.6'],
  ['snmpDomains', '1.3.6.1.6.1'],
  ['snmpProxys', '1.3.6.1.6.2'],
  ['snmpModules', '1.3.6.1.6.3'],
  ['snmpMIB', '1.3.6.1.6.3.1'],
  ['snmpMIBObjects', '1.3.6.1.6.3.1.1'],
  ['snmpTraps', '1.3.6.1.6.3.1.1.5'],
]);

/** A textual convention of SNMPv2-TC (RFC 2579) or RFC1213-MIB, for sets of files that do not contain these. */
export interface WellKnownType {
  readonly base: BaseType;
  readonly hint?: string;
  readonly labels?: NamedNumbers;
  readonly ranges?: readonly RangeSyntax[];
}

export const wellKnownTypes: ReadonlyMap<string, WellKnownType> = new Map<string, WellKnownType>([
  ['DisplayString', { base: 'OctetString', hint: '255a', ranges: [{ min: 0, max: 255 }] }],
  ['PhysAddress', { base: 'OctetString', hint: '1x:' }],
  ['MacAddress', { base: 'OctetString', hint: '1x:', ranges: [{ min: 6, max: 6 }] }],
  ['TruthValue', { base: 'Integer32', labels: number(['true', 'false'], 1) }],
  ['TestAndIncr', { base: 'Integer32', ranges: [{ min: 0, max: 2_147_483_647 }] }],
  ['AutonomousType', { base: 'ObjectIdentifier' }],
  ['InstancePointer', { base: 'ObjectIdentifier' }],
  ['VariablePointer', { base: 'ObjectIdentifier' }],
  ['RowPointer', { base: 'ObjectIdentifier' }],
  [
    'RowStatus',
    {
      base: 'Integer32',
      labels: number(['active', 'notInService', 'notReady', 'createAndGo', 'createAndWait', 'destroy'], 1),
    },
  ],
  ['TimeStamp', { base: 'TimeTicks' }],
  ['TimeInterval', { base: 'Integer32', ranges: [{ min: 0, max: 2_147_483_647 }] }],
  [
    'DateAndTime',
    {
      base: 'OctetString',
      hint: '2d-1d-1d,1d:1d:1d.1d,1a1d:1d',
      ranges: [
        { min: 8, max: 8 },
        { min: 11, max: 11 },
      ],
    },
  ],
  [
    'StorageType',
    {
      base: 'Integer32',
      labels: number(['other', 'volatile', 'nonVolatile', 'permanent', 'readOnly'], 1),
    },
  ],
  ['TDomain', { base: 'ObjectIdentifier' }],
  ['TAddress', { base: 'OctetString', ranges: [{ min: 1, max: 255 }] }],
]);

function number(names: readonly string[], first: number): NamedNumbers {
  return { names, numbers: names.map((_, index) => first + index) };
}
