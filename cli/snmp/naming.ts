import { formatVarbind } from '../../src/snmp/varbind-text.ts';
import type { RequestOptions } from './options/request-options.ts';
import { formatVarbindJson } from './output/varbind-json.ts';
import type { VarbindNaming } from './output/varbind-naming.ts';

/**
 * With the names of MIB files where --mibs names some; otherwise numeric. Definitions are loaded only where one of the words is a name
 * that they may have.
 */
export async function chooseNaming(
  { mibs, json = false }: RequestOptions,
  words: readonly string[] = [],
): Promise<VarbindNaming> {
  if (mibs === undefined) {
    const format = json ? formatVarbindJson : formatVarbind;
    if (!words.some(isName)) return { resolve: (word) => word, format };
    const { openShippedNames } = await import('./shipped-names.ts');
    const resolveName = await openShippedNames();
    return { resolve: (word) => (isName(word) ? resolveName(word) : word), format };
  }
  const { openNaming } = await import('./mib-naming.ts');
  return openNaming(mibs, json);
}

function isName(word: string): boolean {
  return /^[a-z]/i.test(word);
}
