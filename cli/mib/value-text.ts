import type { MibNode } from '../../authoring/mib/index.ts';
import { decodeAddress } from '../../src/definitions/index.ts';
import { plainText } from '../terminal/plain-text.ts';
import { applyOctetHint } from './display-hint.ts';

/** `up(1)`; undefined for a number without a name. */
export function formatEnum({ enums = {} }: MibNode, number: number): string | undefined {
  const name = Object.keys(enums).find((each) => enums[each] === number);
  return name === undefined ? undefined : `${plainText(name)}(${number})`;
}

/** Octets as their type says; as text in quotation marks where they are text; otherwise in hexadecimal. */
export function formatOctets(node: MibNode, octets: Buffer): string {
  return formatTyped(node, octets) ?? formatPlain(octets);
}

/** Undefined where the type does not say how the octets read, or where they do not fit it. */
export function formatTyped({ hint, typeName }: MibNode, octets: Buffer): string | undefined {
  if (octets.length === 0) return undefined;
  if (typeName === 'InetAddress' && (octets.length === 4 || octets.length === 16))
    return decodeAddress(octets);
  const text = hint === undefined ? undefined : applyOctetHint(hint, octets);
  if (text === undefined) return undefined;
  return /^[\d*at]+$/.test(hint!) ? quote(text) : plainText(text);
}

function formatPlain(octets: Buffer): string {
  const text = octets.toString('latin1');
  return /^[ -~]*$/.test(text) ? quote(text) : octets.toString('hex').replace(/..(?=.)/g, '$&:');
}

function quote(text: string): string {
  return `"${plainText(text.replace(/["\\]/g, '\\$&'))}"`;
}
