import type { MibNode } from '../../../authoring/mib/index.ts';
import type { Varbind } from '../../../src/snmp/index.ts';

/** Turns the words of the command line into OIDs, and varbinds into text. */
export interface VarbindNaming {
  resolve(word: string): string;
  format(varbind: Varbind): string;
  /** The type and the names of an OID or an instance, where MIB files or definitions say them. */
  find?(oid: string): Pick<MibNode, 'type' | 'enums'> | undefined;
}
