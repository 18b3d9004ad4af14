import { formatVarbind } from '../../snmp/varbind-text.ts';
import type { RequestOptions } from './options/request-options.ts';
import { formatVarbindJson } from './output/varbind-json.ts';
import type { VarbindNaming } from './output/varbind-naming.ts';

/** With the names of MIB files where --mibs names some; otherwise numeric, and nothing of MIBs is loaded. */
export async function chooseNaming({ mibs, json = false }: RequestOptions): Promise<VarbindNaming> {
  if (mibs === undefined) {
    return { resolve: (word) => word, format: json ? formatVarbindJson : formatVarbind };
  }
  const { openNaming } = await import('../mib/mib-naming.ts');
  return openNaming(mibs, json);
}
