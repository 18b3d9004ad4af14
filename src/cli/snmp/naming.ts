import type { Varbind } from '../../snmp/index.ts';
import type { RequestOptions } from './options/request-options.ts';
import { formatVarbindJson } from './output/varbind-json.ts';
import { formatVarbind } from './output/varbind-text.ts';

/** How the words of the command line become OIDs, and varbinds a line. */
export interface Naming {
  resolve(word: string): string;
  format(varbind: Varbind): string;
}

/** With the names of MIB files where --mibs names some; otherwise numeric, and nothing of MIBs is loaded. */
export async function chooseNaming({ mibs, json = false }: RequestOptions): Promise<Naming> {
  if (mibs === undefined) {
    return { resolve: (word) => word, format: json ? formatVarbindJson : formatVarbind };
  }
  const { openNaming } = await import('../mib/mib-naming.ts');
  return openNaming(mibs, json);
}
