import type { Varbind } from '../../../snmp/index.ts';

/** Turns the words of the command line into OIDs, and varbinds into text. */
export interface VarbindNaming {
  resolve(word: string): string;
  format(varbind: Varbind): string;
}
