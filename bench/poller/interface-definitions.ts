import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addressOf } from '../snmp/load.ts';
import { definitionsOf } from './bench-folder.ts';

export interface BenchDevice {
  readonly name: string;
  readonly ip: string;
  readonly port: number;
  readonly everySeconds: number;
}

/** This number of devices of one agent, each with its own address. */
export function alikeDevices(count: number, port: number, everySeconds: number): BenchDevice[] {
  return Array.from({ length: count }, (_, i) => ({ name: `d${i}`, ip: addressOf(i), port, everySeconds }));
}

/** Definition files for the columns that every engine is measured with, two names, and these devices. */
export function writeDefinitions(folder: string, devices: readonly BenchDevice[]): void {
  const write = (name: string, text: string) => {
    const file = join(definitionsOf(folder), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('objects/interfaces.yml', objects);
  write('object_groups/interfaces.yml', `interfaces: { objects: [${interfaceObjects.join(', ')}] }\n`);
  write('device_groups/switch.yml', 'switch: { object_groups: [interfaces] }\n');
  const lines = devices.map(
    ({ name, ip, port, everySeconds }) =>
      `${name}: { ip: ${ip}, port: ${port}, version: 2c, communities: [public], device_groups: [switch], poll_interval: ${everySeconds} }\n`,
  );
  for (let from = 0; from < lines.length; from += devicesAFile) {
    write(`devices/from-${from}.yml`, lines.slice(from, from + devicesAFile).join(''));
  }
}

/** A definition file may have at most one megabyte. */
const devicesAFile = 5_000;

export const interfaceObjects = ['IF-MIB::ifEntry', 'IF-MIB::ifXEntry'] as const;

const attributesOf = (
  entry: string,
  prefix: string,
  columns: readonly number[],
  isGauge: (column: number) => boolean,
) =>
  columns
    .map((column) => {
      const [syntax, metric] = isGauge(column) ? ['Unsigned32', 'gauge'] : ['Counter64', 'counter'];
      return `    ${prefix}${column}: { oid: ${entry}.${column}, name: netif.${prefix}${column}, syntax: ${syntax}, metric: ${metric} }\n`;
    })
    .join('');

const ifEntry = '.1.3.6.1.2.1.2.2.1';
const ifXEntry = '.1.3.6.1.2.1.31.1.1.1';

const objects = `IF-MIB::ifEntry:
  mib: IF-MIB
  object: ifEntry
  index: [{ type: Integer, oid: ${ifEntry}.1, name: netif, syntax: InterfaceIndex }]
  discovery_attribute: ifDescr
  attributes:
    ifDescr: { oid: ${ifEntry}.2, name: netif.description, syntax: DisplayString, tag: true }
${attributesOf(ifEntry, 'if', [4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21], (column) => column < 10 || column > 20)}IF-MIB::ifXEntry:
  mib: IF-MIB
  object: ifXEntry
  augments: IF-MIB::ifEntry
  discovery_attribute: ifName
  attributes:
    ifName: { oid: ${ifXEntry}.1, name: netif.name, syntax: DisplayString, tag: true }
${attributesOf(ifXEntry, 'ifX', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15], (column) => column > 13)}`;
