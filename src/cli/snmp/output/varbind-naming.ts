import type { MibNode } from '../../../mib/index.ts';
import type { Varbind } from '../../../snmp/index.ts';

/** Turns the words of the command line into OIDs, and varbinds into text. */
export interface VarbindNaming {
  resolve(word: string): string;
  format(varbind: Varbind): string;
  /** What MIB files say about an OID or an instance; absent without MIB files. */
  find?(oid: string): MibNode | undefined;
}
