import type { Varbind } from './codec/snmp-value.ts';

/** A varbind as `snmpwalk -On` prints it without MIBs, without the line feed at the end. */
export function formatVarbind(varbind: Varbind): string {
  return `.${varbind.oid} = ${formatValue(varbind)}`;
}

/** The type and the value. */
export function formatValue(varbind: Varbind): string {
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
      // net-snmp prints only "Variable has bad type".
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
  tooBig: 'No value: it does not fit into a reply of the agent (tooBig)',
} as const;

function formatOctets(octets: Buffer): string {
  if (octets.length === 0) return '""';
  const text = octets.toString('latin1');
  if (/[^\t-\r -~]/.test(text)) return `Hex-STRING: ${formatHex(octets)}`;
  return `STRING: "${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Sixteen octets per line, each followed by a space. */
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

/** A number in the form of C's `%f`. */
export function formatReal(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.000000';
  // From here on toFixed uses exponents; doubles of this size are whole numbers.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  return isHalfway(value) ? roundToEven(value.toFixed(7)) : value.toFixed(6);
}

/** Whether the value lies exactly between two numbers of six decimals: the odd multiples of 1/128. C rounds these to even. */
function isHalfway(value: number): boolean {
  return Number.isInteger(value * 128) && !Number.isInteger(value * 64);
}

function roundToEven(sevenDecimals: string): string {
  const truncated = sevenDecimals.slice(0, -1);
  const isEven = Number(truncated.at(-1)) % 2 === 0;
  return isEven ? truncated : Number(sevenDecimals).toFixed(6);
}
