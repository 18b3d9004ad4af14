import type { Varbind } from '../../../snmp/index.ts';
import { formatReal } from './real-text.ts';

/** A varbind as `snmpwalk -On` prints it when it knows no MIB, without the line feed at the end. */
export function formatVarbind(varbind: Varbind): string {
  return `.${varbind.oid} = ${formatValue(varbind)}`;
}

function formatValue(varbind: Varbind): string {
  switch (varbind.type) {
    case 'Integer32':
      return `INTEGER: ${varbind.value}`;
    case 'OctetString':
      return formatOctets(varbind.value);
    case 'Null':
      return 'NULL';
    case 'ObjectIdentifier':
      return `OID: .${varbind.value}`;
    case 'TimeTicks':
      return `Timeticks: ${formatTicks(varbind.value)}`;
    case 'Opaque':
      return `OPAQUE: ${formatHex(varbind.value)}`;
    case 'OpaqueFloat':
    case 'OpaqueDouble':
      return `Opaque: Float: ${formatReal(varbind.value)}`;
    case 'OpaqueCounter64':
    case 'OpaqueInt64':
    case 'OpaqueUInt64':
      return `Opaque: ${varbind.type.slice('Opaque'.length)}: ${varbind.value}`;
    case 'NsapAddress':
      // net-snmp only says "Variable has bad type".
      return `NsapAddress: ${formatHex(varbind.value)}`;
    case 'UInteger32':
      return String(varbind.value);
    case 'IpAddress':
    case 'Counter32':
    case 'Gauge32':
    case 'Counter64':
      return `${varbind.type}: ${varbind.value}`;
    default:
      return exceptions[varbind.type];
  }
}

const exceptions = {
  noSuchObject: 'No Such Object available on this agent at this OID',
  noSuchInstance: 'No Such Instance currently exists at this OID',
  endOfMibView: 'No more variables left in this MIB View (It is past the end of the MIB tree)',
  genErr: 'No value: the agent failed on this object (genErr)',
  tooBig: 'No value: it does not fit a reply of the agent (tooBig)',
} as const;

function formatOctets(octets: Buffer): string {
  if (octets.length === 0) return '""';
  const text = octets.toString('latin1');
  if (/[^\t-\r -~]/.test(text)) return `Hex-STRING: ${formatHex(octets)}`;
  return `STRING: "${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Sixteen octets a line, a space behind each. */
function formatHex(octets: Buffer): string {
  const words = octets.toString('hex').toUpperCase().replace(/../g, '$& ');
  return words.replace(/.{48}(?=.)/g, '$&\n');
}

function formatTicks(ticks: number): string {
  const pad = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const days = Math.floor(ticks / 8_640_000);
  const prefix = days === 0 ? '' : days === 1 ? '1 day, ' : `${days} days, `;
  const hours = Math.floor(ticks / 360_000) % 24;
  return `(${ticks}) ${prefix}${hours}:${pad((ticks / 6000) % 60)}:${pad((ticks / 100) % 60)}.${pad(ticks % 100)}`;
}
