import type { MibNode, MibSet } from '../../authoring/mib/index.ts';
import type { Varbind } from '../../src/snmp/index.ts';
import { formatValue } from '../../src/snmp/varbind-text.ts';
import { applyNumberHint } from '../mib/display-hint.ts';
import { nameOf, resolveOid } from '../mib/mib-names.ts';
import { formatJsonLine } from '../mib/mib-text.ts';
import { openMibs } from '../mib/open-mibs.ts';
import { formatEnum, formatTyped } from '../mib/value-text.ts';
import { plainText } from '../terminal/plain-text.ts';
import { describeVarbind } from './output/varbind-json.ts';
import type { VarbindNaming } from './output/varbind-naming.ts';

/** Names from MIB files in the arguments and in the output of the commands that send requests. */
export function openNaming(paths: readonly string[], json: boolean): VarbindNaming {
  const set = openMibs(paths);
  return {
    resolve: (word) => resolveOid(set, word, paths),
    find: (oid) => set.findByOid(oid)?.node,
    format: (varbind) => (json ? formatNamedJson(set, varbind) : formatNamed(set, varbind)),
  };
}

/** As `snmpwalk` prints it with MIBs: `IF-MIB::ifOperStatus.1 = INTEGER: up(1)`. */
function formatNamed(set: MibSet, varbind: Varbind): string {
  const found = set.findByOid(varbind.oid);
  if (found === undefined) return `.${varbind.oid} = ${formatValue(varbind)}`;
  const text = explainValue(set, found.node, varbind);
  const units = found.node.units;
  const value =
    text === undefined ? formatValue(varbind) : `${labels[varbind.type] ?? varbind.type}: ${text}`;
  const suffix = units === undefined || !isNumber(varbind) ? '' : ` ${plainText(units)}`;
  return `${plainText(nameOf(found))} = ${value}${suffix}`;
}

/** As without MIBs, with `name`, `text` and `units` where the MIBs say something. */
function formatNamedJson(set: MibSet, varbind: Varbind): string {
  const found = set.findByOid(varbind.oid);
  if (found === undefined) return formatJsonLine(describeVarbind(varbind));
  const text = explainValue(set, found.node, varbind);
  const units = isNumber(varbind) ? found.node.units : undefined;
  return formatJsonLine({ ...describeVarbind(varbind), name: nameOf(found), text, units });
}

/** net-snmp's words for types whose names differ. */
const labels: Readonly<Record<string, string>> = {
  Integer32: 'INTEGER',
  OctetString: 'STRING',
  ObjectIdentifier: 'OID',
};

/** What the MIBs say about a value; undefined where they say nothing, or where the device sends another type than they say. */
function explainValue(set: MibSet, node: MibNode, varbind: Varbind): string | undefined {
  const { type, value } = varbind;
  if (type === 'ObjectIdentifier') {
    const found = set.findByOid(value);
    return found === undefined ? undefined : plainText(nameOf(found));
  }
  if (type === 'OctetString') {
    if (node.type === 'Bits') return formatBits(node, value);
    return node.type === 'OctetString' ? formatTyped(node, value) : undefined;
  }
  if (node.type !== type && !(node.type === 'Unsigned32' && type === 'Gauge32')) return undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const label = typeof value === 'number' ? formatEnum(node, value) : undefined;
  return label ?? (node.hint === undefined ? undefined : applyNumberHint(node.hint, value));
}

/** `80 sunday(0)`: the octets, and the names of the bits that are set. */
function formatBits(node: MibNode, octets: Buffer): string | undefined {
  if (node.enums === undefined || octets.length === 0) return undefined;
  const names = Object.entries(node.enums)
    .filter(([, bit]) => (octets[bit >> 3] ?? 0) & (0x80 >> (bit & 7)))
    .map(([name, bit]) => `${plainText(name)}(${bit})`);
  return [
    octets
      .toString('hex')
      .toUpperCase()
      .replace(/..(?=.)/g, '$& '),
    ...names,
  ].join(' ');
}

function isNumber({ value }: Varbind): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
