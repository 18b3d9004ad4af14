import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `.ts` where this process runs the sources, `.js` in their transpiled copy. */
const extension = extname(import.meta.url);

/** The options with which `node` runs modules of the repository as this process does, from any folder. */
export const nodeOptions: readonly string[] =
  extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : ['--enable-source-maps'];

/** The path of the module that `source` names, for programs that run beside this one. */
export function modulePath(source: URL): string {
  return fileURLToPath(source).replace(/\.ts$/, extension);
}
