import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from '../../kernel/logger.ts';

/**
 * Calls `renew` within about a second of a change of one of the files, until the answer is called. It reads them anew, and throws for
 * files that cannot be used, as those may be of which only one has been replaced: then what was read before stays in use.
 */
export function watchTlsFiles(
  files: readonly (string | undefined)[],
  renew: () => void,
  log: Logger,
): () => void {
  const paths = files.filter((path) => path !== undefined);
  const renewOrKeep = () => {
    try {
      renew();
      log.info('The TLS files changed and are used from now on.');
    } catch (error) {
      log.error({ error }, 'The TLS files changed; the old ones stay in use.');
    }
  };
  for (const path of paths) watchFile(path, { interval: 1000, persistent: false }, renewOrKeep);
  return () => {
    for (const path of paths) unwatchFile(path, renewOrKeep);
  };
}
