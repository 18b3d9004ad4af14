import type { ReplayAgent } from '../../../../src/testing/index.ts';
import { runTool } from '../../../support/run-tool.ts';

/** A value as Debian's snmpbulkwalk printed it. */
export type Answer =
  | { readonly type: 'number'; readonly number: bigint }
  | { readonly type: 'float'; readonly float: number }
  | { readonly type: 'octets'; readonly octets: Buffer }
  | { readonly type: 'oid'; readonly oid: string };

/** All values of the agent, by OID without a leading dot, in the order of the walk. */
export type Walk = ReadonlyMap<string, Answer>;

const show = ['-On', '-Oe', '-Ot', '-Ox'];

/**
 * Walks the whole agent with snmpbulkwalk and reads its output, without any of Waywiser's decoders. When a device has an OID
 * twice, a walk finds the first value and a GET finds the last one: OIDs in `twice` are read with snmpget.
 */
export async function walkByNetSnmp(
  { address, port }: ReplayAgent,
  twice: readonly string[] = [],
): Promise<Walk> {
  const access = ['-v2c', '-c', 'public', '-t', '5', ...show];
  const printed = [await runTool('snmpbulkwalk', [...access, '-Cr60', `${address}:${port}`, '.1'])];
  if (twice.length > 0) printed.push(await runTool('snmpget', [...access, `${address}:${port}`, ...twice]));
  const walk = new Map<string, Answer>();
  for (const entry of printed.flatMap((text) => text.split(/\n(?=\.\d)/))) {
    const [, oid, value] = /^\.([\d.]+) = ([\s\S]*?)\s*$/.exec(entry) ?? [];
    if (oid === undefined || value === undefined) throw new Error(`net-snmp printed ${entry}`);
    const answer = readAnswer(value);
    if (answer !== undefined) walk.set(oid, answer);
  }
  return walk;
}

function readAnswer(text: string): Answer | undefined {
  if (text === '""') return { type: 'octets', octets: Buffer.alloc(0) };
  if (/^\d+$/.test(text)) return { type: 'number', number: BigInt(text) };
  const [, type, value = ''] = /^([A-Za-z0-9-]+):\s*([\s\S]*)$/.exec(text) ?? [];
  switch (type) {
    case 'INTEGER':
    case 'Counter32':
    case 'Gauge32':
    case 'Counter64':
      return { type: 'number', number: BigInt(value) };
    case 'OID':
      return { type: 'oid', oid: value.replace(/^\./, '') };
    case 'IpAddress':
      return { type: 'octets', octets: Buffer.from(value.split('.').map(Number)) };
    case 'Hex-STRING':
    case 'OPAQUE':
      return { type: 'octets', octets: Buffer.from(value.replace(/\s/g, ''), 'hex') };
    case 'Opaque':
      return { type: 'float', float: Number(value.replace('Float: ', '')) };
    default:
      if (text.startsWith('No more variables')) return undefined;
      throw new Error(`net-snmp printed ${text}`);
  }
}
