import type { Varbind } from '../../../src/snmp/index.ts';
import { berTag } from '../../../src/snmp/index.ts';
import { BerWriter, type OpaqueValue, writeOpaque } from '../../../src/snmp/internal.ts';

/** A varbind as a line of `.snmprec`, with its line feed: `OID|TAG|VALUE`. The tag ends with `x` when the value is hexadecimal. */
export function formatSnmprecLine(varbind: Varbind): string {
  return `${varbind.oid}|${formatTagged(varbind)}\n`;
}

function formatTagged(varbind: Varbind): string {
  switch (varbind.type) {
    case 'Integer32':
      return `${berTag.integer}|${varbind.value}`;
    case 'OctetString':
      return formatOctets(varbind.value);
    case 'Null':
      return `${berTag.null}|`;
    case 'ObjectIdentifier':
      return `${berTag.objectIdentifier}|${varbind.value}`;
    case 'IpAddress':
      return hexadecimal(berTag.ipAddress, octetsOfAddress(varbind.value));
    case 'Counter32':
      return `${berTag.counter32}|${varbind.value}`;
    case 'Gauge32':
      return `${berTag.gauge32}|${varbind.value}`;
    case 'TimeTicks':
      return `${berTag.timeTicks}|${varbind.value}`;
    case 'NsapAddress':
      return hexadecimal(berTag.nsapAddress, varbind.value);
    case 'Counter64':
      return `${berTag.counter64}|${varbind.value}`;
    case 'UInteger32':
      return `${berTag.uInteger32}|${varbind.value}`;
    case 'noSuchObject':
    case 'noSuchInstance':
    case 'endOfMibView':
    case 'genErr':
    case 'tooBig':
      throw new RangeError(`A walk yields no ${varbind.type}.`);
    default:
      return hexadecimal(berTag.opaque, octetsOfOpaque(varbind));
  }
}

/** Plain when they are printable and no white space at either end would be lost. */
function formatOctets(octets: Buffer): string {
  const text = octets.toString('latin1');
  const isPlain = /^[ -~]*$/.test(text) && text.trim() === text;
  return isPlain ? `${berTag.octetString}|${text}` : hexadecimal(berTag.octetString, octets);
}

function hexadecimal(tag: number, octets: Buffer): string {
  return `${tag}x|${octets.toString('hex')}`;
}

function octetsOfAddress(text: string): Buffer {
  return text === '' ? Buffer.alloc(0) : Buffer.from(text.split('.').map(Number));
}

function octetsOfOpaque(opaque: OpaqueValue): Buffer {
  if (opaque.type === 'Opaque') return opaque.value;
  const writer = new BerWriter(16);
  writeOpaque(writer, opaque);
  const headerOctets = 2;
  return writer.toBuffer().subarray(headerOctets);
}
