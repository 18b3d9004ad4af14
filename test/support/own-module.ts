import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `.ts` where this process runs the sources, `.js` in their transpiled copy. */
const extension = extname(import.meta.url);

/** What `node` is told so that it runs our modules as this process does, in whatever folder it starts. */
export const nodeOptions: readonly string[] =
  extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : ['--enable-source-maps'];

/** Where a module of ours is that `source` names, for programs that run beside this one. */
export function modulePath(source: URL): string {
  return fileURLToPath(source).replace(/\.ts$/, extension);
}
